import type { OAuthTokens } from '../src/auth/documents.ts'
import {
  type McpAuthProvider,
  type McpOAuthOptions,
  McpOAuth,
  memoryAuthProvider,
  type ProviderOptions,
} from '../src/auth.ts'
import { connectMcp, type ConnectMcpOptions, type McpConnection } from '../src/index.ts'
import { type AuthWorld, onThisMachine } from './auth-world.ts'

/** A provider whose person agrees at once and whose host waits for them. */
export function agreeing(options: Partial<ProviderOptions> = {}): McpAuthProvider {
  return memoryAuthProvider({
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: { client_name: 'a test' },
    redirectToAuthorization: (url) => followed(url),
    ...options,
  })
}

/** A provider whose host does not wait: it only writes down where people were sent. */
export function sendingAway(
  options: Partial<ProviderOptions> = {},
): McpAuthProvider & { readonly sent: URL[] } {
  const sent: URL[] = []
  const provider = agreeing({ redirectToAuthorization: (url) => void sent.push(url), ...options })
  return Object.assign(provider, { sent })
}

/** Where a person who agrees is sent back to. */
export async function followed(url: string | URL): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

/** Authorization for the server of a world. */
export function authorizationIn(
  { serverUrl }: AuthWorld,
  provider: McpAuthProvider = agreeing(),
  options: Partial<McpOAuthOptions> = {},
): McpOAuth {
  return new McpOAuth({ serverUrl, provider, security: onThisMachine, ...options })
}

/** Connects to the server of a world with the handshake, which says least. */
export function connectIn(
  { serverUrl: url }: AuthWorld,
  authorization: McpOAuth,
  options: ConnectMcpOptions = {},
): Promise<McpConnection> {
  return connectMcp({ url, authorization }, { era: 'legacy', ...options })
}

/** What is stored under the world's own names. */
export async function storedTokens(
  { issuer, serverUrl }: AuthWorld,
  provider: McpAuthProvider,
): Promise<OAuthTokens | undefined> {
  const record = await provider.tokens({ issuer, resource: serverUrl, principal: 'default' })
  return record === undefined || record.state.kind === 'dropped' ? undefined : record.state.tokens
}
