import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode, malformedError } from '../../jsonrpc/jsonrpc.ts'
import type { Task, TaskStatus, ToolCallStart } from '../../model/task.ts'
import type { CallToolResult } from '../../model/tool.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'

/** A task as the server described it last. */
export interface TaskSnapshot {
  readonly task: Task
  /** The whole description, of which a shape may know more than others. */
  readonly raw: JsonObject
}

/** The two ways in which revisions of the protocol speak of tasks. */
export interface TaskShape {
  start(name: string, args: object, options: StartTaskOptions | undefined): Promise<ToolCallStart>
  look(taskId: string, options: RequestOptions | undefined): Promise<TaskSnapshot>
  /** The result of a task that has one or will have it without being looked at again; undefined = look again later. */
  settle(seen: TaskSnapshot, options: RequestOptions | undefined): Promise<CallToolResult | undefined>
  cancel(taskId: string, options: RequestOptions | undefined): Promise<void>
  list(options: RequestOptions | undefined): Promise<readonly Task[]>
}

export interface StartTaskOptions extends RequestOptions {
  /** How long the server is asked to keep the task; it may decide otherwise. */
  readonly ttlMs?: number
}

const STATUSES: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']

/** Reads a task in either shape; `where` names the answer it came in. */
export function parseTask(value: unknown, where: string): TaskSnapshot {
  if (!isTask(value)) throw malformedError(`the server's answer to ${where} has no usable task`)
  return { task: toTask(value), raw: value }
}

/** Whether a value describes a task. */
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

/** What waiting for a cancelled task rejects with. */
export function taskCancelled({ taskId, statusMessage }: Task): McpError {
  const detail = statusMessage === undefined ? '' : `: ${statusMessage}`
  return new McpError(`the task was cancelled${detail}`, {
    kind: 'peer',
    code: McpErrorCode.InternalError,
    data: { taskId, status: 'cancelled' },
  })
}
