import {
  type ClientInformation,
  type KnownServer,
  type McpAuthProvider,
  type PendingFlow,
  createAuthProvider,
} from '@toolbridge/client/auth'
import type { AuthSpec } from '../config/spec/server-spec.ts'

/** Events of an account, observed in its provider. */
export interface AccountEvents {
  /** A sign-in has started. */
  readonly onFlow: (flow: PendingFlow) => void
  /** An account was found in the store. */
  readonly onFound: () => void
  /** The account was connected, or disconnected (undefined). */
  readonly onConnected: (known: KnownServer | undefined) => void
}

/** Wraps the provider of a host for one definition, with the OAuth client of the definition, if it has one. */
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

/** The OAuth client of a definition. If the definition names an issuer, no other authorization server gets it. */
function clientAt(
  issuer: string,
  { clientId, clientSecret, metadataUrl }: AuthSpec,
): ClientInformation | undefined {
  const isMeant = metadataUrl === undefined || issuerOf(metadataUrl) === withoutSlash(issuer)
  if (clientId === undefined || !isMeant) return undefined
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
}

/** The well-known part precedes the path of an issuer (RFC 8414 section 3.1) or follows it (OpenID Connect). */
function issuerOf(metadataUrl: string): string {
  return withoutSlash(
    metadataUrl.replace(/\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/, ''),
  )
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
