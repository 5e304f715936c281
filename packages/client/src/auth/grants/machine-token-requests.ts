import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import { optionalNumber, optionalString, requiredString } from '../messages/response-members.ts'
import { readTokenResponse, tokenRequest, type TokenTarget } from '../tokens/token-endpoint.ts'

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'

/** A client credentials request (RFC 6749 section 4.4). Its response has no refresh token. */
export async function clientCredentialsRequest(
  target: TokenTarget,
  grant: { readonly scope?: string | undefined } = {},
): Promise<AuthRequest> {
  return tokenRequest(target, { grant_type: 'client_credentials', scope: grant.scope })
}

/**
 * A request for tokens with an assertion (RFC 7523 section 2.1): an identity assertion authorization grant, or the token
 * of a workload, which needs no client (`anonymous`).
 */
export async function jwtBearerRequest(
  target: TokenTarget,
  grant: { readonly assertion: string; readonly scope?: string | undefined },
): Promise<AuthRequest> {
  return tokenRequest(target, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: grant.assertion,
    scope: grant.scope,
  })
}

/** A request to an identity provider for an assertion. */
export interface IdentityAssertionGrant {
  /** The token of the person from the identity provider. */
  readonly subjectToken: string
  readonly subjectTokenType: 'id_token' | 'saml2' | 'refresh_token'
  /** The issuer of the authorization server that the assertion is for. */
  readonly audience: string
  readonly scope?: string | undefined
}

/** A request for an assertion that the authorization server of an MCP server accepts (RFC 8693, ID-JAG). */
export async function identityAssertionRequest(
  identityProvider: TokenTarget,
  grant: IdentityAssertionGrant,
): Promise<AuthRequest> {
  return tokenRequest(identityProvider, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: ID_JAG,
    audience: grant.audience,
    scope: grant.scope,
    subject_token: grant.subjectToken,
    subject_token_type: `urn:ietf:params:oauth:token-type:${grant.subjectTokenType}`,
  })
}

/** An assertion of an identity provider: secret, short-lived, for single use. */
export interface IdentityAssertion {
  readonly assertion: string
  readonly expiresAtMs?: number
  readonly scope?: string
}

/** The assertion in a response. Throws like `processTokens`. */
export function processIdentityAssertion(
  response: AuthResponse,
  { request, nowMs }: { readonly request: AuthRequest; readonly nowMs: number },
): IdentityAssertion {
  const { answer, problem } = readTokenResponse(response, request)
  if (answer['issued_token_type'] !== ID_JAG)
    throw problem('issued another type of token than the requested assertion')
  const { expires_in: expiresInS } = optionalNumber(answer, 'expires_in', problem)
  return {
    assertion: requiredString(answer, 'access_token', problem),
    ...(expiresInS !== undefined && { expiresAtMs: nowMs + expiresInS * 1000 }),
    ...optionalString(answer, 'scope', problem),
  }
}
