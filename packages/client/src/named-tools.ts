import type { Tool } from './model/tool.ts'
import { isVisibleToModel } from './create-agent-tool.ts'
import { agentToolNaming } from './naming/naming-policy.ts'
import { nameTools } from './naming/unique-names.ts'

/** The tools that a model may see by unique names of limited length. Of tools with the same raw name, the first. */
export function namedTools(namespace: string, listed: readonly Tool[]): ReadonlyMap<string, Tool> {
  const tools = firstOfEachName(listed.filter(isVisibleToModel))
  const pairs = tools.map(({ name }) => ({ server: namespace, tool: name }))
  const names = nameTools(pairs, agentToolNaming)
  return new Map(tools.map((tool, index) => [names[index]?.name ?? tool.name, tool]))
}

function firstOfEachName(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>()
  return tools.filter(({ name }) => seen.size < seen.add(name).size)
}
