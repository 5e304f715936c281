import { parsedUrl } from '../../text/parsed-url.ts'
import { assertSafeAuthUrl } from '../../url-guard/assert-safe-url.ts'
import { allowInsecureHttp, type UrlGuardOptions } from '../../url-guard/options.ts'
import { redactedUrl } from '../messages/endpoint-url.ts'
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../messages/oauth-documents.ts'
import type { AuthSend } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { processResourceMetadata, resourceMetadataRequests } from './resource-metadata.ts'
import {
  assumedServerMetadata,
  legacyServerMetadataRequest,
  processServerMetadata,
  serverMetadataRequests,
  type ServerMetadataRules,
} from './server-metadata.ts'

/** The resource and the authorization server that tokens for an MCP server come from. */
export interface AuthorizationTarget {
  /** The key of stored tokens: the resource as its metadata names it, or the URL of the server. */
  readonly resource: string
  /** The `resource` parameter of every request; undefined for a server of 2025-03-26. */
  readonly resourceParameter: string | undefined
  readonly resourceMetadata: ProtectedResourceMetadata | undefined
  readonly server: AuthorizationServerMetadata
}

/** Options of {@link discover}. */
export interface DiscoveryOptions {
  readonly serverUrl: string
  /** The metadata URL in the challenge of the server. */
  readonly challengedUrl?: string | undefined
  /** The authorization server used before; preferred if the server still names it. */
  readonly usedIssuer?: string | undefined
  /** Whether a person will sign in there. */
  readonly needsPerson: boolean
  /** Whether a server without metadata is treated as one of 2025-03-26, which is its own authorization server. */
  readonly allowsFallback: boolean
  /** The rules for discovered URLs. */
  readonly guard: UrlGuardOptions
  readonly send: AuthSend
  readonly signal?: AbortSignal
}

const FALLBACK_VERSION = '2025-03-26'

/** Finds the metadata of a server and of the authorization server that it names. Rejects with an `McpAuthError`. */
export async function discover(options: DiscoveryOptions): Promise<AuthorizationTarget> {
  const resourceMetadata = await findResourceMetadata(options)
  const issuer = chosenIssuer(resourceMetadata?.authorization_servers ?? [], options.usedIssuer)
  if (resourceMetadata !== undefined && issuer !== undefined) {
    const server = await findServerMetadata(issuer, options)
    const { resource } = resourceMetadata
    return { resource, resourceParameter: resource, resourceMetadata, server }
  }
  if (!options.allowsFallback) throw noMetadata(options.serverUrl)
  const server = await findOwnServerMetadata(options)
  return { resource: canonicalUrl(options.serverUrl), resourceParameter: undefined, resourceMetadata, server }
}

function chosenIssuer(named: readonly string[], used: string | undefined): string | undefined {
  return named.find((issuer) => issuer === used || issuer === `${used}/`) ?? named[0]
}

/** The metadata of an authorization server by its issuer. */
export async function findServerMetadata(
  issuer: string,
  options: Pick<DiscoveryOptions, 'needsPerson' | 'guard' | 'send' | 'signal'>,
): Promise<AuthorizationServerMetadata> {
  for (const request of serverMetadataRequests(issuer)) {
    const response = await options.send(request, signalOf(options))
    const found = processServerMetadata(response, { request, ...rulesFor(issuer, options) })
    if (found !== undefined) return guarded(found, options.guard)
  }
  throw new McpAuthError(`the authorization server ${redactedUrl(issuer)} publishes no metadata`, {
    code: 'metadata_missing',
    stage: 'server_metadata',
    fix: 'check that it is running; it has to publish metadata as defined by RFC 8414 or OpenID Connect Discovery',
  })
}

async function findResourceMetadata(
  options: DiscoveryOptions,
): Promise<ProtectedResourceMetadata | undefined> {
  const { serverUrl, challengedUrl } = options
  if (challengedUrl !== undefined && parsedUrl(challengedUrl) !== undefined) {
    assertSafeAuthUrl(challengedUrl, serverUrl, options.guard)
  }
  for (const request of resourceMetadataRequests(serverUrl, challengedUrl)) {
    const response = await options.send(request, signalOf(options))
    const found = processResourceMetadata(response, { request, serverUrl })
    if (found !== undefined) return found
  }
  return undefined
}

/** As in 2025-03-26: the web origin of the server is the authorization server, with default endpoints if it has no metadata. */
async function findOwnServerMetadata(options: DiscoveryOptions): Promise<AuthorizationServerMetadata> {
  const { serverUrl } = options
  const request = legacyServerMetadataRequest(serverUrl, FALLBACK_VERSION)
  const response = await options.send(request, signalOf(options))
  const rules = { ...rulesFor(new URL(serverUrl).origin, options), isLegacyFallback: true }
  const found = processServerMetadata(response, { request, ...rules })
  return found === undefined ? assumedServerMetadata(serverUrl) : guarded(found, options.guard)
}

function rulesFor(
  issuer: string,
  { needsPerson, guard }: Pick<DiscoveryOptions, 'needsPerson' | 'guard'>,
): ServerMetadataRules {
  return { issuer, needsPerson, allowInsecureHttp: guard[allowInsecureHttp] === true }
}

/** Codes and secrets are sent only to the host and port of the issuer and to `allowedHosts`. */
function guarded(server: AuthorizationServerMetadata, guard: UrlGuardOptions): AuthorizationServerMetadata {
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } =
    server
  for (const endpoint of [
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
  ]) {
    if (endpoint !== undefined) assertSafeAuthUrl(endpoint, issuer, guard)
  }
  return server
}

function signalOf({ signal }: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

/** The resource URL of a server without metadata (RFC 8707): no fragment, and no path that is only a slash. */
export function canonicalUrl(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.hash = ''
  return url.pathname === '/' && url.search === '' ? url.origin : url.href
}

function noMetadata(serverUrl: string): McpAuthError {
  return new McpAuthError(
    `the server ${redactedUrl(serverUrl)} requires authorization but names no authorization server`,
    {
      code: 'metadata_missing',
      stage: 'resource_metadata',
      fix: 'ask its operator to publish metadata (RFC 9728), or send a token of your own in headers',
    },
  )
}
