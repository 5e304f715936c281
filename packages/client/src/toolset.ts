import { type AgentTool, type AgentToolOptions, isVisibleToModel, mcpToolToAgentTool } from './agent-tool.ts'
import { type ConnectMcpOptions, connectMcp, type McpConnection } from './connect.ts'
import { distinctNamespaces, namespaceOf } from './naming/server-namespace.ts'
import type { McpHttpConfig, McpStdioConfig } from './transports/server-config.ts'

export interface McpToolsetOptions extends ConnectMcpOptions {
  readonly validateOutput?: AgentToolOptions['validateOutput']
}

/** A server that could not be connected. */
export interface McpToolsetFailure {
  readonly namespace: string
  readonly config: McpHttpConfig | McpStdioConfig
  readonly error: unknown
}

/** The tools of several servers in one list. */
export interface McpToolset {
  /** One array for the life of the set: it changes in place when a server's list is read anew. */
  readonly tools: readonly AgentTool[]
  readonly connections: readonly McpConnection[]
  readonly failures: readonly McpToolsetFailure[]
  /** Closes every connection, the last first; one that fails does not spare the others. */
  close(): Promise<void>
}

/**
 * Connects to all servers at once. Those that fail are reported in `failures` and leave nothing behind; the set of the
 * others is closed by the caller. Rejects only when the signal aborts, and has then closed them all.
 */
export async function mcpToolset(
  configs: readonly (McpHttpConfig | McpStdioConfig)[],
  options: McpToolsetOptions = {},
): Promise<McpToolset> {
  const tools: AgentTool[] = []
  const connections: McpConnection[] = []
  const gather = (): void => {
    tools.length = 0
    for (const connection of connections) for (const tool of agentTools(connection, options)) tools.push(tool)
  }
  const { opened, failures } = await connectAll(configs, {
    ...options,
    onTools(changed) {
      gather()
      options.onTools?.(changed)
    },
  })
  connections.push(...opened)
  const close = (): Promise<void> => closeAll(connections)
  if (options.signal?.aborted === true) {
    await close()
    throw options.signal.reason
  }
  gather()
  return { tools, connections, failures, close }
}

interface Attempts {
  readonly opened: readonly McpConnection[]
  readonly failures: readonly McpToolsetFailure[]
}

/** Each server gets a namespace of its own, numbered where configurations would give the same. */
async function connectAll(
  configs: readonly (McpHttpConfig | McpStdioConfig)[],
  options: ConnectMcpOptions,
): Promise<Attempts> {
  const namespaces = distinctNamespaces(configs.map(namespaceOf))
  const attempts = configs.map(async (config, index) => {
    const namespace = namespaces[index] ?? ''
    try {
      return { opened: await connectMcp({ ...config, name: namespace }, options) }
    } catch (error) {
      return { failure: { namespace, config, error } }
    }
  })
  const ends = await Promise.all(attempts)
  return {
    opened: ends.flatMap(({ opened }) => opened ?? []),
    failures: ends.flatMap(({ failure }) => failure ?? []),
  }
}

function agentTools({ client, namespace, tools }: McpConnection, options: McpToolsetOptions): AgentTool[] {
  const { validateOutput } = options
  const how = validateOutput === undefined ? { namespace } : { namespace, validateOutput }
  return tools.filter(isVisibleToModel).map((tool) => mcpToolToAgentTool(client, tool, how))
}

async function closeAll(connections: readonly McpConnection[]): Promise<void> {
  const failures: unknown[] = []
  for (const connection of connections.toReversed()) {
    try {
      await connection.close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not close every connection')
}
