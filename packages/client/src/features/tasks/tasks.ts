import { unsupportedByServer } from '../capabilities.ts'
import { coreTasks } from './core-tasks.ts'
import { extensionTasks } from './extension-tasks.ts'
import type { Requester } from '../requester.ts'
import { parseTask, type StartTaskOptions, type TaskShape, type TaskSnapshot } from './task-shape.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { Task, ToolCallStart } from '../../model/task.ts'
import type { CallToolResult } from '../../model/tool.ts'
import { TASKS_EXTENSION } from '../../model/tasks-extension.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'
import { delay } from '../../timing/delay.ts'

/** Options of `awaitTask`. */
export interface AwaitTaskOptions extends RequestOptions {
  /** Called with the task after each poll. */
  readonly onTask?: (task: Task) => void
}

/** Poll interval if the server names none, and its minimum. */
const DEFAULT_POLL_MS = 1_000
const MIN_POLL_MS = 20

/** Calls a tool and lets the server answer with a task. */
export async function callToolTask(
  requester: Requester,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options?: StartTaskOptions,
): Promise<ToolCallStart> {
  return shapeOf(requester).start(name, args, options)
}

/** Reads the state of a task. */
export async function getTask(requester: Requester, taskId: string, options?: RequestOptions): Promise<Task> {
  return (await shapeOf(requester).look(taskId, options)).task
}

/** Polls a task until it ends, answers its input requests and returns its result. */
export async function awaitTask(
  requester: Requester,
  taskId: string,
  options?: AwaitTaskOptions,
): Promise<CallToolResult> {
  const shape = shapeOf(requester)
  return follow(shape, await shape.look(taskId, options), options)
}

/** Waits for a task that a normal call was answered with. Aborting the call cancels the task. */
export async function awaitStartedTask(
  requester: Requester,
  started: unknown,
  options?: RequestOptions,
): Promise<CallToolResult> {
  const seen = parseTask(started, 'tools/call')
  const shape = shapeOf(requester)
  try {
    return await follow(shape, seen, options)
  } catch (error) {
    // Best effort: the caller gets its own abort reason in any case.
    if (options?.signal?.aborted === true) shape.cancel(seen.task.taskId, undefined).catch(() => undefined)
    throw error
  }
}

/** Requests the cancellation of a task. The task may still complete. */
export async function cancelTask(
  requester: Requester,
  taskId: string,
  options?: RequestOptions,
): Promise<void> {
  await shapeOf(requester).cancel(taskId, options)
}

/** Lists all tasks of the server. Only in 2025-11-25. */
export async function listTasks(requester: Requester, options?: RequestOptions): Promise<readonly Task[]> {
  return shapeOf(requester).list(options)
}

async function follow(
  shape: TaskShape,
  first: TaskSnapshot,
  options: AwaitTaskOptions | undefined,
): Promise<CallToolResult> {
  for (let seen = first; ; seen = await shape.look(seen.task.taskId, options)) {
    const { pollIntervalMs = DEFAULT_POLL_MS } = seen.task
    options?.onTask?.(seen.task)
    const result = await shape.settle(seen, options)
    if (result !== undefined) return result
    await delay(Math.max(pollIntervalMs, MIN_POLL_MS), options?.signal)
    options?.signal?.throwIfAborted()
  }
}

/** Selects the kind of tasks that the server declared. */
function shapeOf(requester: Requester): TaskShape {
  const { server, extensions } = requester
  if (server.capabilities.tasks !== undefined) return coreTasks(requester)
  if (server.capabilities.extensions?.[TASKS_EXTENSION] === undefined)
    throw unsupportedByServer(server, 'tasks')
  if (extensions[TASKS_EXTENSION] !== undefined) return extensionTasks(requester)
  throw new McpError(`tasks need the extension ${TASKS_EXTENSION}: declare it in the client's extensions`, {
    kind: 'unsupported',
    code: McpErrorCode.MethodNotFound,
  })
}
