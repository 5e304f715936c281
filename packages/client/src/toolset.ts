import { type AgentTool, type AgentToolOptions, isVisibleToModel, mcpToolToAgentTool } from './agent-tool.ts'
import { type ConnectMcpOptions, connectMcp, type McpConnection } from './connect.ts'
import type { Tool } from './model/tool.ts'
import { defaultNaming, type NamingPolicy } from './naming/naming-policy.ts'
import { distinctNamespaces, namespaceOf } from './naming/server-namespace.ts'
import { nameTools } from './naming/unique-names.ts'
import type { McpHttpConfig, McpStdioConfig } from './transports/server-config.ts'

/** The namespace becomes an identifier; the server's own tool name stays as it is. */
const NAMING: NamingPolicy = { ...defaultNaming, sanitize: 'namespace-only' }

/** Options of `mcpToolset`. */
export interface McpToolsetOptions extends ConnectMcpOptions {
  /** Checks structured results against output schemas: `true`, or with a validator of your own. Default: false. */
  readonly validateOutput?: AgentToolOptions['validateOutput']
}

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
    for (const tool of agentTools(connections, options)) tools.push(tool)
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

/** One tool for each name that a server lists; every public name is unique and within the length limit. */
function agentTools(
  connections: readonly McpConnection[],
  { validateOutput }: McpToolsetOptions,
): readonly AgentTool[] {
  const listed = connections.flatMap(({ client, namespace, tools }) =>
    firstOfEachName(tools.filter(isVisibleToModel)).map((tool) => ({ client, namespace, tool })),
  )
  const names = nameTools(
    listed.map(({ namespace, tool }) => ({ server: namespace, tool: tool.name })),
    NAMING,
  )
  return listed.map(({ client, namespace, tool }, index) => {
    const options = validateOutput === undefined ? { namespace } : { namespace, validateOutput }
    const agentTool = mcpToolToAgentTool(client, tool, options)
    return { ...agentTool, name: names[index]?.name ?? agentTool.name }
  })
}

function firstOfEachName(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>()
  return tools.filter(({ name }) => seen.size < seen.add(name).size)
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
