/**
 * How an MCP host gets the tools: `all` lists them, `search` replaces them by `tool_search` and `call_tool`, `code` by
 * `run_code`. Rules, approvals and questions are the same.
 */
export type ToolsMode = 'all' | 'search' | 'code'

const toolsModes: readonly string[] = ['all', 'search', 'code'] satisfies readonly ToolsMode[]

/** The mode that a URL names with `?tools=`, else `fallback`. Undefined if it names one that does not exist. */
export function toolsModeIn({ url }: Request, fallback: ToolsMode): ToolsMode | undefined {
  const named = new URL(url).searchParams.get('tools') ?? fallback
  return isToolsMode(named) ? named : undefined
}

function isToolsMode(name: string): name is ToolsMode {
  return toolsModes.includes(name)
}
