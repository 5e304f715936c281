import { McpUnauthorizedError } from './http/mcp-authorization.ts'
import type { McpHttpConfig } from './transports/server-config.ts'

/** Before anything is said to a server; rejects with an `McpUnauthorizedError` if a person has to sign in first. */
export async function authorizeFirst(
  { url, authorization }: McpHttpConfig,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  if (/^wss?:/i.test(url)) {
    throw new TypeError('authorization works over HTTP; over a WebSocket, send credentials in headers')
  }
  if ((await authorization?.authorize(options)) === 'redirect') {
    throw McpUnauthorizedError.signInNeeded(authorization?.authorizationUrl)
  }
}
