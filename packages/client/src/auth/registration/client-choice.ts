import { parsedUrl } from '../../text/parsed-url.ts'
import { redactedUrl } from '../messages/endpoint-url.ts'
import type { AuthorizationServerMetadata, ClientInformation } from '../messages/oauth-documents.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** The clients that could be used at an authorization server. */
export interface ClientSources {
  readonly server: AuthorizationServerMetadata
  /** Configured by hand for this issuer. */
  readonly configured?: ClientInformation | undefined
  /** Stored from an earlier registration with this issuer. */
  readonly registered?: ClientInformation | undefined
  /** The URL of our metadata document. */
  readonly clientMetadataUrl?: string | undefined
  /** The redirect URI of the sign-in; missing for machines. */
  readonly redirectUri?: string | undefined
  readonly nowMs: number
}

/** The client to use, or the endpoint to register at. */
export type ClientChoice =
  | { readonly kind: 'configured' | 'metadata_document' | 'registered'; readonly client: ClientInformation }
  | { readonly kind: 'register'; readonly registrationEndpoint: string }

/**
 * The client to use: the configured one, else our metadata document if the server supports it, else a stored
 * registration that is still valid, else a new registration. Throws `client_expired`, `client_metadata_url_invalid` or
 * `client_unknown`.
 */
export function chooseClient(sources: ClientSources): ClientChoice {
  const { server, configured, registered, clientMetadataUrl } = sources
  if (configured !== undefined) return { kind: 'configured', client: unexpired(configured, sources) }
  if (clientMetadataUrl !== undefined && server.client_id_metadata_document_supported === true) {
    return { kind: 'metadata_document', client: metadataDocumentClient(clientMetadataUrl) }
  }
  if (registered !== undefined && stillFits(registered, sources))
    return { kind: 'registered', client: registered }
  if (server.registration_endpoint === undefined) throw unknownClient(sources)
  return { kind: 'register', registrationEndpoint: server.registration_endpoint }
}

/** Throws `client_metadata_url_invalid` unless the URL can be a client id: https, with a path, without user or fragment. */
export function checkClientMetadataUrl(address: string): void {
  const url = parsedUrl(address)
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === ''
  const hasDots = /\/\.{1,2}(?:\/|$)/.test(address.split(/[?#]/, 1)[0] ?? '')
  if (isPlain && url.protocol === 'https:' && url.pathname !== '/' && !hasDots) return
  throw new McpAuthError('the URL of the client metadata document cannot be a client id', {
    code: 'client_metadata_url_invalid',
    stage: 'registration',
    fix: 'host the document at an https URL with a path and without user, fragment or dot segments',
  })
}

function metadataDocumentClient(address: string): ClientInformation {
  checkClientMetadataUrl(address)
  return { client_id: address, token_endpoint_auth_method: 'none' }
}

function unexpired(client: ClientInformation, sources: ClientSources): ClientInformation {
  if (!hasExpired(client, sources.nowMs)) return client
  throw new McpAuthError(`the secret of the client at ${redactedUrl(sources.server.issuer)} has expired`, {
    code: 'client_expired',
    stage: 'registration',
    fix: 'get a new secret there and configure it',
  })
}

/** A server accepts only registered redirect URIs, so another one needs another registration. */
function stillFits(client: ClientInformation, { redirectUri, nowMs }: ClientSources): boolean {
  if (hasExpired(client, nowMs)) return false
  return redirectUri === undefined || client.redirect_uris?.includes(redirectUri) !== false
}

function hasExpired({ client_secret, client_secret_expires_at }: ClientInformation, nowMs: number): boolean {
  if (client_secret === undefined || client_secret_expires_at === undefined) return false
  return client_secret_expires_at !== 0 && client_secret_expires_at * 1000 <= nowMs
}

function unknownClient({ server, clientMetadataUrl }: ClientSources): McpAuthError {
  const document = clientMetadataUrl === undefined ? '' : ', supports no client metadata document'
  return new McpAuthError(
    `the authorization server ${redactedUrl(server.issuer)} has no client configured for us${document} and supports no registration`,
    {
      code: 'client_unknown',
      stage: 'registration',
      fix: 'register a client there by hand and configure its client id for this issuer',
    },
  )
}
