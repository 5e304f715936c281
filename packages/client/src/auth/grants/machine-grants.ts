import { isLoopbackHostname, redactedUrl } from '../messages/endpoint-url.ts'
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

/** A client that was registered by hand. */
export interface MachineClient {
  /** The client id at the authorization server. */
  readonly clientId: string
  /** The client secret. Default: none. */
  readonly clientSecret?: string | undefined
  /** Signs the client assertion, instead of a secret. Default: none. */
  readonly key?: SigningKey | undefined
  /** The `aud` of the client assertion. Default: the issuer. */
  readonly audience?: string | undefined
}

/** The identity provider of an enterprise, and a token of a person that it issued. */
export interface IdentityProviderSource {
  /** The token endpoint of the identity provider. */
  readonly tokenEndpoint: string
  /** The client at the identity provider. */
  readonly client: MachineClient
  /** Returns the token of the person; called when it is needed, and sent only to this identity provider. */
  readonly subjectToken: () => string | Promise<string>
  /** The type of that token. Default: `id_token`. */
  readonly subjectTokenType?: 'id_token' | 'saml2' | 'refresh_token'
}

/** Returns a token of the platform that a workload runs on. */
export type WorkloadToken = (request: { readonly audience: string }) => string | Promise<string>

/** The client credentials grant. */
export function clientCredentialsGrant(issuer: string | undefined, client: MachineClient): Grant {
  return machineGrant(issuer, authenticationOf(client), (target, { scope }) =>
    clientCredentialsRequest(target, { scope }),
  )
}

/** Exchanges the token of the workload's platform; a rejection is final. */
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

/** Exchanges an assertion of the enterprise's identity provider, without interaction of the person. */
export function enterpriseGrant(
  issuer: string | undefined,
  client: MachineClient,
  identityProvider: IdentityProviderSource,
): Grant {
  return machineGrant(issuer, authenticationOf(client), async (target, request, context) => {
    const assertion = await identityAssertion(context, identityProvider, request)
    return jwtBearerRequest(target, { assertion, scope: request.scope })
  })
}

type MakeRequest = (target: TokenTarget, request: GrantRequest, context: AuthContext) => Promise<AuthRequest>
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
    async obtain(context, request) {
      const { server, resourceParameter: resource } = request.target
      const target = {
        tokenEndpoint: server.token_endpoint,
        authentication: await authentication(context, server),
        resource,
      }
      const make = (): Promise<AuthRequest> => makeRequest(target, request, context)
      const { scope: requestedScope, dpopKey, requiresDpop, signal } = request
      const tokens = await requestTokens(context, make, { requestedScope, dpopKey, requiresDpop, signal })
      return { kind: 'tokens', login: { tokens, ...(dpopKey !== undefined && { dpopKey }) } }
    },
  }
}

/**
 * A server names its authorization server itself, so credentials are sent only to the configured issuer or, if none is
 * configured, to an issuer on the host and port of the server.
 */
function checkCredentialsAreFor(
  found: string,
  { issuer, serverUrl }: { readonly issuer: string | undefined; readonly serverUrl: string },
): void {
  const [named, own] = [new URL(found), new URL(serverUrl)]
  // On this machine, ports tell the parts of one system apart.
  const isOwnHost =
    named.host === own.host || (named.hostname === own.hostname && isLoopbackHostname(own.hostname))
  if (issuer === undefined ? isOwnHost : issuer === found) return
  throw new McpAuthError(
    `the server ${redactedUrl(serverUrl)} names the authorization server ${redactedUrl(found)}, but these credentials are not configured for it`,
    {
      code: 'issuer_mismatch',
      stage: 'token',
      fix: 'if they are for it, set `issuer` to that; else ask the operator of the server why it names it',
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
  context: AuthContext,
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
  const response = await context.send(request, { signal })
  return processIdentityAssertion(response, { request, nowMs: context.now() }).assertion
}
