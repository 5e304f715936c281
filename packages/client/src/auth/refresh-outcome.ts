import type { OAuthTokens } from './documents.ts'
import { type AuthRequest, type AuthResponse, type AuthSend, McpAuthError } from './exchange.ts'
import type { DropReason } from './provider.ts'
import type { HeldTokens, RefreshExchange } from './refresh-exchange.ts'

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
  { request, held, signal }: { request: AuthRequest; held: HeldTokens; signal: AbortSignal },
): Promise<RefreshOutcome> {
  let answered: AuthResponse | undefined
  let sent = request
  try {
    answered = await send(sent, { signal })
    const again = await exchange.again?.(answered, held)
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
  { sent, held }: { sent: AuthRequest; held: HeldTokens },
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
 * Whether a request certainly never reached the server that would act on it: its name had no address, no connection was
 * made, the certificate was not accepted (requests are written after that), the guard refused the address, or the
 * answer was a redirect. A reset or timed-out connection is not among these: the request may have arrived.
 */
export function isSurelyUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'McpSsrfError') return true
  if (error instanceof McpAuthError && error.code === 'redirected') return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isSurelyUnsent)
  return isFailedConnection(error) || isSurelyUnsent(error.cause)
}

const CERTIFICATE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/

function isFailedConnection(error: Error): boolean {
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown }
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return typeof code === 'string' && CERTIFICATE.test(code)
}
