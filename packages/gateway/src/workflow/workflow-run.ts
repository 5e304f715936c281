import type { AgentNode, NodeResult, ToolNode, WorkflowInvokeResponse, WorkflowNode } from '@toolbridge/api'
import type { ProfileName } from '@toolbridge/bridge'
import { toolUri } from '@toolbridge/bridge/catalog'
import type { EnteredContext } from '@toolbridge/bridge/context'
import {
  type MCPNodeReport,
  type SetupMCPOptions,
  ToolManager,
  type WorkflowMCP,
} from '@toolbridge/bridge/workflow'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { mayBeNameOf } from '@toolbridge/client/internal'
import type { ToolSet } from 'ai'
import { loggedBug, problemOf } from '../errors/problems.ts'
import { NodeFailure } from './node-failure.ts'
import type { SavedToolkits } from './saved-toolkits.ts'

export interface WorkflowRunOptions {
  readonly mcp: WorkflowMCP
  /** The execution context of the invocation. */
  readonly context: EnteredContext
  readonly workflowId: string
  readonly saved: SavedToolkits
  /** Restricts the addresses of models. */
  readonly guard: UrlGuardOptions
  /** Ends the run: servers that start, calls and requests to models. */
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

/** The tools of a node, and the state of its toolkits. */
interface NodeTools {
  readonly tools: ToolSet
  readonly report: MCPNodeReport
}

/** One invocation of a workflow. */
export class WorkflowRun {
  readonly #options: WorkflowRunOptions
  readonly #unusable = new Map<string, string>()

  constructor(options: WorkflowRunOptions) {
    this.#options = options
  }

  /** Runs the nodes in order. Stops at the first one that fails, because later ones may depend on it. */
  async run(nodes: readonly WorkflowNode[]): Promise<WorkflowInvokeResponse> {
    const results: NodeResult[] = []
    for (const node of nodes) {
      const hasFailed = results.some(({ status }) => status === 'failed')
      results.push(hasFailed ? notRun(node) : await this.#runNode(node))
    }
    const failedToolkits = [...this.#unusable].map(([name, error]) => ({ name, error }))
    return { workflowId: this.#options.workflowId, nodes: results, failedToolkits }
  }

  async #runNode(node: WorkflowNode): Promise<NodeResult> {
    const { id } = node
    try {
      const result: unknown = await (node.kind === 'tool' ? this.#callTool(node) : this.#runAgent(node))
      return { id, status: 'ok', result }
    } catch (error) {
      this.#options.signal.throwIfAborted()
      return { id, status: 'failed', ...this.#failureOf(error) }
    }
  }

  #failureOf(error: unknown): { readonly code: string; readonly message: string } {
    if (error instanceof NodeFailure) return { code: error.code, message: error.message }
    const { code, detail, title } = problemOf(error) ?? loggedBug(error, this.#options.log)
    return { code, message: detail ?? title }
  }

  async #callTool({ id, tool, arguments: args = {} }: ToolNode): Promise<unknown> {
    const { saved, signal } = this.#options
    const names = [...Object.keys(saved.usable), ...saved.refused.keys()].filter((name) =>
      mayHave(name, tool),
    )
    const { tools } = await this.#setUp(names, { only: [tool] })
    const [found] = Object.values(tools)
    if (found?.execute === undefined) throw await this.#missingTool(tool, names)
    return found.execute(args, { toolCallId: id, messages: [], abortSignal: signal })
  }

  async #runAgent(node: AgentNode): Promise<unknown> {
    const { context, guard, signal } = this.#options
    const { runAgentNode } = await import('./agent-node.ts')
    const toolsFor = async (profile: ProfileName): Promise<ToolSet> =>
      (await this.#setUp(node.toolkits ?? [], { profile })).tools
    return runAgentNode(node, { guard, signal, toolsFor, apiKeys: context.apiKeys ?? {} })
  }

  async #setUp(
    names: readonly string[],
    selection: Pick<SetupMCPOptions, 'profile' | 'only'> = {},
  ): Promise<NodeTools> {
    const { mcp, context, workflowId, saved, signal } = this.#options
    const manager = new ToolManager({ mcp, workflowVersionId: workflowId, mcpToolNames: names })
    const transportProvider = (name: string): undefined => {
      const refusal = saved.refused.get(name)
      if (refusal !== undefined) throw new NodeFailure('toolkit_failed', refusal)
    }
    const tools = await manager.getAllTools(undefined, {
      ...selection,
      context,
      signal,
      transportProvider,
    })
    const report = mcp.reportOf(tools) ?? { toolkits: [], failedTools: [], missing: [], refused: [] }
    for (const { name, error } of report.failedTools) this.#unusable.set(name, error)
    for (const name of report.missing) this.#unusable.set(name, 'no server of this name is saved and enabled')
    for (const name of report.refused) this.#unusable.set(name, 'the invocation uses too many servers')
    return { tools, report }
  }

  async #missingTool(tool: string, names: readonly string[]): Promise<NodeFailure> {
    const [failed] = names.filter((name) => this.#unusable.has(name))
    if (failed !== undefined)
      return new NodeFailure('toolkit_failed', `server "${failed}": ${this.#unusable.get(failed)}`)
    const available =
      names.length === 0
        ? `saved servers: ${listed(Object.keys(this.#options.saved.usable))}`
        : `available: ${listed(Object.keys((await this.#setUp(names)).tools))}`
    const message = `there is no tool "${tool}"; ${available}`
    this.#options.log(`workflow "${this.#options.workflowId}": ${message}`)
    return new NodeFailure('unknown_tool', message)
  }
}

/** Whether a tool with this public name or URI may belong to a server. */
function mayHave(server: string, tool: string): boolean {
  return mayBeNameOf(server, tool) || tool.startsWith(toolUri(server, ''))
}

function listed(names: readonly string[]): string {
  return names.join(', ') || 'none'
}

function notRun({ id }: WorkflowNode): NodeResult {
  return { id, status: 'failed', code: 'not_run', message: 'an earlier node failed' }
}
