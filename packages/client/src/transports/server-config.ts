import type { HttpTransportConfig } from './http-transport-config.ts'
import type { StdioTransportConfig } from './stdio/stdio-transport.ts'
import type { WebSocketConstructor } from './websocket/open-websocket.ts'

/** A server that is reached by URL: over HTTP, or over a WebSocket if the scheme is `ws` or `wss`. */
export interface McpHttpConfig extends HttpTransportConfig {
  /** `sse` for the HTTP+SSE transport of 2024-11-05. Default: `http`, which detects such servers. */
  readonly transport?: 'http' | 'sse'
  /** Opens WebSockets. Default: the global `WebSocket`, which Node has since version 22. */
  readonly WebSocket?: WebSocketConstructor
  /** Name of the server, which is the namespace of its tools. Default: derived from the configuration. */
  readonly name?: string
}

/** A server that is started as a child process. */
export interface McpStdioConfig extends StdioTransportConfig {
  /** Name of the server, which is the namespace of its tools. Default: derived from the configuration. */
  readonly name?: string
}

/** Whether a server is reached by URL rather than started as a process. */
export function isHttpConfig(config: McpHttpConfig | McpStdioConfig): config is McpHttpConfig {
  return 'url' in config && typeof config.url === 'string'
}

/** Whether a URL is reached over a WebSocket rather than HTTP. */
export function isWebSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url)
}
