import type { AgentTool, AgentToolResult, CallToolResult, ContentPart } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import type { ResultPart } from '@toolbridge/client/internal'
import { markedParts, markedText, placeholder } from './model-text.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

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
    execute: async (args = {}, context = {}) => agentResult(await surface.call(name, args, context), bridge),
  }
}

/** Text, or parts if the result has images or audio. */
function agentResult(result: CallToolResult, bridge: Bridge): AgentToolResult {
  const parts = markedParts(result, bridge)
  return parts.every(({ type }) => type === 'text') ? markedText(result, bridge) : parts.map(agentPart)
}

function agentPart(part: ResultPart): ContentPart {
  if (part.type === 'text') return part
  const { kind, data, mimeType: mediaType } = part
  if (kind === 'file') return { type: 'text', text: placeholder(part) }
  return { type: kind, source: { type: 'base64', mediaType, data } }
}
