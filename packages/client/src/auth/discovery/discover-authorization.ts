import { createAuthSend } from '../http/create-auth-send.ts'
import type { AuthSendOptions } from '../http/send-options.ts'
import { readChallenge } from './challenge.ts'
import { discover } from './discovery.ts'

/** Options of {@link discoverAuthorization}. */
export interface DiscoverAuthorizationOptions {
  /** The URL of the MCP server. */
  readonly serverUrl: string
  /** The `WWW-Authenticate` header of its refusal. Default: none. */
  readonly challenge?: string | undefined
  /** How requests are sent, and which URLs are allowed. Default: public https URLs. */
  readonly security?: AuthSendOptions
  /** Aborts the requests. */
  readonly signal?: AbortSignal
}

/** Where tokens for an MCP server come from. */
export interface DiscoveredAuthorization {
  /** The resource as its metadata names it. */
  readonly resource: string
  /** The authorization server. */
  readonly issuer: string
}

/**
 * Finds where tokens for a server come from, by the metadata of the server and of its authorization server. Needs no
 * token, registers nothing and stores nothing. Rejects with an `McpAuthError`.
 */
export async function discoverAuthorization(
  options: DiscoverAuthorizationOptions,
): Promise<DiscoveredAuthorization> {
  const { serverUrl, challenge = '', security = {}, signal } = options
  const { resource, server } = await discover({
    serverUrl,
    challengedUrl: readChallenge({ 'www-authenticate': challenge })?.resourceMetadataUrl,
    needsPerson: true,
    allowsFallback: false,
    guard: security,
    send: createAuthSend(security),
    ...(signal === undefined ? {} : { signal }),
  })
  return { resource, issuer: server.issuer }
}
