import { type AuthParts, requestTokens } from './auth-parts.ts'
import { chooseClientAuthentication, type ClientAuthentication } from './client-authentication.ts'
import type { AuthorizationServerMetadata } from './documents.ts'
import type { AuthRequest } from './exchange.ts'
import type { Grant, GrantWish } from './grant.ts'
import {
  clientCredentialsRequest,
  identityAssertionRequest,
  jwtBearerRequest,
  processIdentityAssertion,
} from './machine.ts'
import type { SigningKey } from './signing-key.ts'
import type { TokenTarget } from './token.ts'

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
export function clientCredentialsGrant(client: MachineClient): Grant {
  return machineGrant(authenticationOf(client), (target, { scope }) =>
    clientCredentialsRequest(target, { scope }),
  )
}

/** The token of the workload's own platform is exchanged; a rejection is final. */
export function workloadGrant(getToken: WorkloadToken, clientId: string | undefined): Grant {
  const authentication = async (): Promise<ClientAuthentication> =>
    clientId === undefined ? { method: 'anonymous' } : { method: 'none', clientId }
  return machineGrant(authentication, async (target, { scope, target: { server } }) =>
    jwtBearerRequest(target, { assertion: await getToken({ audience: server.issuer }), scope }),
  )
}

/** The enterprise's identity provider vouches for somebody whom it knows, without asking them. */
export function enterpriseGrant(client: MachineClient, identityProvider: IdentityProviderSource): Grant {
  return machineGrant(authenticationOf(client), async (target, wish, parts) => {
    const assertion = await identityAssertion(parts, identityProvider, wish)
    return jwtBearerRequest(target, { assertion, scope: wish.scope })
  })
}

type MakeRequest = (target: TokenTarget, wish: GrantWish, parts: AuthParts) => Promise<AuthRequest>
type Authenticate = (server: AuthorizationServerMetadata) => Promise<ClientAuthentication>

function machineGrant(authenticate: Authenticate, makeRequest: MakeRequest): Grant {
  return {
    needsPerson: false,
    authentication: (_parts, server) => authenticate(server),
    async obtain(parts, wish) {
      const { server, resourceParameter: resource } = wish.target
      const authentication = await authenticate(server)
      const target = { tokenEndpoint: server.token_endpoint, authentication, resource }
      const make = (): Promise<AuthRequest> => makeRequest(target, wish, parts)
      const { scope: requestedScope, dpopKey, requiresDpop, signal } = wish
      const tokens = await requestTokens(parts, make, { requestedScope, dpopKey, requiresDpop, signal })
      return { kind: 'tokens', tokens }
    },
  }
}

function authenticationOf({ clientId, clientSecret, key, audience }: MachineClient): Authenticate {
  const client = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
  return async (server) => chooseClientAuthentication({ client, server, key, audience })
}

async function identityAssertion(
  parts: AuthParts,
  { tokenEndpoint, client, subjectToken, subjectTokenType = 'id_token' }: IdentityProviderSource,
  { target, scope, signal }: GrantWish,
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
