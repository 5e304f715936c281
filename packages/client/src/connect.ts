import { McpClient } from './client.ts'
import type { McpClientOptions } from './client-options.ts'
import type { McpConnectEvent } from './features/hooks.ts'
import { onDemand } from './features/load.ts'
import type { Implementation } from './model/capability.ts'
import type { Tool } from './model/tool.ts'
import { namespaceOf } from './namespace.ts'
import type { McpTransport } from './transport.ts'
import { HttpTransport, type HttpTransportConfig } from './transports/http.ts'
import type { StdioTransportConfig } from './transports/stdio.ts'
import type { WebSocketConstructor } from './transports/websocket-platform.ts'

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

export interface ConnectMcpOptions extends McpClientOptions {
  /** Gives up connecting; has no effect on the connection once it is open. */
  readonly signal?: AbortSignal
  /** Has the list of tools read anew, in place, whenever the server says that it changed. */
  readonly autoRefreshTools?: boolean
  /** Told each time the list of tools was read anew. */
  readonly onTools?: (tools: readonly Tool[]) => void
}

/** An open connection and the tools its server offers. */
export interface McpConnection {
  readonly serverInfo: Implementation
  /** What tells the tools of this server from those of others. */
  readonly namespace: string
  /** One array for the life of the connection; `listTools()` refreshes it in place. */
  readonly tools: readonly Tool[]
  readonly client: McpClient
  listTools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

/**
 * Connects to a server and lists its tools. Where both are given, `url` wins over `command`. A rejected promise leaves
 * nothing behind; a resolved one is closed by the caller.
 */
export async function connectMcp(
  config: McpHttpConfig | McpStdioConfig,
  options: ConnectMcpOptions = {},
): Promise<McpConnection> {
  const namespace = namespaceOf(config)
  const named = { server: namespace, ...options }
  try {
    const connection = await open(config, namespace, named)
    if (options.hooks !== undefined) (await onDemand()).tellConnected(named, transportOf(config), connection)
    return connection
  } catch (error) {
    if (options.hooks !== undefined) (await onDemand()).tellConnectFailed(named, error)
    throw error
  }
}

/** Whether a server is reached by URL, which works everywhere, and not started as a process. */
export function isHttpConfig(config: McpHttpConfig | McpStdioConfig): config is McpHttpConfig {
  return 'url' in config && typeof config.url === 'string'
}

async function open(
  config: McpHttpConfig | McpStdioConfig,
  namespace: string,
  options: ConnectMcpOptions,
): Promise<McpConnection> {
  const tools: Tool[] = []
  const client = new McpClient(await createTransport(config), options)
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  const listTools = async (): Promise<readonly Tool[]> => {
    replaceAll(tools, await client.listTools())
    options.onTools?.(tools)
    return tools
  }
  try {
    if (isHttpConfig(config) && config.authorization !== undefined) {
      await (await onDemand()).authorizeFirst(config, signal)
    }
    const { serverInfo } = await client.connect(signal)
    replaceAll(tools, await client.listTools(signal))
    if (options.autoRefreshTools === true) {
      await (await onDemand()).refreshToolsOnChange(client, listTools, options.onWarning)
    }
    return { serverInfo, namespace, tools, client, listTools, close: () => client.close() }
  } catch (error) {
    await client.close()
    throw error
  }
}

async function createTransport(config: McpHttpConfig | McpStdioConfig): Promise<McpTransport> {
  // Loaded when needed, so that a page that only speaks HTTP does not carry them.
  if (!isHttpConfig(config)) return new (await import('./stdio.ts')).StdioTransport(config)
  if (isWebSocketUrl(config.url)) return openWebSocket(config)
  if (config.transport === 'sse') return new (await import('./sse.ts')).SseTransport(config)
  return new HttpTransport(config)
}

/** A WebSocket makes its own connections: the guard refuses it for its scheme, and nothing can be set about them. */
async function openWebSocket(config: McpHttpConfig): Promise<McpTransport> {
  if (config.guard !== undefined) (await import('./url-guard.ts')).assertSafeUrl(config.url, config.guard)
  if (config.tls !== undefined || typeof config.proxy === 'string') {
    throw new TypeError('`tls` and `proxy` are for servers over HTTP; set them where `WebSocket` is made')
  }
  return new (await import('./websocket.ts')).WsTransport(config)
}

function transportOf(config: McpHttpConfig | McpStdioConfig): McpConnectEvent['transport'] {
  if (!isHttpConfig(config)) return 'stdio'
  return isWebSocketUrl(config.url) ? 'websocket' : 'http'
}

function isWebSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url)
}

/** In place, and one by one: a call cannot take as many arguments as a list may have entries. */
function replaceAll(tools: Tool[], fresh: readonly Tool[]): void {
  tools.length = 0
  for (const tool of fresh) tools.push(tool)
}
