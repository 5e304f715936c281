import { McpClient, type McpClientOptions } from './client.ts'
import type { Implementation } from './model/capability.ts'
import type { Tool } from './model/tool.ts'
import type { McpTransport } from './transport.ts'
import { HttpTransport, type HttpTransportConfig } from './transports/http.ts'
import type { StdioTransportConfig } from './transports/stdio.ts'

/** A server that is reached by URL. */
export type McpHttpConfig = HttpTransportConfig

/** A server that is started as a child process. */
export type McpStdioConfig = StdioTransportConfig

export interface ConnectMcpOptions extends McpClientOptions {
  /** Gives up connecting; has no effect on the connection once it is open. */
  readonly signal?: AbortSignal
}

/** An open connection and the tools its server offers. */
export interface McpConnection {
  readonly serverInfo: Implementation
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
  const client = new McpClient(await createTransport(config), options)
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  try {
    const { serverInfo } = await client.connect(signal)
    const tools = [...(await client.listTools(signal))]
    return connection(client, serverInfo, tools)
  } catch (error) {
    await client.close()
    throw error
  }
}

async function createTransport(config: McpHttpConfig | McpStdioConfig): Promise<McpTransport> {
  if ('url' in config) return new HttpTransport(config)
  // Loaded when needed, so that a page that only speaks HTTP does not carry it.
  const { StdioTransport } = await import('./stdio.ts')
  return new StdioTransport(config)
}

function connection(client: McpClient, serverInfo: Implementation, tools: Tool[]): McpConnection {
  return {
    serverInfo,
    tools,
    client,
    async listTools() {
      tools.splice(0, tools.length, ...(await client.listTools()))
      return tools
    },
    close: () => client.close(),
  }
}
