import { paths } from '@toolbridge/api'
import type { GatewayClient } from '@toolbridge/react'
import { closeSignInWindow, type SignInWindowOwner } from './sign-in-window.ts'

/** The parts of `Window` that `takeServerCallback` uses. */
export interface CallbackWindow {
  readonly location: Pick<Location, 'href' | 'pathname'>
  readonly history: Pick<History, 'replaceState'>
}

/** How a sign-in to a server ended: with an error, or with undefined if it succeeded or there was none. */
export type ServerSignInOutcome = Promise<Error | undefined>

/** Finishes the sign-in to a server that led back to this page, if one did. A window that was opened for it closes. */
export async function finishServerSignIn(
  window: CallbackWindow & SignInWindowOwner,
  gateway: Pick<GatewayClient, 'finishServerSignIn'>,
): ServerSignInOutcome {
  const url = takeServerCallback(window)
  if (url === undefined) return undefined
  return gateway.finishServerSignIn(url).then(
    () => {
      closeSignInWindow(window)
      return undefined
    },
    (error: Error) => error,
  )
}

/**
 * Takes the URL that a sign-in to a server led back to out of the address bar, where the list of servers takes its position.
 * Returns undefined on any other page.
 */
export function takeServerCallback({ location, history }: CallbackWindow): string | undefined {
  const { href, pathname } = location
  if (!pathname.endsWith(paths.oauthCallbackPage)) return undefined
  history.replaceState(null, '', `${pathname.slice(0, -paths.oauthCallbackPage.length)}/#/servers`)
  return href
}
