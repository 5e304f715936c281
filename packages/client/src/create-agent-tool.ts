import type { AgentTool } from './agent-tool.ts'
import type { JsonSchema, Tool } from './model/tool.ts'

const ANY_ARGUMENTS: JsonSchema = { type: 'object', properties: {} }

/** Creates the agent tool for a definition. */
export function createAgentTool(name: string, tool: Tool, execute: AgentTool['execute']): AgentTool {
  return {
    name,
    description: tool.description ?? tool.title ?? tool.name,
    parameters: tool.inputSchema ?? ANY_ARGUMENTS,
    definition: tool,
    execute,
  }
}
