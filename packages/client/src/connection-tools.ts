import type { AgentTool, AgentToolOptions } from './agent-tool.ts'
import type { McpClient } from './client.ts'
import { createAgentTool } from './create-agent-tool.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import type { Tool } from './model/tool.ts'

/** The tools of one server for an agent loop: those that a model may see, each with a unique name. */
export async function connectionTools(
  client: McpClient,
  listed: readonly Tool[],
  namespace: string,
  validateOutput: AgentToolOptions['validateOutput'],
): Promise<readonly AgentTool[]> {
  const named = new Map(listed.map((tool) => [`${namespace}__${tool.name}`, tool]))
  // Most lists need neither hashes nor filtering: the code for that is rarely loaded.
  const isPlain = [...named].every(([name, { _meta }]) => /^[\w-]{1,64}$/.test(name) && _meta === undefined)
  const tools = isPlain ? named : (await loadDeferred()).namedTools(namespace, listed)
  return Array.from(tools, ([name, tool]) =>
    createAgentTool(name, tool, async (args, context) =>
      (await loadDeferred()).runTool(client, tool, validateOutput, args, context),
    ),
  )
}
