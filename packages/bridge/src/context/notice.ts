/** Something about the toolkits of a workflow that somebody should know. Never quotes a value of a definition. */
export interface MCPNotice {
  readonly severity: 'info' | 'warning'
  readonly code:
    | 'toolkit_resolved'
    | 'toolkit_failed'
    | 'toolkit_missing'
    | 'toolkit_refused'
    | 'tool_name_collision'
    | 'code_tools_failed'
    | 'file_fallback'
    | 'file_missing'
    | 'file_issue'
    | 'mcp_status'
  /** What happened, and what to do about it. */
  readonly message: string
  readonly workflowId?: string
  readonly toolkit?: string
  readonly requested?: readonly string[]
  readonly available?: readonly string[]
  readonly tools?: readonly string[]
}

/** Takes notices as they arise. Must not throw. */
export type OnNotice = (notice: MCPNotice) => void

/** Prints what a person should act on, and what they asked for, as lines on stderr. */
export function printNotice({ severity, code, message }: MCPNotice): void {
  if (severity === 'warning' || code === 'mcp_status') process.stderr.write(`${message}\n`)
}

/** A list of names for a sentence. */
export function quotedList(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
