import type { McpClient } from './client.ts'
import { isJsonObject } from './jsonrpc/json.ts'
import type { CallToolResult, JsonSchema, Tool } from './model/tool.ts'
import { type AgentToolResult, mcpContentToResult } from './agent-content.ts'
import type { Progress, RequestOptions, TraceContext } from './jsonrpc/transport.ts'

/** What an agent loop says about the call it makes. */
export interface AgentToolContext {
  readonly signal?: AbortSignal
  readonly trace?: TraceContext
  readonly onProgress?: (progress: Progress) => void
}

/** A tool as agent loops take it. */
export interface AgentTool {
  /** `<namespace>__<tool>`, or the server's own name without a namespace. */
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** What the server said of the tool. */
  readonly definition: Tool
  execute(args?: Readonly<Record<string, unknown>>, context?: AgentToolContext): Promise<AgentToolResult>
}

/** Says what is wrong with a value by a schema; an empty list means nothing. */
export type OutputValidator = (schema: JsonSchema, value: unknown) => readonly string[]

export interface AgentToolOptions {
  readonly namespace?: string
  /**
   * Checks structured results against the tool's output schema, at the call and not before. A mismatch becomes an error
   * that the model reads.
   */
  readonly validateOutput?: OutputValidator
}

const ANY_ARGUMENTS: JsonSchema = { type: 'object', properties: {} }

/** Makes a tool for an agent loop of a server's tool; it calls through the client, which stays its owner's to close. */
export function mcpToolToAgentTool(
  client: McpClient,
  tool: Tool,
  { namespace, validateOutput }: AgentToolOptions = {},
): AgentTool {
  return {
    name: namespace === undefined ? tool.name : `${namespace}__${tool.name}`,
    description: tool.description ?? tool.title ?? tool.name,
    parameters: tool.inputSchema ?? ANY_ARGUMENTS,
    definition: tool,
    async execute(args = {}, context = {}) {
      const result = await callAsDeclared(client, tool, args, context)
      const problem = validateOutput === undefined ? undefined : problemWith(result, tool, validateOutput)
      return problem === undefined ? mcpContentToResult(result) : `Tool error: ${problem}`
    },
  }
}

/** Whether the model may see a tool: servers of MCP Apps have tools that only their own pages call. */
export function isVisibleToModel({ _meta }: Tool): boolean {
  const visibility = isJsonObject(_meta?.['ui']) ? _meta['ui']['visibility'] : undefined
  return !Array.isArray(visibility) || visibility.includes('model')
}

/** Some tools can only be called as a task. */
async function callAsDeclared(
  client: McpClient,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { signal, trace, onProgress }: AgentToolContext,
): Promise<CallToolResult> {
  const options: RequestOptions = {
    ...(signal === undefined ? {} : { signal }),
    ...(trace === undefined ? {} : { trace }),
    ...(onProgress === undefined ? {} : { onProgress }),
  }
  if (tool.execution?.taskSupport !== 'required') return client.callTool(tool.name, args, options)
  const started = await client.callToolTask(tool.name, args, options)
  return started.kind === 'result' ? started.result : client.awaitTask(started.task.taskId, options)
}

function problemWith(
  { isError, structuredContent }: CallToolResult,
  { name, outputSchema }: Tool,
  validate: OutputValidator,
): string | undefined {
  if (outputSchema === undefined || isError === true) return undefined
  if (structuredContent === undefined) return `${name} promised structured content and returned none`
  try {
    const issues = validate(outputSchema, structuredContent)
    return issues.length === 0
      ? undefined
      : `the result of ${name} is not what it promised: ${issues.join('; ')}`
  } catch {
    return `the result of ${name} cannot be checked, because its output schema cannot be used`
  }
}
