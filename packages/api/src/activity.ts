export interface ActivityEntry {
  readonly id: string
  readonly at: string
  readonly tool: string
  readonly server: string
  /** Where the call came from: the console, an MCP host's session, a workflow. */
  readonly conversation: string
  readonly latencyMs: number
  readonly outcome: 'ok' | 'tool_error' | 'failed' | 'denied' | 'cancelled'
  readonly error?: string
}

export interface ActivityResponse {
  /** Newest first. */
  readonly entries: readonly ActivityEntry[]
}
