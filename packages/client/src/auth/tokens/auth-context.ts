import type { JsonWebKey, OAuthTokens } from '../messages/oauth-documents.ts'
import type { DpopProver } from '../dpop/dpop-prover.ts'
import type { AuthRequest, AuthResponse, AuthSend } from '../messages/auth-request.ts'
import { McpAuthError, type McpAuthErrorCode } from '../messages/mcp-auth-error.ts'
import type { McpAuthProvider } from '../stores/auth-store.ts'
import type { AuthSendOptions } from '../http/send-options.ts'
import { processTokens } from './token-endpoint.ts'

/** The dependencies that all steps of authorization for one server share. */
export interface AuthContext {
  readonly serverUrl: string
  readonly principal: string
  readonly provider: McpAuthProvider
  readonly send: AuthSend
  readonly security: AuthSendOptions
  readonly proofs: DpopProver
  readonly now: () => number
}

/** Options of {@link requestTokens}. */
export interface TokenRequestOptions {
  readonly requestedScope?: string | undefined
  /** The key to bind the tokens to. */
  readonly dpopKey?: JsonWebKey | undefined
  readonly requiresDpop?: boolean
  readonly signal?: AbortSignal
}

/**
 * Sends a token request and reads the tokens. If the authorization server requires a nonce in the proof, the request is
 * created and sent again: a client assertion can be used only once (RFC 7523 section 3).
 */
export async function requestTokens(
  context: AuthContext,
  makeRequest: () => Promise<AuthRequest>,
  options: TokenRequestOptions,
): Promise<OAuthTokens> {
  const first = await sendProven(context, await makeRequest(), options)
  const { sent, response } = wantsNonce(first)
    ? await sendProven(context, await makeRequest(), options)
    : first
  const { requestedScope, requiresDpop = false } = options
  return processTokens(response, { request: sent, nowMs: context.now(), requestedScope, requiresDpop })
}

interface Proven {
  readonly sent: AuthRequest
  readonly response: AuthResponse
  readonly hasNonce: boolean
}

async function sendProven(
  context: AuthContext,
  request: AuthRequest,
  options: TokenRequestOptions,
): Promise<Proven> {
  const sent = await context.proofs.attach(request, options.dpopKey)
  const response = await context.send(sent, options.signal === undefined ? {} : { signal: options.signal })
  return { sent, response, hasNonce: context.proofs.rememberNonce(sent.url, response.headers['dpop-nonce']) }
}

function wantsNonce({ sent, response, hasNonce }: Proven): boolean {
  return hasNonce && sent.headers['dpop'] !== undefined && isNonceRefusal(response)
}

/** Whether the authorization server wants the request again with the nonce of this response. */
export function isNonceRefusal({ status, body }: AuthResponse): boolean {
  return (status === 400 || status === 401) && /"use_dpop_nonce"/.test(body)
}

const ENDINGS: readonly McpAuthErrorCode[] = [
  'invalid_grant',
  'invalid_client',
  'refresh_outcome_unknown',
  // Some servers use other codes for a refresh token that they no longer accept.
  'invalid_scope',
  'token_refused',
]

const TEMPORARY: readonly unknown[] = ['temporarily_unavailable', 'server_error', 'slow_down']

/** Whether the tokens cannot be used any more, so that only a new sign-in helps. */
export function isTokenRejection(error: unknown): error is McpAuthError {
  if (!(error instanceof McpAuthError) || error.stage !== 'refresh') return false
  return ENDINGS.includes(error.code) && !TEMPORARY.includes(error.oauthError)
}

/** Whether the metadata of the authorization server that issued the tokens cannot be found any more. */
export function isAuthorizationServerMissing(error: unknown): error is McpAuthError {
  return error instanceof McpAuthError && error.stage === 'server_metadata'
}
