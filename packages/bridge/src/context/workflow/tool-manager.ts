import type { ToolSet } from 'ai'
import { messageOf } from '../../text/message-of.ts'
import { type EnteredContext, givenOrActive } from '../execution-context.ts'
import { type SetupMCPOptions, shareReport, type WorkflowMCP } from './workflow-options.ts'

/** Options of `ToolManager`. */
export interface ToolManagerOptions<C> {
  /** The MCP functions of the workflow host. */
  readonly mcp: Pick<WorkflowMCP, 'setupMCPForNode' | 'notify'> & Partial<WorkflowMCP>
  /** Id of the workflow version. */
  readonly workflowVersionId: string
  /** Names of the toolkits of the node. */
  readonly mcpToolNames: readonly string[]
  /** The file of a local principal. Default: `MCP_SECRET_PATH`, else `mcp-secret.json`. */
  readonly mcpConfigPath?: string
  /** Other tools of the node; they win over tools of toolkits with the same name. Default: none. */
  readonly codeTools?: (context: C) => ToolSet | Promise<ToolSet>
}

/**
 * The tools of one node, set up once per invocation: by the first `getAllTools`, or earlier by `initializeTools`.
 * Invocations share nothing.
 */
export class ToolManager<C = void> {
  readonly #options: ToolManagerOptions<C>
  readonly #inContext = new WeakMap<EnteredContext, Promise<ToolSet>>()
  #outside: Promise<ToolSet> | undefined

  constructor(options: ToolManagerOptions<C>) {
    this.#options = options
  }

  /** Sets up the toolkits in advance. The options are those of the invocation. */
  async initializeTools(options?: SetupMCPOptions): Promise<void> {
    await this.#mcpTools(options)
  }

  /**
   * Resolves with the tools of the node and its toolkits. If `codeTools` fails, with those of the toolkits. The options, such
   * as the signal of the invocation, are used if the toolkits are not set up yet.
   */
  async getAllTools(toolExecutionContext: C, options?: SetupMCPOptions): Promise<ToolSet> {
    const { codeTools } = this.#options
    if (codeTools === undefined) return this.#mcpTools(options)
    const [mcp, code] = await Promise.all([this.#mcpTools(options), this.#codeTools(toolExecutionContext)])
    for (const name of Object.keys(code).filter((each) => Object.hasOwn(mcp, each)))
      this.#warn(
        'tool_name_collision',
        `the node has its own tool "${name}", which is used instead of that of a toolkit`,
      )
    const all = { ...mcp, ...code }
    this.#options.mcp[shareReport]?.(mcp, all)
    return all
  }

  #mcpTools(options: SetupMCPOptions | undefined): Promise<ToolSet> {
    const context = givenOrActive(options?.context)
    // A signal or an answerer belongs to one invocation; outside of a context nothing tells invocations apart.
    if (context === undefined && options !== undefined) return this.#setUp(options)
    const known = context === undefined ? this.#outside : this.#inContext.get(context)
    if (known !== undefined) return known
    const tools = this.#setUp(options)
    this.#keep(context, tools)
    // A failed setup is retried by the next request.
    tools.catch(() => this.#keep(context, undefined))
    return tools
  }

  #setUp(options: SetupMCPOptions | undefined): Promise<ToolSet> {
    const { mcp, mcpToolNames, workflowVersionId, mcpConfigPath } = this.#options
    return mcp.setupMCPForNode(mcpToolNames, workflowVersionId, mcpConfigPath, options)
  }

  #keep(context: EnteredContext | undefined, tools: Promise<ToolSet> | undefined): void {
    if (context === undefined) this.#outside = tools
    else if (tools === undefined) this.#inContext.delete(context)
    else this.#inContext.set(context, tools)
  }

  async #codeTools(context: C): Promise<ToolSet> {
    try {
      return (await this.#options.codeTools?.(context)) ?? {}
    } catch (error) {
      this.#warn('code_tools_failed', `the node’s own tools could not be made: ${messageOf(error)}`)
      return {}
    }
  }

  #warn(code: 'tool_name_collision' | 'code_tools_failed', message: string): void {
    const { mcp, workflowVersionId: workflowId } = this.#options
    mcp.notify({ severity: 'warning', code, message, workflowId })
  }
}
