import { McpUnauthorizedError } from './http/mcp-authorization.ts'
import { isWebSocketUrl, type McpHttpConfig } from './transports/server-config.ts'

/** Authorizes before the first message. Rejects with an `McpUnauthorizedError` if a person must sign in first. */
export async function authorizeFirst(
  { url, authorization }: McpHttpConfig,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  if (isWebSocketUrl(url)) {
    throw new TypeError('authorization requires HTTP; over a WebSocket, send credentials in headers')
  }
  if ((await authorization?.authorize(options)) === 'redirect') {
    throw McpUnauthorizedError.signInNeeded(authorization?.authorizationUrl)
  }
}
