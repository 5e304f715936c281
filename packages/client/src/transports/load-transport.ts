import { isHttpConfig, type McpHttpConfig, type McpStdioConfig } from './server-config.ts'
import type { McpTransport } from '../jsonrpc/transport.ts'

export { namespaceOf } from '../naming/server-namespace.ts'

/** Creates a transport other than Streamable HTTP. Each is loaded on first use. */
export async function loadTransport(config: McpHttpConfig | McpStdioConfig): Promise<McpTransport> {
  if (!isHttpConfig(config)) return new (await import('../stdio.ts')).StdioTransport(config)
  if (config.transport === 'sse') return new (await import('../sse.ts')).SseTransport(config)
  return openWebSocket(config)
}

/** A WebSocket makes its own connections: the guard refuses its scheme, and TLS and proxy options have no effect. */
async function openWebSocket(config: McpHttpConfig): Promise<McpTransport> {
  if (config.guard !== undefined)
    (await import('../url-guard/assert-safe-url.ts')).assertSafeUrl(config.url, config.guard)
  if (config.tls !== undefined || typeof config.proxy === 'string') {
    throw new TypeError(
      '`tls` and `proxy` have no effect on a WebSocket; configure them where `WebSocket` is created',
    )
  }
  return new (await import('../websocket.ts')).WsTransport(config)
}
