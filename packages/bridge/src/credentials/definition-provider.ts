import {
  type ClientInformation,
  type KnownServer,
  type McpAuthProvider,
  type PendingFlow,
  createAuthProvider,
} from '@toolbridge/client/auth'
import { isLoopbackHostname, parsedUrl } from '@toolbridge/client/internal'
import type { AuthSpec, HttpServerSpec } from '../config/spec/server-spec.ts'

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
  { url: serverUrl, auth = {} }: Pick<HttpServerSpec, 'url' | 'auth'>,
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
    clientInformation: async (issuer) => clientAt(issuer, serverUrl, auth) ?? own.clientInformation(issuer),
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

/**
 * The OAuth client of a definition. A server names its authorization server itself, so the secret is for the issuer that the
 * definition names, else for the host of its token endpoint, else for the host of the server.
 */
function clientAt(issuer: string, serverUrl: string, auth: AuthSpec): ClientInformation | undefined {
  const { clientId, clientSecret, metadataUrl, tokenUrl = serverUrl } = auth
  if (metadataUrl !== undefined && issuerOf(metadataUrl) !== withoutSlash(issuer)) return undefined
  const isSecretMeant = metadataUrl !== undefined || isSameHost(issuer, tokenUrl)
  if (clientId === undefined || (clientSecret !== undefined && !isSecretMeant)) return undefined
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
}

/** The well-known part precedes the path of an issuer (RFC 8414 section 3.1) or follows it (OpenID Connect). */
function issuerOf(metadataUrl: string): string {
  return withoutSlash(
    metadataUrl.replace(/\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/, ''),
  )
}

/** On this machine, ports tell the parts of one system apart. */
function isSameHost(issuer: string, configured: string): boolean {
  const [one, other] = [parsedUrl(issuer), parsedUrl(configured)]
  if (one === undefined || other === undefined) return false
  return one.host === other.host || (one.hostname === other.hostname && isLoopbackHostname(one.hostname))
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}
