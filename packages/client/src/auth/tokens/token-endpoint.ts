import type { JsonObject } from '../../jsonrpc/json.ts'
import {
  responderName,
  malformedResponse,
  readJsonResponse,
  serverError,
  type JsonResponseRules,
} from '../messages/json-response.ts'
import { authenticatedForm, type ClientAuthentication } from '../registration/client-authentication.ts'
import type { OAuthTokens } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import {
  optionalNumber,
  optionalString,
  requiredString,
  type MakeError,
} from '../messages/response-members.ts'
import { tokenRefusal } from './token-refusal.ts'

/** The token endpoint, the client and the resource of a token request. */
export interface TokenTarget {
  readonly tokenEndpoint: string
  readonly authentication: ClientAuthentication
  /** The resource, verbatim as in its metadata; missing only for servers of 2025-03-26. */
  readonly resource?: string | undefined
}

/** Exchanges the code of a callback for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export async function authorizationCodeRequest(
  target: TokenTarget,
  grant: { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string },
): Promise<AuthRequest> {
  return tokenRequest(target, {
    grant_type: 'authorization_code',
    code: grant.code,
    code_verifier: grant.codeVerifier,
    redirect_uri: grant.redirectUri,
  })
}

/** A refresh request (RFC 6749 section 6). The scope cannot exceed the granted one. */
export async function refreshRequest(
  target: TokenTarget,
  grant: { readonly refreshToken: string; readonly scope?: string | undefined },
): Promise<AuthRequest> {
  const request = await tokenRequest(target, {
    grant_type: 'refresh_token',
    refresh_token: grant.refreshToken,
    scope: grant.scope,
  })
  return { ...request, stage: 'refresh' }
}

/** A request to a token endpoint, with the parameters of any grant. */
export async function tokenRequest(
  { tokenEndpoint, authentication, resource }: TokenTarget,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<AuthRequest> {
  return authenticatedForm(
    { url: tokenEndpoint, stage: 'token', authentication },
    { ...parameters, resource },
  )
}

/** How the response of a token endpoint is read. */
export interface TokenResponseRules {
  /** The request of the response. */
  readonly request: AuthRequest
  readonly nowMs: number
  /** Counts as granted if the response names no scope (RFC 6749 section 5.1). */
  readonly requestedScope?: string | undefined
  /** The refreshed tokens: their refresh token and scope are kept if the response has none. */
  readonly previous?: OAuthTokens | undefined
  /** Refuses tokens that are not bound to the key of the proof. Default: false. */
  readonly requiresDpop?: boolean
}

/**
 * The tokens in a response. Throws `invalid_grant`, `invalid_client`, `invalid_scope`, `use_dpop_nonce`,
 * `token_refused`, `token_type_unsupported`, `answer_malformed` or `server_error`, in the stage of the request.
 */
export function processTokens(response: AuthResponse, expected: TokenResponseRules): OAuthTokens {
  const { answer, problem } = readTokenResponse(response, expected.request)
  const { expires_in: expiresInS } = optionalNumber(answer, 'expires_in', problem)
  const { scope } = optionalString(answer, 'scope', problem)
  const { refresh_token: refreshToken } = optionalString(answer, 'refresh_token', problem)
  return {
    access_token: readAccessToken(answer, problem),
    token_type: readTokenType(requiredString(answer, 'token_type', problem), expected),
    ...(expiresInS !== undefined && { expiresAtMs: expiryAfter(expiresInS, expected.nowMs) }),
    ...keptText('refresh_token', refreshToken, expected.previous?.refresh_token),
    ...keptText('scope', scope, expected.previous?.scope ?? expected.requestedScope),
    ...optionalString(answer, 'id_token', problem),
  }
}

/** The object in a successful response, and the function that creates its errors. Throws like {@link processTokens}. */
export function readTokenResponse(
  response: AuthResponse,
  request: AuthRequest,
): { readonly answer: JsonObject; readonly problem: MakeError } {
  const from = responderName('the token endpoint', request.url)
  if (response.status >= 500 || response.status === 429) throw serverError(from, response, request.stage)
  const rules: JsonResponseRules = {
    code: 'answer_malformed',
    stage: request.stage,
    from,
    fix: 'check that this is the URL of a token endpoint, and ask its operator to follow RFC 6749 section 5',
  }
  const problem: MakeError = (what) => malformedResponse(what, response, rules)
  const answer = readJsonResponse(response, rules)
  const refusal = tokenRefusal(answer, response, request)
  if (refusal !== undefined) throw refusal
  if (response.status !== 200) throw problem('refused the request without an error code')
  return { answer, problem }
}

/** Bounded, since JSON has no Infinity: a record with it could not be read again. */
function expiryAfter(seconds: number, nowMs: number): number {
  return Math.min(nowMs + seconds * 1000, Number.MAX_SAFE_INTEGER)
}

/** The token is sent in a header, where a line break would start another one. */
function readAccessToken(answer: JsonObject, problem: MakeError): string {
  const token = requiredString(answer, 'access_token', problem)
  if (!/^[\x21-\x7e]+$/.test(token)) throw problem('has an "access_token" that is not valid in a header')
  return token
}

/** RFC 6749 section 5.1: the type is case-insensitive. */
function readTokenType(
  type: string,
  { request, requiresDpop }: TokenResponseRules,
): OAuthTokens['token_type'] {
  const lower = type.toLowerCase()
  if (lower === 'dpop' && request.headers['dpop'] !== undefined) return 'DPoP'
  if (lower === 'bearer' && requiresDpop !== true) return 'Bearer'
  const happened =
    lower === 'bearer'
      ? 'issued a token that is not bound to our key'
      : lower === 'dpop'
        ? 'issued a DPoP-bound token, but no proof was sent'
        : 'issued a token of an unsupported type'
  throw new McpAuthError(`${responderName('the token endpoint', request.url)} ${happened}`, {
    code: 'token_type_unsupported',
    stage: request.stage,
    fix: 'enable or disable DPoP for this server, so that both sides agree on Bearer or DPoP',
  })
}

function keptText<Name extends string>(
  name: Name,
  given: string | undefined,
  kept: string | undefined,
): { readonly [K in Name]?: string } {
  const value = given === undefined || given === '' ? kept : given
  // TypeScript widens a computed name to `string`.
  return (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: string }
}
