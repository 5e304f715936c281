import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, readErrorObject } from '../../jsonrpc/jsonrpc.ts'
import type { CallToolResult } from '../../model/tool.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'
import { unsupportedByServer } from '../capabilities.ts'
import type { Requester } from '../requester.ts'
import { isTask, parseTask, type TaskShape, type TaskSnapshot, taskCancelled } from './task-shape.ts'

/** Tasks of the extension: the server decides which calls become tasks, and requests input through the task. */
export function extensionTasks(requester: Requester): TaskShape {
  return {
    async start(name, args, options) {
      const result = await requester.request('tools/call', { name, arguments: args }, options)
      if (!isTask(result)) return { kind: 'result', result: requester.readToolResult(result) }
      return { kind: 'task', task: parseTask(result, 'tools/call').task }
    },
    async look(taskId, options) {
      return parseTask(await requester.request('tasks/get', { taskId }, options), 'tasks/get')
    },
    settle: (seen, options) => settle(requester, seen, options),
    async cancel(taskId, options) {
      await requester.request('tasks/cancel', { taskId }, options)
    },
    async list() {
      throw unsupportedByServer(requester.server, 'a list of tasks, which its revision does not have')
    },
  }
}

async function settle(
  requester: Requester,
  { task, raw }: TaskSnapshot,
  options: RequestOptions | undefined,
): Promise<CallToolResult | undefined> {
  const { taskId, status } = task
  if (status === 'working') return undefined
  if (status !== 'input_required') requester.answeredInputs.delete(taskId)
  switch (status) {
    case 'input_required':
      await answerInputs(requester, taskId, raw['inputRequests'], options)
      return undefined
    case 'cancelled':
      throw taskCancelled(task)
    case 'failed':
      throw McpError.fromPeer(readErrorObject(raw['error']))
    case 'completed':
      return requester.readToolResult(raw['result'])
  }
}

/** Answers new input requests. Answered keys are repeated until the server has processed the answers. */
async function answerInputs(
  requester: Requester,
  taskId: string,
  inputRequests: unknown,
  options: RequestOptions | undefined,
): Promise<void> {
  const answered = requester.answeredInputs.get(taskId) ?? new Set()
  requester.answeredInputs.set(taskId, answered)
  const asked = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
  const fresh = asked.filter(([key]) => !answered.has(key))
  if (fresh.length === 0) return
  for (const [key] of fresh) answered.add(key)
  try {
    const inputResponses = Object.fromEntries(
      await Promise.all(fresh.map(([key, request]) => ask(key, request))),
    )
    await requester.request('tasks/update', { taskId, inputResponses }, options)
  } catch (error) {
    for (const [key] of fresh) answered.delete(key)
    throw error
  }

  async function ask(key: string, request: unknown): Promise<readonly [string, unknown]> {
    const { method, params }: JsonObject = isJsonObject(request) ? request : {}
    const signal = options?.signal ?? new AbortController().signal
    return [key, await requester.answer(String(method), params, { signal })]
  }
}
