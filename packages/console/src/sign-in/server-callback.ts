import { paths } from '@toolbridge/api'

/** The parts of `Window` that `takeServerCallback` uses. */
export interface CallbackWindow {
  readonly location: Pick<Location, 'href' | 'pathname'>
  readonly history: Pick<History, 'replaceState'>
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
