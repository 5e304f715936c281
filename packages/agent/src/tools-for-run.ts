import type { Bridge, ProfileName } from '@toolbridge/bridge'
import { type AiSdkToolOptions, aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import type { ToolSet } from 'ai'

/** How the tools of the bridge are given to a model. */
export interface AgentToolOptions
  extends Omit<
    AiSdkToolOptions,
    'profile' | 'sdkVersion' | 'sdkApproval' | 'preliminaryResults' | 'parent' | 'signal'
  > {
  /**
   * Estimated tokens of all tool definitions above which the model finds tools by `tool_search` and calls them by
   * `call_tool`. Ignored if `search` or `code` is set. Default: 16,000.
   */
  readonly maxToolTokens?: number
}

/** A run that needs tools. */
interface ToolUse {
  /** Undefined for a run without tools of servers. */
  readonly bridge: Bridge | undefined
  /** Tools in addition to those of the bridge. */
  readonly tools: ToolSet | undefined
  readonly profile: ProfileName
  /** The id of the run in the journal. */
  readonly run: string
  readonly maxCalls: number
}

/** The current tools of one run. */
export function toolsForRun(use: ToolUse, options: AgentToolOptions): ToolSet {
  const all = { ...bridgeTools(use, options), ...use.tools }
  // Without a prototype, a call of "constructor" is one of an unknown tool.
  return Object.assign(Object.create(null) as ToolSet, withLimit(all, use.maxCalls))
}

function bridgeTools({ bridge, profile, run }: ToolUse, options: AgentToolOptions): ToolSet {
  if (bridge === undefined) return {}
  const { maxToolTokens = 16_000, ...rest } = options
  const isDeferred = rest.code === undefined && costOf(bridge, profile, rest.only) > maxToolTokens
  const search = rest.search ?? (isDeferred ? {} : undefined)
  return aiSdkTools(bridge, {
    ...rest,
    ...(search === undefined ? {} : { search }),
    profile,
    sdkVersion: 6,
    parent: run,
  })
}

function costOf(bridge: Bridge, profile: ProfileName, only: readonly string[] | undefined): number {
  const wanted = only && new Set(only.map((name) => bridge.tool(name)))
  const { tools } = bridge.toolsFor(profile)
  return tools.filter(({ tool }) => wanted?.has(tool) ?? true).reduce((sum, { tokens }) => sum + tokens, 0)
}

/** The tools, which fail after a number of calls of all of them. */
function withLimit(tools: ToolSet, maxCalls: number): ToolSet {
  let calls = 0
  const countCall = (): void => {
    calls += 1
    if (calls > maxCalls) throw new Error(`no more than ${maxCalls} tool calls are allowed; answer now`)
  }
  const boundedTool = (tool: ToolSet[string]): ToolSet[string] => {
    const { execute } = tool
    if (execute === undefined) return tool
    const bounded: typeof execute = (input, options) => {
      countCall()
      return execute(input, options)
    }
    return { ...tool, execute: bounded }
  }
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, boundedTool(tool)]))
}
