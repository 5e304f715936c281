import type { CallToolResult } from './tool.ts'

/** Status of a task. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A tool call that continues on the server while the client does not wait. */
export interface Task {
  /** Id of the task. */
  readonly taskId: string
  /** Current status. */
  readonly status: TaskStatus
  /** Details of the status. Untrusted text. */
  readonly statusMessage?: string
  /** Time of creation, in ISO 8601. */
  readonly createdAt: string
  /** Time of the last update, in ISO 8601. */
  readonly lastUpdatedAt: string
  /** Time the server keeps the task after its creation. Null: no limit. */
  readonly ttlMs: number | null
  /** Suggested interval between two `tasks/get` requests. */
  readonly pollIntervalMs?: number
}

/** Result of a call that may become a task. The server decides. */
export type ToolCallStart =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'result'; readonly result: CallToolResult }
