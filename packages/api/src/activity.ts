/** A finished tool call. */
export interface ActivityEntry {
  /** Unique id of the call. */
  readonly id: string
  /** Time at which the call ended, as ISO 8601. */
  readonly at: string
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. */
  readonly server: string
  /** Source of the call: the console, a session of an MCP host, or a workflow. */
  readonly conversation: string
  /** Duration of the call in milliseconds. */
  readonly latencyMs: number
  /** How the call ended; `tool_error` is a failure that the tool itself reported. */
  readonly outcome: 'ok' | 'tool_error' | 'failed' | 'denied' | 'cancelled'
  /** Error message. Absent when the call succeeded. */
  readonly error?: string
}

/** Response of `GET /api/activity`. */
export interface ActivityResponse {
  /** The latest calls, newest first. */
  readonly entries: readonly ActivityEntry[]
}
