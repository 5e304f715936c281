import { McpClient } from './client.ts'
import type { McpClientOptions } from './client-options.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import type { Implementation } from './model/capability.ts'
import type { AgentTool, AgentToolOptions } from './agent-tool.ts'
import { connectionTools } from './connection-tools.ts'
import { urlNamespace } from './naming/url-namespace.ts'
import {
  isHttpConfig,
  isWebSocketUrl,
  type McpHttpConfig,
  type McpStdioConfig,
} from './transports/server-config.ts'
import type { McpTransport } from './jsonrpc/transport.ts'
import { HttpTransport } from './transports/http/http-transport.ts'

/** Options of `connectMcp`. */
export interface ConnectMcpOptions extends McpClientOptions {
  /** Aborts connecting. No effect once the connection is open. */
  readonly signal?: AbortSignal
  /** Refreshes the list of tools in place when the server reports a change. Default: false. */
  readonly autoRefreshTools?: boolean
  /** Called after each refresh of the list of tools. */
  readonly onTools?: (tools: readonly AgentTool[]) => void
  /** Checks structured results of `tools` against output schemas: `true`, or with a validator of your own. Default: false. */
  readonly validateOutput?: AgentToolOptions['validateOutput']
}

/** An open connection and the tools of its server. */
export interface McpConnection {
  /** The server's name and version. Untrusted text. */
  readonly serverInfo: Implementation
  /** Prefix that distinguishes the tools of this server from those of others. */
  readonly namespace: string
  /**
   * The tools that a model may see, for an agent loop. Their names start with the namespace; `definition` is the tool as the
   * server lists it. The same array for the life of the connection; `listTools()` refreshes it in place.
   */
  readonly tools: readonly AgentTool[]
  /** The client behind the connection, for all other requests. */
  readonly client: McpClient
  /** Reads the list of tools again. */
  listTools(): Promise<readonly AgentTool[]>
  /** Closes the connection. Resolves when all its resources are released. */
  close(): Promise<void>
}

/**
 * Connects to a server and lists its tools. If both are set, `url` takes precedence over `command`. When it rejects,
 * everything it opened is closed; otherwise the caller closes the connection.
 *
 * @example
 * ```ts
 * import { connectMcp } from '@toolbridge/client'
 *
 * const connection = await connectMcp({ command: 'node', args: ['server.mjs'] })
 * const [hello] = connection.tools
 * console.log(hello?.name, await hello?.execute({ name: 'Ada' })) // node__hello Hello, Ada!
 * await connection.close()
 * ```
 */
export async function connectMcp(
  config: McpHttpConfig | McpStdioConfig,
  options: ConnectMcpOptions = {},
): Promise<McpConnection> {
  const namespace = isHttpConfig(config) ? urlNamespace(config) : (await loadOthers()).namespaceOf(config)
  const named = { server: namespace, ...options }
  if (options.hooks === undefined) return open(config, namespace, named)
  return (await loadDeferred()).reportConnect(config, named, () => open(config, namespace, named))
}

async function open(
  config: McpHttpConfig | McpStdioConfig,
  namespace: string,
  options: ConnectMcpOptions,
): Promise<McpConnection> {
  const tools: AgentTool[] = []
  const client = new McpClient(await createTransport(config), options)
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  const read = async (request?: typeof signal): Promise<void> => {
    const listed = await client.listTools(request)
    replaceAll(tools, await connectionTools(client, listed, namespace, options.validateOutput))
  }
  const listTools = async (): Promise<readonly AgentTool[]> => {
    await read()
    options.onTools?.(tools)
    return tools
  }
  try {
    if (isHttpConfig(config) && config.authorization !== undefined) {
      await (await loadDeferred()).authorizeFirst(config, signal)
    }
    const { serverInfo } = await client.connect(signal)
    await read(signal)
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
  return isPlainHttp ? new HttpTransport(config) : (await loadOthers()).loadTransport(config)
}

/** Loaded on use, so that a page that only uses HTTP does not download the other transports. */
function loadOthers(): Promise<typeof import('./transports/load-transport.ts')> {
  return import('./transports/load-transport.ts')
}

/** Pushes one by one: a list can have more entries than a call can have arguments. */
function replaceAll(tools: AgentTool[], fresh: readonly AgentTool[]): void {
  tools.length = 0
  for (const tool of fresh) tools.push(tool)
}
