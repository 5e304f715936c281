import { randomUUID } from 'node:crypto'
import { abortable } from '@toolbridge/client/internal'
import { checkUrl } from './check-url.ts'
import { type Answerer, canShow } from './question.ts'
import type { Origin } from '../origin.ts'

/** A sign-in that a server requires. */
export interface ConsentRequest {
  /** Name of the server. */
  readonly server: string
  /** The caller that has to sign in. */
  readonly origin: Origin
  /** Authorization URL. */
  readonly url: string
  /** Requested OAuth scopes. Default: none. */
  readonly scopes?: readonly string[]
}

/**
 * Asks a person to sign in at an authorization server; the answerer opens the page. Resolves with false if the person
 * does not agree, the channel cannot show the question, or the URL is unsafe.
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
