import { type AgentToolResult, mcpContentToResult } from './agent-content.ts'
import type { McpClient } from './client.ts'
import { createAgentTool } from './create-agent-tool.ts'
import { agentToolNaming } from './naming/naming-policy.ts'
import { firstName } from './naming/tool-names.ts'
import type { Progress, RequestOptions, TraceContext } from './jsonrpc/transport.ts'
import { loadDeferred } from './loading/load-deferred.ts'
import type { CallToolResult, JsonSchema, Tool } from './model/tool.ts'
import { failureText } from './result-text.ts'

/** Context of one call by an agent loop. */
export interface AgentToolContext {
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Trace context sent to the server. */
  readonly trace?: TraceContext
  /** Called with each progress notification. */
  readonly onProgress?: (progress: Progress) => void
}

/** A tool for an agent loop. */
export interface AgentTool {
  /**
   * `<namespace>__<tool>`, at most 64 characters: a longer name is cut and ends in a hash. The raw name if there is no
   * namespace.
   */
  readonly name: string
  /** The tool's description, else its title, else its name. */
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonSchema
  /** The tool as the server lists it. */
  readonly definition: Tool
  /** Calls the tool. A failure of the tool is a result, not a rejection. */
  execute(args?: Readonly<Record<string, unknown>>, context?: AgentToolContext): Promise<AgentToolResult>
}

/** Returns what is wrong with a value according to a schema; an empty list if it is valid. */
export type OutputValidator = (schema: JsonSchema, value: unknown) => readonly string[]

/** Options of `mcpToolToAgentTool`. */
export interface AgentToolOptions {
  /** Prefix of the name. Default: none. */
  readonly namespace?: string
  /**
   * Checks structured results against the tool's output schema: `true`, or with a validator of your own. A mismatch becomes
   * an error result. Default: false.
   */
  readonly validateOutput?: boolean | OutputValidator
}

/** Wraps a server's tool for an agent loop. The caller still closes the client. */
export function mcpToolToAgentTool(
  client: McpClient,
  tool: Tool,
  { namespace, validateOutput }: AgentToolOptions = {},
): AgentTool {
  const name =
    namespace === undefined ? tool.name : firstName({ server: namespace, tool: tool.name }, agentToolNaming)
  return createAgentTool(name, tool, (args, context) => runTool(client, tool, validateOutput, args, context))
}

/** Calls a tool, checks its result if wanted, and converts it for a model. */
export async function runTool(
  client: McpClient,
  tool: Tool,
  validateOutput: boolean | OutputValidator = false,
  args: Readonly<Record<string, unknown>> = {},
  context: AgentToolContext = {},
): Promise<AgentToolResult> {
  const result = await callAsDeclared(client, tool, args, context)
  const problem = validateOutput === false ? undefined : await problemWith(result, tool, validateOutput)
  return problem === undefined ? mcpContentToResult(result) : failureText(problem)
}

/** Calls as a task if the tool requires it. */
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

async function problemWith(
  { isError, structuredContent }: CallToolResult,
  { name, outputSchema }: Tool,
  validator: true | OutputValidator,
): Promise<string | undefined> {
  if (outputSchema === undefined || isError === true) return undefined
  if (structuredContent === undefined) return `${name} promised structured content and returned none`
  const validate = validator === true ? (await loadDeferred()).schemaProblems : validator
  try {
    const issues = validate(outputSchema, structuredContent)
    return issues.length === 0
      ? undefined
      : `the result of ${name} is not what it promised: ${issues.join('; ')}`
  } catch {
    return `the result of ${name} cannot be checked, because its output schema cannot be used`
  }
}
