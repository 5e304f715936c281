import { McpSsrfError } from '../../url-guard/ssrf-error.ts'
import type { OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse, AuthSend } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { DropReason } from '../stores/auth-store.ts'
import type { StoredTokens, RefreshExchange } from './refresh-exchange.ts'

/** The result of sending a refresh token. */
export type RefreshOutcome =
  | { readonly kind: 'renewed'; readonly tokens: OAuthTokens }
  /** The authorization server refused it for good. */
  | { readonly kind: 'refused'; readonly reason: DropReason; readonly error: unknown }
  /** It did not reach the authorization server, or was not consumed by it. */
  | { readonly kind: 'unused'; readonly error: unknown }
  /** It may have been consumed, but the response is lost. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Sends a refresh, and sends it again if the server requires a nonce. Never rejects. */
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
 * A status decides the outcome, except for a success that cannot be read (its new tokens are lost) and for the timeout of
 * a gateway in front of the authorization server (504, and 524 of Cloudflare).
 */
function isDecided(status: number): boolean {
  return (status < 200 || status > 299) && status !== 504 && status !== 524
}

function unanswered(error: unknown): RefreshOutcome {
  return { kind: isSurelyUnsent(error) ? 'unused' : 'unknown', error }
}

/**
 * Whether the request certainly did not reach the server: no connection was made, the guard refused the URL, or the
 * response was a redirect. With a reset or timed-out connection the request may have arrived.
 */
function isSurelyUnsent(error: unknown): boolean {
  if (error instanceof McpAuthError) return error.isUnsent || error.code === 'redirected'
  return error instanceof McpSsrfError
}
