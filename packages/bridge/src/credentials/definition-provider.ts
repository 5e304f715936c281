import {
  type ClientInformation,
  type KnownServer,
  type McpAuthProvider,
  type PendingFlow,
  createAuthProvider,
} from '@toolbridge/client/auth'
import type { AuthSpec } from '../config/spec/server-spec.ts'

/** What passes through a provider and tells how an account is doing. */
export interface AccountEvents {
  /** Somebody is sent to sign in. */
  readonly onFlow: (flow: PendingFlow) => void
  /** An account was found in the store. */
  readonly onFound: () => void
  /** An account was connected, or with undefined disconnected. */
  readonly onConnected: (known: KnownServer | undefined) => void
}

/** The provider of a host as one definition uses it: with the definition's own client, if it names one. */
export function definitionProvider(
  provider: McpAuthProvider,
  auth: AuthSpec,
  { onFlow, onFound, onConnected }: AccountEvents,
): McpAuthProvider {
  const { clientMetadata, clientMetadataUrl, redirectUrl, replayAllowed } = provider
  const own = createAuthProvider(provider, {
    clientMetadata,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(replayAllowed === undefined ? {} : { replayAllowed }),
    redirectToAuthorization: (url, options) => provider.redirectToAuthorization(url, options),
  })
  return {
    ...own,
    clientInformation: async (issuer) => clientAt(issuer, auth) ?? own.clientInformation(issuer),
    async saveFlow(flow) {
      await own.saveFlow(flow)
      onFlow(flow)
    },
    async knownServer(serverUrl, principal) {
      const known = await own.knownServer(serverUrl, principal)
      if (known !== undefined) onFound()
      return known
    },
    async saveKnownServer(serverUrl, principal, known) {
      await own.saveKnownServer(serverUrl, principal, known)
      onConnected(known)
    },
  }
}

/** The client that a definition names. Where it says whose that is, no other authorization server hears of it. */
function clientAt(
  issuer: string,
  { clientId, clientSecret, metadataUrl }: AuthSpec,
): ClientInformation | undefined {
  const isMeant = metadataUrl === undefined || issuerOf(metadataUrl) === withoutSlash(issuer)
  if (clientId === undefined || !isMeant) return undefined
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
}

/** The well-known part stands before the path of an issuer (RFC 8414 section 3.1), or behind it (OpenID Connect). */
function issuerOf(metadataUrl: string): string {
  return withoutSlash(
    metadataUrl.replace(/\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/, ''),
  )
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
