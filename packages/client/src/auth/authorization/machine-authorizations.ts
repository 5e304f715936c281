import type { McpAuthorization } from '../../http/mcp-authorization.ts'
import type { Grant } from '../grants/grant.ts'
import {
  clientCredentialsGrant,
  enterpriseGrant,
  type IdentityProviderSource,
  type MachineClient,
  workloadGrant,
  type WorkloadToken,
} from '../grants/machine-grants.ts'
import { memoryAuthStore, createAuthProvider } from '../stores/memory-auth-store.ts'
import { type AuthorizationOptions, authContext } from './mcp-oauth.ts'
import type { AuthStore } from '../stores/auth-store.ts'
import { importSigningKey, type SigningKey } from '../crypto/signing-key.ts'
import { TokenAuthorization } from './token-authorization.ts'

/** Options of every authorization of a machine. */
export interface MachineAuthorizationOptions extends AuthorizationOptions {
  /**
   * The exact issuer that the credentials are for; they are sent to no other, whatever the MCP server names. Default: any
   * issuer on the host and port of the MCP server.
   */
  readonly issuer?: string
  /** Stores tokens, for other processes too. Default: in memory. */
  readonly store?: AuthStore
}

/** A client that is registered at the authorization server, with a secret or a private key. */
export interface ClientCredentials extends Omit<MachineClient, 'key'> {
  /** A private key as PEM (PKCS #8) or as a `SigningKey`. Default: none. */
  readonly privateKey?: string | SigningKey
}

/** Authorizes a program by its own client credentials: a secret or a private key. */
export async function clientCredentialsAuthorization(
  options: MachineAuthorizationOptions & ClientCredentials,
): Promise<McpAuthorization> {
  return machineAuthorization(options, clientCredentialsGrant(options.issuer, await machineClient(options)))
}

/** Authorizes a person through the identity provider of an enterprise, without interaction (ID-JAG). */
export async function enterpriseAuthorization(
  options: MachineAuthorizationOptions &
    ClientCredentials & {
      /** The identity provider, and the client there. */
      readonly identityProvider: Omit<IdentityProviderSource, 'client'> & {
        readonly client: ClientCredentials
      }
    },
): Promise<McpAuthorization> {
  const { identityProvider } = options
  const client = await machineClient(identityProvider.client)
  return machineAuthorization(
    options,
    enterpriseGrant(options.issuer, await machineClient(options), { ...identityProvider, client }),
  )
}

/** Authorizes a workload by the token of its platform. A rejection is final. */
export function workloadAuthorization(
  options: MachineAuthorizationOptions & {
    /** Returns the token of the platform. */
    readonly token: WorkloadToken
    /** The client id, if the authorization server requires one. Default: none. */
    readonly clientId?: string
  },
): McpAuthorization {
  return machineAuthorization(options, workloadGrant(options.issuer, options.token, options.clientId))
}

function machineAuthorization(options: MachineAuthorizationOptions, grant: Grant): McpAuthorization {
  const {
    store = memoryAuthStore(),
    scope,
    dpop = 'when-supported',
    legacyFallback: allowsFallback = true,
  } = options
  const provider = createAuthProvider(store, { clientMetadata: {}, redirectToAuthorization: () => undefined })
  return new TokenAuthorization(authContext(options, provider), { grant, scope, dpop, allowsFallback })
}

async function machineClient({
  clientId,
  clientSecret,
  privateKey,
  audience,
}: ClientCredentials): Promise<MachineClient> {
  const key = typeof privateKey === 'string' ? await importSigningKey(privateKey) : privateKey
  return { clientId, clientSecret, key, audience }
}
