import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { malformedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import { headerPlan, type MirroredArgument, mirroredHeaders } from './tool-headers.ts'

/** The arguments of each tool that are repeated in headers. */
export class ToolHeaderPlans {
  readonly #plans = new Map<string, readonly MirroredArgument[]>()
  readonly #warn: (warning: McpError) => void

  constructor(warn: (warning: McpError) => void) {
    this.#warn = warn
  }

  /** Reads a page of `tools/list` and returns it without the tools that cannot be called. */
  readToolPage(page: JsonObject): JsonObject {
    const { tools } = page
    if (!Array.isArray(tools)) return page
    const usable = tools.filter((tool) => this.#take(tool))
    return usable.length === tools.length ? page : { ...page, tools: usable }
  }

  /** The headers for a tool call. Undefined for a tool that was not listed. */
  headersOf(name: unknown, given: unknown): Readonly<Record<string, string>> | undefined {
    const plan = typeof name === 'string' ? this.#plans.get(name) : undefined
    return plan === undefined ? undefined : mirroredHeaders(plan, given)
  }

  #take(tool: unknown): boolean {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string' || !isJsonObject(tool['inputSchema']))
      return true
    const plan = headerPlan(tool['inputSchema'])
    if (plan.arguments === undefined) {
      this.#warn(malformedError(`the tool ${JSON.stringify(tool['name'])} was left out: ${plan.problem}`))
      return false
    }
    if (plan.arguments.length > 0) this.#plans.set(tool['name'], plan.arguments)
    else this.#plans.delete(tool['name'])
    return true
  }
}
