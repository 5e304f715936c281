import { isHttpConfig, type McpHttpConfig, type McpStdioConfig } from './server-config.ts'
import type { McpTransport } from '../jsonrpc/transport.ts'

/** Makes the transport to a server that does not speak Streamable HTTP; each is loaded when it is needed. */
export async function loadTransport(config: McpHttpConfig | McpStdioConfig): Promise<McpTransport> {
  if (!isHttpConfig(config)) return new (await import('../stdio.ts')).StdioTransport(config)
  if (config.transport === 'sse') return new (await import('../sse.ts')).SseTransport(config)
  return openWebSocket(config)
}

/** A WebSocket makes its own connections: the guard refuses it for its scheme, and nothing can be set about them. */
async function openWebSocket(config: McpHttpConfig): Promise<McpTransport> {
  if (config.guard !== undefined)
    (await import('../url-guard/assert-safe-url.ts')).assertSafeUrl(config.url, config.guard)
  if (config.tls !== undefined || typeof config.proxy === 'string') {
    throw new TypeError('`tls` and `proxy` are for servers over HTTP; set them where `WebSocket` is made')
  }
  return new (await import('../websocket.ts')).WsTransport(config)
}
