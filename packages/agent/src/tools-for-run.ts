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
  const countCall = callCounter(use.maxCalls)
  const all = { ...bridgeTools(use, options, countCall), ...use.tools }
  // Without a prototype, a call of "constructor" is one of an unknown tool.
  return Object.assign(Object.create(null) as ToolSet, countingTools(all, countCall))
}

function bridgeTools(
  { bridge, profile, run }: ToolUse,
  options: AgentToolOptions,
  countCall: () => void,
): ToolSet {
  if (bridge === undefined) return {}
  const { maxToolTokens = 16_000, code, ...rest } = options
  const isDeferred = code === undefined && costOf(bridge, profile, rest.only) > maxToolTokens
  const search = rest.search ?? (isDeferred ? {} : undefined)
  return aiSdkTools(bridge, {
    ...rest,
    ...(search === undefined ? {} : { search }),
    ...(code === undefined ? {} : { code: countingCode(code, countCall) }),
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

/** Returns what throws after a number of calls. */
function callCounter(maxCalls: number): () => void {
  let calls = 0
  return () => {
    calls += 1
    if (calls > maxCalls) throw new Error(`no more than ${maxCalls} tool calls are allowed; answer now`)
  }
}

/** The tools, each call of which is counted. */
function countingTools(tools: ToolSet, countCall: () => void): ToolSet {
  const counting = (tool: ToolSet[string]): ToolSet[string] => {
    const { execute } = tool
    if (execute === undefined) return tool
    const counted: typeof execute = (input, options) => {
      countCall()
      return execute(input, options)
    }
    return { ...tool, execute: counted }
  }
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, counting(tool)]))
}

type CodeMode = NonNullable<AiSdkToolOptions['code']>

/** Code mode in which each call of the code is counted. */
function countingCode({ runner, ...code }: CodeMode, countCall: () => void): CodeMode {
  const run: CodeMode['runner']['run'] = (request) =>
    runner.run({
      ...request,
      call: async (...call) => {
        countCall()
        return request.call(...call)
      },
    })
  return { ...code, runner: { run } }
}
