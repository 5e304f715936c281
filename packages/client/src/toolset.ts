import type { AgentTool } from './agent-tool.ts'
import { type ConnectMcpOptions, connectMcp, type McpConnection } from './connect.ts'
import { agentToolNaming } from './naming/naming-policy.ts'
import { distinctNamespaces, namespaceOf } from './naming/server-namespace.ts'
import { nameTools } from './naming/unique-names.ts'
import type { McpHttpConfig, McpStdioConfig } from './transports/server-config.ts'

/** Options of `mcpToolset`. */
export type McpToolsetOptions = ConnectMcpOptions

/** A server that could not be connected. */
export interface McpToolsetFailure {
  /** The prefix its tools would have had. */
  readonly namespace: string
  /** Its configuration as given. */
  readonly config: McpHttpConfig | McpStdioConfig
  /** The reason. */
  readonly error: unknown
}

/** The tools of several servers in one list. */
export interface McpToolset {
  /** The same array for the life of the set. Updated in place when a server's list is refreshed. */
  readonly tools: readonly AgentTool[]
  /** The open connections, in the order of the configurations. */
  readonly connections: readonly McpConnection[]
  /** The servers that could not be connected. */
  readonly failures: readonly McpToolsetFailure[]
  /** Closes every connection, the last one first, even if closing one of them fails. */
  close(): Promise<void>
}

/**
 * Connects to all servers in parallel. Servers that fail are reported in `failures`; the caller closes the others.
 * Rejects only when the signal aborts, after closing every connection.
 *
 * @example
 * ```ts
 * import { mcpToolset } from '@toolbridge/client'
 *
 * const server = { name: 'hello', command: 'node', args: ['server.mjs'] }
 * const toolset = await mcpToolset([server, { command: 'missing' }])
 * console.log(toolset.tools.map((tool) => tool.name)) // [ 'hello__hello', 'hello__repeat' ]
 * console.log(toolset.failures.length) // 1
 * await toolset.close()
 * ```
 */
export async function mcpToolset(
  configs: readonly (McpHttpConfig | McpStdioConfig)[],
  options: McpToolsetOptions = {},
): Promise<McpToolset> {
  const tools: AgentTool[] = []
  const connections: McpConnection[] = []
  const gather = (): void => {
    tools.length = 0
    for (const tool of renamed(connections)) tools.push(tool)
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

/** Each server gets a unique namespace: equal ones are numbered. */
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

/** All tools; every name is unique among all servers and within the length limit. */
function renamed(connections: readonly McpConnection[]): readonly AgentTool[] {
  const listed = connections.flatMap(({ namespace, tools }) => tools.map((tool) => ({ namespace, tool })))
  const pairs = listed.map(({ namespace, tool }) => ({ server: namespace, tool: tool.definition.name }))
  const names = nameTools(pairs, agentToolNaming)
  return listed.map(({ tool }, index) => ({ ...tool, name: names[index]?.name ?? tool.name }))
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
