import { checkedEndpoint, redactedUrl } from '../messages/endpoint-url.ts'
import type { AuthorizationServerMetadata } from '../messages/oauth-documents.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { checkRedirectUri } from '../registration/registration.ts'

/** The parameters of an authorization request. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly state: string
  /** The resource exactly as in its metadata; missing only for servers of 2025-03-26. */
  readonly resource?: string | undefined
  readonly scope?: string | undefined
  /** The thumbprint of the key to bind the tokens to (RFC 9449 section 10). */
  readonly dpopKeyThumbprint?: string | undefined
  readonly allowInsecureHttp?: boolean
}

/** The server that a person signs in at. */
type SignInServer = Pick<AuthorizationServerMetadata, 'issuer' | 'authorization_endpoint'>

/** The URL that the person opens. Throws `endpoint_unsafe`, `redirect_uri_invalid` or `metadata_malformed`. */
export function authorizationUrl(server: SignInServer, request: AuthorizationRequest): URL {
  const url = new URL(authorizationEndpoint(server, request))
  checkRedirectUri(request.redirectUri, 'authorization')
  for (const [name, value] of Object.entries(parametersOf(request))) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

function parametersOf(request: AuthorizationRequest): Readonly<Record<string, string | undefined>> {
  return {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    state: request.state,
    scope: request.scope,
    resource: request.resource,
    // OpenID Connect Core section 11: without it a server ignores the request for a refresh token.
    prompt: request.scope?.split(' ').includes('offline_access') === true ? 'consent' : undefined,
    dpop_jkt: request.dpopKeyThumbprint,
  }
}

function authorizationEndpoint(server: SignInServer, request: AuthorizationRequest): string {
  if (server.authorization_endpoint === undefined) {
    throw new McpAuthError(
      `the authorization server ${redactedUrl(server.issuer)} has no authorization endpoint, so nobody can sign in there`,
      {
        code: 'metadata_malformed',
        stage: 'authorization',
        fix: 'use a machine grant, or ask its operator to publish "authorization_endpoint"',
      },
    )
  }
  return checkedEndpoint('authorization_endpoint', server.authorization_endpoint, {
    stage: 'authorization',
    ...(request.allowInsecureHttp === true && { allowInsecureHttp: true }),
  })
}
