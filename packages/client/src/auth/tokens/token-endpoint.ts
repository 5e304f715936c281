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

/** Where tokens are asked for, as whom, and for which resource. */
export interface TokenTarget {
  readonly tokenEndpoint: string
  readonly authentication: ClientAuthentication
  /** Verbatim as the resource names itself; missing only for servers of 2025-03-26. */
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

/** Asks for fresh tokens (RFC 6749 section 6). A scope can only be narrower than the one that was granted. */
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

/** A request to a token endpoint with any grant. */
export async function tokenRequest(
  { tokenEndpoint, authentication, resource }: TokenTarget,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<AuthRequest> {
  return authenticatedForm(
    { url: tokenEndpoint, stage: 'token', authentication },
    { ...parameters, resource },
  )
}

/** What the answer of a token endpoint is read with. */
export interface TokenResponseRules {
  /** The request that was answered. */
  readonly request: AuthRequest
  readonly nowMs: number
  /** Granted unless the answer says otherwise (RFC 6749 section 5.1). */
  readonly requestedScope?: string | undefined
  /** The tokens that were refreshed: their refresh token and scope stay if the answer has none. */
  readonly previous?: OAuthTokens | undefined
  /** Refuses tokens that are not bound to the key of the proof. */
  readonly requiresDpop?: boolean
}

/**
 * The tokens in an answer. Throws `invalid_grant`, `invalid_client`, `invalid_scope`, `use_dpop_nonce`,
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

/** The object in a successful answer of a token endpoint, and how to complain about it. Throws as {@link processTokens}. */
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
    fix: 'check that this is the address of a token endpoint, and have whoever runs it follow RFC 6749 section 5',
  }
  const problem: MakeError = (what) => malformedResponse(what, response, rules)
  const answer = readJsonResponse(response, rules)
  const refusal = tokenRefusal(answer, response, request)
  if (refusal !== undefined) throw refusal
  if (response.status !== 200) throw problem('refused without saying why')
  return { answer, problem }
}

/** Infinity is no JSON: a record that holds it could be written and not read again. */
function expiryAfter(seconds: number, nowMs: number): number {
  return Math.min(nowMs + seconds * 1000, Number.MAX_SAFE_INTEGER)
}

/** It is sent in a header, where a line break would begin another one. */
function readAccessToken(answer: JsonObject, problem: MakeError): string {
  const token = requiredString(answer, 'access_token', problem)
  if (!/^[\x21-\x7e]+$/.test(token)) throw problem('has an "access_token" that no header can hold')
  return token
}

/** RFC 6749 section 5.1: the type is compared without regard to case. */
function readTokenType(
  type: string,
  { request, requiresDpop }: TokenResponseRules,
): OAuthTokens['token_type'] {
  const lower = type.toLowerCase()
  if (lower === 'dpop' && request.headers['dpop'] !== undefined) return 'DPoP'
  if (lower === 'bearer' && requiresDpop !== true) return 'Bearer'
  const happened =
    lower === 'bearer'
      ? 'gave a token that is not bound to our key'
      : lower === 'dpop'
        ? 'gave a token that is bound to a key, and no proof of one was sent'
        : 'gave a token of a type that is not known here'
  throw new McpAuthError(`${responderName('the token endpoint', request.url)} ${happened}`, {
    code: 'token_type_unsupported',
    stage: request.stage,
    fix: 'switch DPoP on or off for this server, so that both sides agree on Bearer or DPoP',
  })
}

function keptText<Name extends string>(
  name: Name,
  given: string | undefined,
  kept: string | undefined,
): { readonly [K in Name]?: string } {
  const value = given === undefined || given === '' ? kept : given
  // A computed name widens to `string`, although it is exactly this one.
  return (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: string }
}
