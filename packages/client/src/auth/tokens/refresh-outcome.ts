import { McpSsrfError } from '../../url-guard/ssrf-error.ts'
import type { OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse, AuthSend } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { DropReason } from '../stores/auth-store.ts'
import type { StoredTokens, RefreshExchange } from './refresh-exchange.ts'

/** What became of a refresh token that was to be sent. */
export type RefreshOutcome =
  | { readonly kind: 'renewed'; readonly tokens: OAuthTokens }
  /** The authorization server will not take it again. */
  | { readonly kind: 'refused'; readonly reason: DropReason; readonly error: unknown }
  /** It did not reach the authorization server, or that answered without using it up. */
  | { readonly kind: 'unused'; readonly error: unknown }
  /** It may have been used up, and what came of it is lost. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Sends one refresh, and once more if the server asks for a nonce; never rejects. */
export async function sendRefresh(
  { exchange, send }: { readonly exchange: RefreshExchange; readonly send: AuthSend },
  { request, held, signal }: { request: AuthRequest; held: StoredTokens; signal: AbortSignal },
): Promise<RefreshOutcome> {
  let answered: AuthResponse | undefined
  let sent = request
  try {
    answered = await send(sent, { signal })
    const again = await exchange.retry?.(answered, held)
    if (again === undefined) return await read(answered, exchange, { sent, held })
    sent = again
    answered = undefined
    answered = await send(sent, { signal })
    return await read(answered, exchange, { sent, held })
  } catch (error) {
    return answered === undefined ? unanswered(error) : judged(answered.status, error)
  }
}

async function read(
  response: AuthResponse,
  exchange: RefreshExchange,
  { sent, held }: { sent: AuthRequest; held: StoredTokens },
): Promise<RefreshOutcome> {
  try {
    return { kind: 'renewed', tokens: await exchange.process(response, sent, held) }
  } catch (error) {
    return judged(response.status, error)
  }
}

function judged(status: number, error: unknown): RefreshOutcome {
  if (error instanceof McpAuthError) {
    const { code, oauthError } = error
    if (code === 'invalid_grant' || code === 'invalid_client') return { kind: 'refused', reason: code, error }
    if (oauthError !== undefined) return { kind: 'unused', error }
  }
  return isDecided(status) ? { kind: 'unused', error } : { kind: 'unknown', error }
}

/**
 * A status is an answer, except that of a success that cannot be read (the new tokens are lost with it) and that of a
 * gateway which says that it stopped waiting for the authorization server (504, and 524 of Cloudflare).
 */
function isDecided(status: number): boolean {
  return (status < 200 || status > 299) && status !== 504 && status !== 524
}

function unanswered(error: unknown): RefreshOutcome {
  return { kind: isSurelyUnsent(error) ? 'unused' : 'unknown', error }
}

/**
 * Whether the request certainly never reached the server that would act on it: no connection was made, the guard refused
 * the address, or the answer was a redirect. A reset or timed-out connection is not among these: it may have arrived.
 */
function isSurelyUnsent(error: unknown): boolean {
  if (error instanceof McpAuthError) return error.isUnsent || error.code === 'redirected'
  return error instanceof McpSsrfError
}
