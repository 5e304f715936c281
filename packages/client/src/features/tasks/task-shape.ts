import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode, malformedError } from '../../jsonrpc/jsonrpc.ts'
import type { Task, TaskStatus, ToolCallStart } from '../../model/task.ts'
import type { CallToolResult } from '../../model/tool.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'

/** The latest state of a task. */
export interface TaskSnapshot {
  readonly task: Task
  /** The unparsed state, which has fields of the task kind. */
  readonly raw: JsonObject
}

/** The two kinds of tasks: of 2025-11-25 and of the extension. */
export interface TaskShape {
  start(name: string, args: object, options: StartTaskOptions | undefined): Promise<ToolCallStart>
  look(taskId: string, options: RequestOptions | undefined): Promise<TaskSnapshot>
  /** Returns the result of a task that has ended, or waits for it. Undefined: poll again. */
  settle(seen: TaskSnapshot, options: RequestOptions | undefined): Promise<CallToolResult | undefined>
  cancel(taskId: string, options: RequestOptions | undefined): Promise<void>
  list(options: RequestOptions | undefined): Promise<readonly Task[]>
}

/** Options of `callToolTask`. */
export interface StartTaskOptions extends RequestOptions {
  /** Requested time for the server to keep the task. The server may choose another. Default: up to the server. */
  readonly ttlMs?: number
}

const STATUSES: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** Parses a task of either kind. `where` is the method of the response. */
export function parseTask(value: unknown, where: string): TaskSnapshot {
  if (!isTask(value)) throw malformedError(`invalid answer to ${where}: no valid task`)
  return { task: toTask(value), raw: value }
}

/** Returns whether a value is a task. */
export function isTask(value: unknown): value is JsonObject & { taskId: string; status: TaskStatus } {
  return isJsonObject(value) && typeof value['taskId'] === 'string' && STATUSES.includes(value['status'])
}

function toTask(value: JsonObject & { taskId: string; status: TaskStatus }): Task {
  const { taskId, status, statusMessage } = value
  const pollIntervalMs = value['pollIntervalMs'] ?? value['pollInterval']
  const ttlMs = value['ttlMs'] ?? value['ttl']
  return {
    taskId,
    status,
    createdAt: textOf(value['createdAt']),
    lastUpdatedAt: textOf(value['lastUpdatedAt']),
    ttlMs: typeof ttlMs === 'number' ? ttlMs : null,
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
    ...(typeof pollIntervalMs === 'number' ? { pollIntervalMs } : {}),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The error of waiting for a cancelled task. */
export function taskCancelled({ taskId, statusMessage }: Task): McpError {
  const detail = statusMessage === undefined ? '' : `: ${statusMessage}`
  return new McpError(`the task was cancelled${detail}`, {
    kind: 'peer',
    code: McpErrorCode.InternalError,
    data: { taskId, status: 'cancelled' },
  })
}
