import type { Tool } from './model/tool.ts'
import { isVisibleToModel } from './is-visible-to-model.ts'
import { agentToolNaming } from './naming/naming-policy.ts'
import { nameTools } from './naming/unique-names.ts'

/** The tools that a model may see by unique names of limited length. Of tools with the same raw name, the last. */
export function namedTools(namespace: string, listed: readonly Tool[]): ReadonlyMap<string, Tool> {
  const tools = [...new Map(listed.filter(isVisibleToModel).map((tool) => [tool.name, tool])).values()]
  const pairs = tools.map(({ name }) => ({ server: namespace, tool: name }))
  const names = nameTools(pairs, agentToolNaming)
  return new Map(tools.map((tool, index) => [names[index]?.name ?? tool.name, tool]))
}
