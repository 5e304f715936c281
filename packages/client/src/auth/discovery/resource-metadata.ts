import type { JsonObject } from '../../jsonrpc/json.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { redactedUrl } from '../messages/endpoint-url.ts'
import {
  responderName,
  isHtml,
  malformedResponse,
  readJsonResponse,
  serverError,
  type JsonResponseRules,
} from '../messages/json-response.ts'
import type { ProtectedResourceMetadata } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { optionalBoolean, optionalStrings, requiredString } from '../messages/response-members.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/**
 * Requests for the possible locations of a server's metadata, best first: the URL in its challenge, then the well-known
 * URL of its path, then that of its root (RFC 9728 section 3.1).
 */
export function resourceMetadataRequests(serverUrl: string, challengedUrl?: string): readonly AuthRequest[] {
  const { origin, pathname, search } = new URL(serverUrl)
  const path = pathname.replace(/\/$/, '')
  const addresses = [
    ...(challengedUrl === undefined ? [] : [challengedAddress(challengedUrl)]),
    ...(path === '' ? [] : [`${origin}${WELL_KNOWN}${path}${search}`]),
    `${origin}${WELL_KNOWN}`,
  ]
  return [...new Set(addresses)].map((url) => metadataRequest(url))
}

/**
 * The metadata in a response, or undefined if there is none at this URL. Throws `metadata_malformed`,
 * `resource_mismatch` or `server_error`.
 */
export function processResourceMetadata(
  response: AuthResponse,
  { request, serverUrl }: { readonly request: AuthRequest; readonly serverUrl: string },
): ProtectedResourceMetadata | undefined {
  const from = responderName('the metadata of the resource at', request.url)
  // Proxies respond with 502 for a path that the server behind them does not know.
  if (response.status >= 500 && response.status !== 502)
    throw serverError(from, response, 'resource_metadata')
  if (response.status !== 200 || isHtml(response)) return undefined
  const rules: JsonResponseRules = {
    code: 'metadata_malformed',
    stage: 'resource_metadata',
    from,
    fix: 'ask the operator of the MCP server to follow RFC 9728 section 2',
    acceptsUntypedJson: true,
  }
  const document = readJsonResponse(response, rules)
  const metadata = readResourceMetadata(document, (what) => malformedResponse(what, response, rules))
  checkResource(metadata.resource, serverUrl)
  return metadata
}

function challengedAddress(url: string): string {
  if (parsedUrl(url) !== undefined) return url
  throw new McpAuthError('resource_metadata of the WWW-Authenticate header is not an absolute URL', {
    code: 'challenge_malformed',
    stage: 'challenge',
    fix: 'ask the operator of the MCP server to name the complete URL of its metadata (RFC 9728 section 5.1)',
  })
}

function metadataRequest(url: string): AuthRequest {
  return { method: 'GET', url, headers: { accept: 'application/json' }, stage: 'resource_metadata' }
}

function readResourceMetadata(
  document: JsonObject,
  problem: (what: string) => McpAuthError,
): ProtectedResourceMetadata {
  return {
    resource: requiredString(document, 'resource', problem),
    authorization_servers:
      optionalStrings(document, 'authorization_servers', problem).authorization_servers ?? [],
    ...optionalStrings(document, 'scopes_supported', problem),
    ...optionalStrings(document, 'bearer_methods_supported', problem),
    ...optionalStrings(document, 'dpop_signing_alg_values_supported', problem),
    ...optionalBoolean(document, 'dpop_bound_access_tokens_required', problem),
  }
}

/**
 * RFC 9728 section 3.3 requires the exact URL; deployed servers name their root or a parent path. Tokens for those are
 * still meant for this server. With another web origin, the client would obtain tokens that another server can use.
 */
function checkResource(resource: string, serverUrl: string): void {
  const [named, server] = [parsedUrl(resource), new URL(serverUrl)]
  if (named !== undefined && named.origin === server.origin && isPathPrefix(named, server)) return
  throw new McpAuthError(
    `the metadata describes ${redactedUrl(resource)}, not the server ${redactedUrl(serverUrl)}`,
    {
      code: 'resource_mismatch',
      stage: 'resource_metadata',
      resource: redactedUrl(resource),
      fix: 'connect to the URL in the metadata, or ask the operator of the server to correct "resource"',
    },
  )
}

function isPathPrefix(named: URL, server: URL): boolean {
  if (named.search !== '' && named.search !== server.search) return false
  const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)
  return withSlash(server.pathname).startsWith(withSlash(named.pathname))
}
