import { randomUUID } from 'node:crypto'
import { abortable } from '@toolbridge/client/internal'
import { checkUrl } from './check-url.ts'
import { type Answerer, canShow } from './question.ts'
import type { Origin } from '../origin.ts'

/** A server wants a person to sign in, or to allow it more. */
export interface ConsentRequest {
  readonly server: string
  readonly origin: Origin
  /** Where the person signs in. */
  readonly url: string
  readonly scopes?: readonly string[]
}

/**
 * Asks a person whether to go to the page of an authorization server, which the answerer then shows. False when nobody
 * agreed, when the channel cannot show it, or when the address is none to lead a person to.
 */
export async function askConsent(
  answerer: Answerer,
  { server, origin, url, scopes = [] }: ConsentRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const checked = checkUrl(url)
  if (checked.kind === 'refused' || !canShow(answerer, 'consent')) return false
  const message = `server "${server}" needs you to sign in`
  const question = { kind: 'consent', id: randomUUID(), origin, server, message, scopes } as const
  const asking = answerer.ask({ ...question, ...checked.address }, { signal })
  const { action } = await abortable(asking, signal)
  return action === 'accept'
}
