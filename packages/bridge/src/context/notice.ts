import { printable } from '@toolbridge/client/internal'

/** A notice about the toolkits of a workflow. Contains no values of definitions. */
export interface MCPNotice {
  /** `warning` for notices that need action. */
  readonly severity: 'info' | 'warning'
  /** Stable code of the notice. */
  readonly code:
    | 'toolkit_resolved'
    | 'toolkit_failed'
    | 'toolkit_missing'
    | 'toolkit_refused'
    | 'tool_name_collision'
    | 'tools_differ'
    | 'code_tools_failed'
    | 'file_fallback'
    | 'file_missing'
    | 'file_issue'
    | 'mcp_status'
  /** The event and its fix. */
  readonly message: string
  /** Id of the workflow, if the notice concerns one. */
  readonly workflowId?: string
  /** Name of the toolkit, if the notice concerns one. */
  readonly toolkit?: string
  /** The requested toolkits. */
  readonly requested?: readonly string[]
  /** The available toolkits. */
  readonly available?: readonly string[]
  /** The tools in question. */
  readonly tools?: readonly string[]
}

/** Receives notices. Must not throw. */
export type OnNotice = (notice: MCPNotice) => void

/** Prints warnings and the requested status to stderr, each in one line: toolkits and tools have names of others. */
export function printNotice({ severity, code, message }: MCPNotice): void {
  if (severity === 'warning' || code === 'mcp_status') process.stderr.write(`${printable(message)}\n`)
}

/** Joins names for a message. */
export function quotedList(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
