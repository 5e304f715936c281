import { type AgentTool, mcpContentToResult } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

/**
 * The bridge's tools, as they are at this moment, for any agent loop that takes the plain shape. A failure that a tool
 * reports is a text that says so; `execute` rejects as `Bridge.call` does.
 */
export function agentTools(bridge: Bridge, options: ModelToolsOptions = {}): readonly AgentTool[] {
  const surface = modelSurface(bridge, 'generic', options)
  return surface.tools.map((tool) => agentTool(surface, tool))
}

function agentTool(
  surface: ModelSurface,
  { name, description, parameters, definition }: SurfaceTool,
): AgentTool {
  return {
    name,
    description,
    parameters,
    definition: definition ?? { name, description, inputSchema: parameters },
    execute: async (args = {}, { signal, onProgress } = {}) =>
      mcpContentToResult(await surface.call(name, args, { signal, onProgress })),
  }
}
