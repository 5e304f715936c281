import { redactedUrl } from '../messages/endpoint-url.ts'
import { type AuthContext, requestTokens } from '../tokens/auth-context.ts'
import {
  chooseClientAuthentication,
  type ClientAuthentication,
} from '../registration/client-authentication.ts'
import type { AuthorizationServerMetadata } from '../messages/oauth-documents.ts'
import type { AuthRequest } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import type { Grant, GrantRequest } from './grant.ts'
import {
  clientCredentialsRequest,
  identityAssertionRequest,
  jwtBearerRequest,
  processIdentityAssertion,
} from './machine-token-requests.ts'
import type { SigningKey } from '../crypto/signing-key.ts'
import type { TokenTarget } from '../tokens/token-endpoint.ts'

/** A client that authorization servers know by hand. */
export interface MachineClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Signs what proves who the client is, in place of a secret. */
  readonly key?: SigningKey | undefined
  /** `aud` of what is signed; the issuer if left out, as newer authorization servers want it. */
  readonly audience?: string | undefined
}

/** Where an enterprise's people sign in, and what somebody has from there. */
export interface IdentityProviderSource {
  readonly tokenEndpoint: string
  readonly client: MachineClient
  /** Gets what the person has from there at the moment that it is needed; it is sent only there. */
  readonly subjectToken: () => string | Promise<string>
  readonly subjectTokenType?: 'id_token' | 'saml2' | 'refresh_token'
}

/** Gets a token of the platform that a workload runs on. */
export type WorkloadToken = (wish: { readonly audience: string }) => string | Promise<string>

/** The client asks for itself. */
export function clientCredentialsGrant(issuer: string | undefined, client: MachineClient): Grant {
  return machineGrant(issuer, authenticationOf(client), (target, { scope }) =>
    clientCredentialsRequest(target, { scope }),
  )
}

/** The token of the workload's own platform is exchanged; a rejection is final. */
export function workloadGrant(
  issuer: string | undefined,
  getToken: WorkloadToken,
  clientId: string | undefined,
): Grant {
  const authentication = async (): Promise<ClientAuthentication> =>
    clientId === undefined ? { method: 'anonymous' } : { method: 'none', clientId }
  return machineGrant(issuer, authentication, async (target, { scope, target: { server } }) =>
    jwtBearerRequest(target, { assertion: await getToken({ audience: server.issuer }), scope }),
  )
}

/** The enterprise's identity provider vouches for somebody whom it knows, without asking them. */
export function enterpriseGrant(
  issuer: string | undefined,
  client: MachineClient,
  identityProvider: IdentityProviderSource,
): Grant {
  return machineGrant(issuer, authenticationOf(client), async (target, wish, parts) => {
    const assertion = await identityAssertion(parts, identityProvider, wish)
    return jwtBearerRequest(target, { assertion, scope: wish.scope })
  })
}

type MakeRequest = (target: TokenTarget, wish: GrantRequest, parts: AuthContext) => Promise<AuthRequest>
type Authenticate = (server: AuthorizationServerMetadata) => Promise<ClientAuthentication>

function machineGrant(
  issuer: string | undefined,
  authenticate: Authenticate,
  makeRequest: MakeRequest,
): Grant {
  const authentication = async (
    { serverUrl }: AuthContext,
    server: AuthorizationServerMetadata,
  ): Promise<ClientAuthentication> => {
    checkCredentialsAreFor(server.issuer, { issuer, serverUrl })
    return authenticate(server)
  }
  return {
    needsPerson: false,
    authentication,
    async obtain(parts, wish) {
      const { server, resourceParameter: resource } = wish.target
      const target = {
        tokenEndpoint: server.token_endpoint,
        authentication: await authentication(parts, server),
        resource,
      }
      const make = (): Promise<AuthRequest> => makeRequest(target, wish, parts)
      const { scope: requestedScope, dpopKey, requiresDpop, signal } = wish
      const tokens = await requestTokens(parts, make, { requestedScope, dpopKey, requiresDpop, signal })
      return { kind: 'tokens', login: { tokens, ...(dpopKey !== undefined && { dpopKey }) } }
    },
  }
}

/**
 * A server says itself which authorization server it trusts, so what is secret goes only to the one that it was given
 * for, and where none was named only to one on the server's own host.
 */
function checkCredentialsAreFor(
  found: string,
  { issuer, serverUrl }: { readonly issuer: string | undefined; readonly serverUrl: string },
): void {
  const isOwnHost = new URL(found).hostname === new URL(serverUrl).hostname
  if (issuer === undefined ? isOwnHost : issuer === found) return
  throw new McpAuthError(
    `the server ${redactedUrl(serverUrl)} names the authorization server ${redactedUrl(found)}, which these credentials are not known to be for`,
    {
      code: 'issuer_mismatch',
      stage: 'token',
      fix: 'if they are, set `issuer` to that; else ask whoever runs the server why it names it',
    },
  )
}

function authenticationOf({ clientId, clientSecret, key, audience }: MachineClient): Authenticate {
  const client = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
  return async (server) => chooseClientAuthentication({ client, server, key, audience })
}

async function identityAssertion(
  parts: AuthContext,
  { tokenEndpoint, client, subjectToken, subjectTokenType = 'id_token' }: IdentityProviderSource,
  { target, scope, signal }: GrantRequest,
): Promise<string> {
  const authentication = await authenticationOf(client)({
    issuer: tokenEndpoint,
    token_endpoint: tokenEndpoint,
  })
  const at = { tokenEndpoint, authentication, resource: target.resourceParameter }
  const request = await identityAssertionRequest(at, {
    subjectToken: await subjectToken(),
    subjectTokenType,
    audience: target.server.issuer,
    scope,
  })
  const response = await parts.send(request, { signal })
  return processIdentityAssertion(response, { request, nowMs: parts.now() }).assertion
}
