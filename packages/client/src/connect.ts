import { McpClient } from './client.ts'
import type { McpClientOptions } from './client-options.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import type { Implementation } from './model/capability.ts'
import type { Tool } from './model/tool.ts'
import { namespaceOf } from './naming/server-namespace.ts'
import { isHttpConfig, type McpHttpConfig, type McpStdioConfig } from './transports/server-config.ts'
import type { McpTransport } from './jsonrpc/transport.ts'
import { HttpTransport } from './transports/http/http-transport.ts'

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
  if (options.hooks === undefined) return open(config, namespace, named)
  return (await loadDeferred()).reportConnect(config, named, () => open(config, namespace, named))
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
      await (await loadDeferred()).authorizeFirst(config, signal)
    }
    const { serverInfo } = await client.connect(signal)
    replaceAll(tools, await client.listTools(signal))
    if (options.autoRefreshTools === true) {
      await (await loadDeferred()).refreshToolsOnChange(client, listTools, options.onWarning)
    }
    return { serverInfo, namespace, tools, client, listTools, close: () => client.close() }
  } catch (error) {
    await client.close()
    throw error
  }
}

async function createTransport(config: McpHttpConfig | McpStdioConfig): Promise<McpTransport> {
  const isPlainHttp = isHttpConfig(config) && !isWebSocketUrl(config.url) && config.transport !== 'sse'
  // Loaded when needed, so that a page that only speaks HTTP does not carry the others.
  return isPlainHttp
    ? new HttpTransport(config)
    : (await import('./transports/load-transport.ts')).loadTransport(config)
}

function isWebSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url)
}

/** In place, and one by one: a call cannot take as many arguments as a list may have entries. */
function replaceAll(tools: Tool[], fresh: readonly Tool[]): void {
  tools.length = 0
  for (const tool of fresh) tools.push(tool)
}
