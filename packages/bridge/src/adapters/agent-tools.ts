import type { AgentTool } from '@toolbridge/client'
import { agentResultBy } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

export { type ModelSurface, modelSurface, type RunOptions, type SurfaceTool } from './model-surface.ts'

/**
 * Returns the current tools of the bridge as plain objects for any agent loop. Results are shown by the result policy of
 * their server. A failure reported by a tool is returned as text; `execute` rejects like `Bridge.call`.
 *
 * @example
 * ```ts
 * import { agentTools } from '@toolbridge/bridge/agent-tool'
 *
 * const [hello] = agentTools(bridge)
 * console.log(hello?.name, await hello?.execute({ name: 'Ada' })) // hello__hello Hello, Ada!
 * ```
 */
export function agentTools(bridge: Bridge, options: ModelToolsOptions = {}): readonly AgentTool[] {
  const surface = modelSurface(bridge, 'generic', options)
  return surface.tools.map((tool) => agentTool(bridge, surface, tool))
}

function agentTool(
  bridge: Bridge,
  surface: ModelSurface,
  { name, description, parameters, definition }: SurfaceTool,
): AgentTool {
  return {
    name,
    description,
    parameters,
    definition: definition ?? { name, description, inputSchema: parameters },
    execute: async (args = {}, context = {}) => {
      const result = await surface.call(name, args, context)
      return agentResultBy(bridge.results.policyOf(result), result)
    },
  }
}
