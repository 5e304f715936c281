import type { Bridge, ProfileName } from '@toolbridge/bridge'
import { type AiSdkToolOptions, aiSdkTools } from '@toolbridge/bridge/ai-sdk'
import type { ToolSet } from 'ai'

/** How the tools of the bridge are given to a model. */
export interface AgentToolOptions
  extends Omit<AiSdkToolOptions, 'profile' | 'sdkVersion' | 'sdkApproval' | 'preliminaryResults' | 'parent'> {
  /**
   * Estimated tokens of all tool definitions above which the model finds tools by `tool_search` and calls them by
   * `call_tool`. Ignored if `search` or `code` is set. Default: 16,000.
   */
  readonly maxToolTokens?: number
  /** Tool calls of the run. Further calls fail, and the model is told so. Default: 128. */
  readonly maxCalls?: number
}

const defaultMaxToolTokens = 16_000
const defaultMaxCalls = 128

/** The current tools of the bridge for one run. `run` is the id of the run in the journal. */
export function agentTools(
  bridge: Bridge,
  profile: ProfileName,
  run: string,
  { maxToolTokens = defaultMaxToolTokens, maxCalls = defaultMaxCalls, ...options }: AgentToolOptions,
): ToolSet {
  const isDeferred = options.code === undefined && costOf(bridge, profile, options.only) > maxToolTokens
  const search = options.search ?? (isDeferred ? {} : undefined)
  const tools = aiSdkTools(bridge, {
    ...options,
    ...(search === undefined ? {} : { search }),
    profile,
    sdkVersion: 6,
    parent: run,
  })
  return withLimit(tools, maxCalls)
}

function costOf(bridge: Bridge, profile: ProfileName, only: readonly string[] | undefined): number {
  const wanted = only?.map((name) => bridge.tool(name))
  const { tools } = bridge.toolsFor(profile)
  return tools
    .filter(({ tool }) => wanted?.includes(tool) ?? true)
    .reduce((sum, { tokens }) => sum + tokens, 0)
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
    return { ...tool, execute: bounded } as ToolSet[string]
  }
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, boundedTool(tool)]))
}
