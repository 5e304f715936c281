import type { HttpTransportConfig } from './http-transport-config.ts'
import type { StdioTransportConfig } from './stdio/stdio-transport.ts'
import type { WebSocketConstructor } from './websocket/open-websocket.ts'

/** A server that is reached by URL: over HTTP, or over a WebSocket if the scheme is `ws` or `wss`. */
export interface McpHttpConfig extends HttpTransportConfig {
  /** `sse` if the server is known to speak the HTTP of 2024-11-05, which is found out otherwise. */
  readonly transport?: 'http' | 'sse'
  /** Opens WebSockets instead of the platform's own, which Node has from version 22 on. */
  readonly WebSocket?: WebSocketConstructor
  /** The host's own name for the server, the namespace of its tools. */
  readonly name?: string
}

/** A server that is started as a child process. */
export interface McpStdioConfig extends StdioTransportConfig {
  /** The host's own name for the server, the namespace of its tools. */
  readonly name?: string
}

/** Whether a server is reached by URL, which works everywhere, and not started as a process. */
export function isHttpConfig(config: McpHttpConfig | McpStdioConfig): config is McpHttpConfig {
  return 'url' in config && typeof config.url === 'string'
}
