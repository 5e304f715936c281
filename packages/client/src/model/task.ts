import type { CallToolResult } from './tool.ts'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A tool call that goes on at the server while nobody waits for it. */
export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** How long the server keeps the task after its creation; null = as long as it likes. */
  readonly ttlMs: number | null
  /** How long to wait between two looks at it. */
  readonly pollIntervalMs?: number
}

/** What became of a call that was allowed to become a task: the server decides. */
export type ToolCallStart =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'result'; readonly result: CallToolResult }
