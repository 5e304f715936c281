import type { JsonObject } from '../../jsonrpc/json.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { checkedEndpoint, redactedUrl } from '../messages/endpoint-url.ts'
import {
  responderName,
  isHtml,
  malformedResponse,
  readJsonResponse,
  serverError,
  type JsonResponseRules,
} from '../messages/json-response.ts'
import type { AuthorizationServerMetadata } from '../messages/oauth-documents.ts'
import type { AuthRequest, AuthResponse } from '../messages/auth-request.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import {
  optionalBoolean,
  optionalString,
  optionalStrings,
  requiredString,
  type MakeError,
} from '../messages/response-members.ts'

const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

/** Requirements on the metadata. */
export interface ServerMetadataRules {
  /** The issuer whose metadata was requested, verbatim. */
  readonly issuer: string
  /** Whether people sign in there, which requires an authorization endpoint and S256. */
  readonly needsPerson: boolean
  /** Servers of 2025-03-26 need not declare PKCE. */
  readonly isLegacyFallback?: boolean
  readonly allowInsecureHttp?: boolean
}

/** Requests for the possible locations of an issuer's metadata, in the order of the MCP specification. */
export function serverMetadataRequests(issuer: string): readonly AuthRequest[] {
  const url = parsedUrl(
    checkedEndpoint('the issuer', issuer, { stage: 'server_metadata', allowInsecureHttp: true }),
  )
  if (url === undefined || url.search !== '') throw unusableIssuer(issuer)
  const base = url.pathname.replace(/\/$/, '')
  const paths = base === '' ? [OAUTH, OPENID] : [`${OAUTH}${base}`, `${OPENID}${base}`, `${base}${OPENID}`]
  return paths.map((path) => metadataRequest(`${url.origin}${path}`))
}

/** The request for the metadata of a server of 2025-03-26, which is at its root. */
export function legacyServerMetadataRequest(serverUrl: string, protocolVersion: string): AuthRequest {
  const request = metadataRequest(`${new URL(serverUrl).origin}${OAUTH}`)
  return { ...request, headers: { ...request.headers, 'mcp-protocol-version': protocolVersion } }
}

/** The default metadata of 2025-03-26 for a server that publishes none. */
export function assumedServerMetadata(serverUrl: string): AuthorizationServerMetadata {
  const { origin } = new URL(serverUrl)
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }
}

/**
 * The metadata in a response, or undefined if there is none at this URL. Throws `metadata_malformed`,
 * `issuer_mismatch`, `endpoint_unsafe`, `pkce_unsupported` or `server_error`; then no other URL may be tried.
 */
export function processServerMetadata(
  response: AuthResponse,
  { request, ...expected }: ServerMetadataRules & { readonly request: AuthRequest },
): AuthorizationServerMetadata | undefined {
  const from = responderName('the metadata of the authorization server at', request.url)
  // Proxies respond with 502 for a path that the server behind them does not know.
  if (response.status >= 500 && response.status !== 502) throw serverError(from, response, 'server_metadata')
  if (response.status !== 200 || isHtml(response)) return undefined
  const rules: JsonResponseRules = {
    code: 'metadata_malformed',
    stage: 'server_metadata',
    from,
    fix: 'ask the operator of the authorization server to follow RFC 8414 section 2',
    acceptsUntypedJson: true,
  }
  const problem: MakeError = (what) => malformedResponse(what, response, rules)
  const document = readJsonResponse(response, rules)
  checkIssuer(requiredString(document, 'issuer', problem), expected.issuer)
  const metadata = readServerMetadata(document, problem)
  checkEndpoints(metadata, expected)
  if (expected.needsPerson) checkLogin(metadata, expected, problem)
  return metadata
}

function metadataRequest(url: string): AuthRequest {
  return { method: 'GET', url, headers: { accept: 'application/json' }, stage: 'server_metadata' }
}

/** RFC 8414 section 3.3, except for the slash that many frameworks append to a URL without path. */
function checkIssuer(found: string, expected: string): void {
  if (found === expected || `${found}/` === expected) return
  throw new McpAuthError(
    `the metadata names the issuer ${redactedUrl(found)} instead of ${redactedUrl(expected)}`,
    {
      code: 'issuer_mismatch',
      stage: 'server_metadata',
      fix: 'make the MCP server name its authorization server by its exact issuer; do not sign in before that',
    },
  )
}

function readServerMetadata(document: JsonObject, problem: MakeError): AuthorizationServerMetadata {
  return {
    issuer: requiredString(document, 'issuer', problem),
    token_endpoint: requiredString(document, 'token_endpoint', problem),
    ...optionalString(document, 'authorization_endpoint', problem),
    ...optionalString(document, 'registration_endpoint', problem),
    ...optionalString(document, 'revocation_endpoint', problem),
    ...optionalStrings(document, 'scopes_supported', problem),
    ...optionalStrings(document, 'response_types_supported', problem),
    ...optionalStrings(document, 'grant_types_supported', problem),
    ...optionalStrings(document, 'token_endpoint_auth_methods_supported', problem),
    ...optionalStrings(document, 'token_endpoint_auth_signing_alg_values_supported', problem),
    ...optionalStrings(document, 'revocation_endpoint_auth_methods_supported', problem),
    ...optionalStrings(document, 'code_challenge_methods_supported', problem),
    ...optionalBoolean(document, 'client_id_metadata_document_supported', problem),
    ...optionalBoolean(document, 'authorization_response_iss_parameter_supported', problem),
    ...optionalStrings(document, 'dpop_signing_alg_values_supported', problem),
    ...optionalStrings(document, 'authorization_grant_profiles_supported', problem),
  }
}

function checkEndpoints(metadata: AuthorizationServerMetadata, expected: ServerMetadataRules): void {
  const names = [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
  ] as const
  for (const name of names) {
    const endpoint = metadata[name]
    if (endpoint === undefined) continue
    checkedEndpoint(name, endpoint, {
      stage: 'server_metadata',
      ...(expected.allowInsecureHttp === true && { allowInsecureHttp: true }),
    })
  }
}

function checkLogin(
  metadata: AuthorizationServerMetadata,
  expected: ServerMetadataRules,
  problem: MakeError,
): void {
  if (metadata.authorization_endpoint === undefined) throw problem('lacks "authorization_endpoint"')
  if (metadata.response_types_supported?.includes('code') !== true) {
    throw problem('does not list "code" in "response_types_supported"')
  }
  const methods = metadata.code_challenge_methods_supported
  if (methods?.includes('S256') === true) return
  if (methods === undefined && expected.isLegacyFallback === true) return
  throw new McpAuthError(
    `the authorization server ${redactedUrl(metadata.issuer)} does not declare support for PKCE with S256`,
    {
      code: 'pkce_unsupported',
      stage: 'server_metadata',
      fix: 'ask its operator to enable PKCE and list "S256" in code_challenge_methods_supported; without it a stolen code could be used',
    },
  )
}

function unusableIssuer(issuer: string): McpAuthError {
  return new McpAuthError(`the issuer ${redactedUrl(issuer)} has a query`, {
    code: 'metadata_malformed',
    stage: 'resource_metadata',
    fix: 'ask the operator of the MCP server to name the authorization server by its issuer, which has no query (RFC 8414 section 2)',
  })
}
