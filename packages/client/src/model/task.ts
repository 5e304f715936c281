import type { CallToolResult } from './tool.ts'

/** Status of a task. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A tool call that continues on the server while the client does not wait. */
export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly createdAt: string
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
