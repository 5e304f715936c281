import { isJsonObject } from '../../jsonrpc/json.ts'
import type { Task } from '../../model/task.ts'
import { unsupportedByServer, requireCapability } from '../capabilities.ts'
import type { PagedList } from '../pages.ts'
import type { Requester } from '../requester.ts'
import { isTask, parseTask, type TaskShape, taskCancelled } from './task-shape.ts'

const TASKS: PagedList<object> = { method: 'tasks/list', key: 'tasks', what: 'tasks', isItem: isTask }

/** Tasks of 2025-11-25: the client requests a task, and `tasks/result` waits for its end. */
export function coreTasks(requester: Requester): TaskShape {
  return {
    async start(name, args, options) {
      requireCapability(requester.server, 'tasks.requests.tools.call', 'tool calls as tasks')
      const task = options?.ttlMs === undefined ? {} : { ttl: options.ttlMs }
      const result = await requester.request('tools/call', { name, arguments: args, task }, options)
      // A server may return the result directly, without a task.
      if (!isJsonObject(result) || result['task'] === undefined) {
        return { kind: 'result', result: requester.readToolResult(result) }
      }
      return { kind: 'task', task: parseTask(result['task'], 'tools/call').task }
    },
    async look(taskId, options) {
      return parseTask(await requester.request('tasks/get', { taskId }, options), 'tasks/get')
    },
    async settle({ task }, options) {
      const { taskId, status } = task
      if (status === 'working') return undefined
      if (status === 'cancelled') throw taskCancelled(task)
      // The server requests input while this request is open, and people take time to answer.
      const patient = { timeoutMs: Infinity, ...options }
      return requester.readToolResult(await requester.request('tasks/result', { taskId }, patient))
    },
    async cancel(taskId, options) {
      if (requester.server.capabilities.tasks?.cancel === undefined) {
        throw unsupportedByServer(requester.server, 'to cancel tasks')
      }
      await requester.request('tasks/cancel', { taskId }, options)
    },
    async list(options) {
      requireCapability(requester.server, 'tasks.list', 'a list of tasks')
      const tasks = await requester.list(TASKS, options)
      return tasks.map((each): Task => parseTask(each, 'tasks/list').task)
    },
  }
}
