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

/** What every authorization of a machine takes. */
export interface MachineAuthorizationOptions extends AuthorizationOptions {
  /**
   * The authorization server that the credentials are for, exactly as it names itself: they are sent to no other, whatever
   * the MCP server says. May be left out where it is on the MCP server's own host.
   */
  readonly issuer?: string
  /** Keeps tokens for other processes too; without it they are got anew by each. */
  readonly store?: AuthStore
}

/** A client that is known at the authorization server: by a secret, or by the key that it signs with. */
export interface ClientCredentials extends Omit<MachineClient, 'key'> {
  /** PEM (PKCS #8), or a key that signs elsewhere. */
  readonly privateKey?: string | SigningKey
}

/** Authorizes a program as itself, with a secret or a private key. */
export async function clientCredentialsAuthorization(
  options: MachineAuthorizationOptions & ClientCredentials,
): Promise<McpAuthorization> {
  return machineAuthorization(options, clientCredentialsGrant(options.issuer, await machineClient(options)))
}

/** Authorizes somebody whom an enterprise's identity provider vouches for, without asking them (ID-JAG). */
export async function enterpriseAuthorization(
  options: MachineAuthorizationOptions &
    ClientCredentials & {
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

/** Authorizes a workload by the token of the platform that it runs on. A rejection is final: nothing else is tried. */
export function workloadAuthorization(
  options: MachineAuthorizationOptions & {
    readonly token: WorkloadToken
    /** Only where the authorization server wants to know the client too. */
    readonly clientId?: string
  },
): McpAuthorization {
  return machineAuthorization(options, workloadGrant(options.issuer, options.token, options.clientId))
}

function machineAuthorization(options: MachineAuthorizationOptions, grant: Grant): McpAuthorization {
  const {
    store = memoryAuthStore(),
    scope,
    dpop = 'offered',
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
