import type { AgentTool, AgentToolOptions } from './agent-tool.ts'
import type { McpClient } from './client.ts'
import { createAgentTool, isVisibleToModel } from './create-agent-tool.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import type { Tool } from './model/tool.ts'
import { agentToolNaming } from './naming/naming-policy.ts'

/** The tools of one server for an agent loop: those that a model may see, each with a unique name. */
export async function connectionTools(
  client: McpClient,
  listed: readonly Tool[],
  { namespace = '', validateOutput = false }: AgentToolOptions,
): Promise<readonly AgentTool[]> {
  const tools = firstOfEachName(listed.filter(isVisibleToModel))
  const names = await namesOf(namespace, tools)
  return tools.map((tool, index) =>
    createAgentTool(names[index] ?? tool.name, tool, async (args, context) =>
      (await loadDeferred()).runTool(client, tool, validateOutput, args, context),
    ),
  )
}

/** Most names need no hash, so that the code for hashes is rarely loaded. */
async function namesOf(namespace: string, tools: readonly Tool[]): Promise<readonly (string | undefined)[]> {
  const plain = tools.map(({ name }) => `${namespace}__${name}`)
  if (plain.every((name) => /^\w[\w-]{0,63}$/.test(name))) return plain
  const pairs = tools.map(({ name }) => ({ server: namespace, tool: name }))
  return (await loadDeferred()).nameTools(pairs, agentToolNaming).map(({ name }) => name)
}

function firstOfEachName(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>()
  return tools.filter(({ name }) => seen.size < seen.add(name).size)
}
