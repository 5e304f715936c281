import type { JsonWebKey, OAuthTokens } from '../messages/oauth-documents.ts'
import type { DpopProver } from '../dpop/dpop-prover.ts'
import type { AuthRequest, AuthResponse, AuthSend } from '../messages/auth-request.ts'
import { McpAuthError, type McpAuthErrorCode } from '../messages/mcp-auth-error.ts'
import type { McpAuthProvider } from '../stores/auth-store.ts'
import type { AuthSendOptions } from '../http/send-options.ts'
import { processTokens } from './token-endpoint.ts'

/** What every step of authorization for one server works with. */
export interface AuthContext {
  readonly serverUrl: string
  readonly principal: string
  readonly provider: McpAuthProvider
  readonly send: AuthSend
  readonly security: AuthSendOptions
  readonly proofs: DpopProver
  readonly now: () => number
}

/** What is expected of tokens beside that they are some. */
export interface TokenRequestOptions {
  readonly requestedScope?: string | undefined
  /** The key that they are to be bound to. */
  readonly dpopKey?: JsonWebKey | undefined
  readonly requiresDpop?: boolean
  readonly signal?: AbortSignal
}

/**
 * Sends a token request, once more if the authorization server wants a nonce in its proof, and reads the tokens. The
 * request is made anew then: what a client signs to prove who it is counts once (RFC 7523 section 3).
 */
export async function requestTokens(
  parts: AuthContext,
  makeRequest: () => Promise<AuthRequest>,
  wish: TokenRequestOptions,
): Promise<OAuthTokens> {
  const first = await sendProven(parts, await makeRequest(), wish)
  const { sent, response } = wantsNonce(first) ? await sendProven(parts, await makeRequest(), wish) : first
  const { requestedScope, requiresDpop = false } = wish
  return processTokens(response, { request: sent, nowMs: parts.now(), requestedScope, requiresDpop })
}

interface Proven {
  readonly sent: AuthRequest
  readonly response: AuthResponse
  readonly hasNonce: boolean
}

async function sendProven(
  parts: AuthContext,
  request: AuthRequest,
  wish: TokenRequestOptions,
): Promise<Proven> {
  const sent = await parts.proofs.attach(request, wish.dpopKey)
  const response = await parts.send(sent, wish.signal === undefined ? {} : { signal: wish.signal })
  return { sent, response, hasNonce: parts.proofs.rememberNonce(sent.url, response.headers['dpop-nonce']) }
}

function wantsNonce({ sent, response, hasNonce }: Proven): boolean {
  return hasNonce && sent.headers['dpop'] !== undefined && isNonceRefusal(response)
}

/** Whether the authorization server wants the request once more, with the nonce that came along. */
export function isNonceRefusal({ status, body }: AuthResponse): boolean {
  return (status === 400 || status === 401) && /"use_dpop_nonce"/.test(body)
}

const ENDINGS: readonly McpAuthErrorCode[] = [
  'invalid_grant',
  'invalid_client',
  'refresh_outcome_unknown',
  // Servers have names of their own for a refresh token that they do not take any more.
  'invalid_scope',
  'token_refused',
]

const TEMPORARY: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']

/** Whether the tokens are beyond use, so that only a new login helps. */
export function isTokenRejection(error: unknown): error is McpAuthError {
  if (!(error instanceof McpAuthError) || error.stage !== 'refresh') return false
  return ENDINGS.includes(error.code) && !TEMPORARY.includes(error.oauthError)
}

/** Whether the authorization server that gave the tokens is not to be found where it was. */
export function isAuthorizationServerMissing(error: unknown): error is McpAuthError {
  return error instanceof McpAuthError && error.stage === 'server_metadata'
}
