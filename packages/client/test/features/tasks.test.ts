import { describe, expect, test, vi } from 'vitest'
import {
  type ElicitResult,
  type JsonRpcRequest,
  type McpClientOptions,
  TASKS_EXTENSION,
} from '../../src/index.ts'
import { connectedTo, paramsOf, type Scripted } from '../support/both-eras.ts'
import { Refusal, type Script } from '../support/scripted-server.ts'

const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:01Z' }
const done = { content: [{ type: 'text', text: 'done' }] }
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
}

describe('as 2025-11-25 has them', () => {
  const task = (status: string): object => ({ taskId: 't', status, ttl: 60_000, pollInterval: 1, ...times })

  test('a call becomes a task, is looked at until it ends, and has the result of the call [S4-65] [F18]', async () => {
    const looks = ['working', 'working', 'completed']
    const { client, server } = await core({
      'tools/call': () => ({ task: task('working') }),
      'tasks/get': () => task(looks.shift() ?? 'completed'),
      'tasks/result': () => done,
    })
    expect(await client.callToolTask('dig', { deep: true }, { ttlMs: 60_000 })).toEqual({
      kind: 'task',
      task: { taskId: 't', status: 'working', ttlMs: 60_000, pollIntervalMs: 1, ...times },
    })
    expect(paramsOf(await server.message('tools/call'))).toEqual({
      name: 'dig',
      arguments: { deep: true },
      task: { ttl: 60_000 },
    })
    const seen: string[] = []
    expect(await client.awaitTask('t', { onTask: ({ status }) => seen.push(status) })).toEqual(done)
    expect(seen).toEqual(['working', 'working', 'completed'])
    expect(await client.getTaskResult('t')).toEqual(done)
  })

  test('a server that answers at once has answered [F18]', async () => {
    const { client } = await core({ 'tools/call': () => done })
    expect(await client.callToolTask('dig')).toEqual({ kind: 'result', result: done })
  })

  test('a task that needs an answer is waited for at once; the answer names the task [F18]', async () => {
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't' } }
    const { client, server } = await core(
      { 'tasks/get': () => task('input_required'), 'tasks/result': () => done },
      { onElicitation: async () => ({ action: 'decline' }) },
    )
    void server.end.send({
      jsonrpc: '2.0',
      id: 'ask',
      method: question.method,
      params: { ...question.params, _meta: related },
    })
    expect(await client.awaitTask('t')).toEqual(done)
    expect(await server.answer('ask')).toMatchObject({ result: { action: 'decline', _meta: related } })
  })

  test('a task that failed has what the call would have had: a result, or an error [F18]', async () => {
    const failure = { ...done, isError: true }
    const results: unknown[] = [failure, new Refusal(-32050)]
    const { client } = await core({
      'tasks/get': () => task('failed'),
      'tasks/result': () => results.shift(),
    })
    expect(await client.awaitTask('t')).toEqual(failure)
    await expect(client.awaitTask('t')).rejects.toMatchObject({ kind: 'peer', code: -32050 })
  })

  test('tasks are listed over all pages, and cancelled [S4-65] [F18]', async () => {
    const { client, server } = await core({
      'tasks/list': (request) =>
        paramsOf(request)['cursor'] === undefined
          ? { tasks: [task('working'), { taskId: 7 }], nextCursor: 'more' }
          : { tasks: [task('completed')] },
      'tasks/cancel': () => task('cancelled'),
    })
    expect((await client.listTasks()).map(({ status }) => status)).toEqual(['working', 'completed'])
    await client.cancelTask('t')
    expect(paramsOf(await server.message('tasks/cancel'))).toEqual({ taskId: 't' })
  })

  function core(script: Script, options?: McpClientOptions): Promise<Scripted> {
    const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
    return connectedTo('2025-11-25', { tools: {}, tasks }, script, options)
  }
})

describe('as the extension has them', () => {
  const task = (status: string, more: object = {}): object => ({
    resultType: 'complete',
    taskId: 't',
    status,
    ttlMs: null,
    pollIntervalMs: 1,
    ...times,
    ...more,
  })
  const started = task('working', { resultType: 'task' })

  test('the server decides that a call becomes a task, which ends with the result [F18]', async () => {
    const looks = [task('working'), task('completed', { resultType: 'task', result: done })]
    const { client } = await extended({ 'tools/call': () => started, 'tasks/get': () => looks.shift() })
    expect(await client.callToolTask('dig')).toMatchObject({
      kind: 'task',
      task: { taskId: 't', ttlMs: null },
    })
    expect(await client.awaitTask('t')).toMatchObject(done)
  })

  test('a plain call that became a task is waited for [F18]', async () => {
    const { client } = await extended({
      'tools/call': () => started,
      'tasks/get': () => task('completed', { result: done }),
    })
    expect(await client.callTool('dig')).toMatchObject(done)
  })

  test('what the task asks is answered once, however often it comes [F18]', async () => {
    const looks = [
      task('input_required', { inputRequests: { a: question } }),
      task('input_required', { inputRequests: { a: question } }),
      task('input_required', { inputRequests: { a: question, b: question } }),
      task('completed', { result: done }),
    ]
    const updates: unknown[] = []
    const onElicitation = vi.fn(async (): Promise<ElicitResult> => ({ action: 'accept', content: {} }))
    const { client } = await extended(
      {
        'tasks/get': () => looks.shift(),
        'tasks/update': (request: JsonRpcRequest) => {
          updates.push(paramsOf(request))
          return {}
        },
      },
      { onElicitation },
    )
    expect(await client.awaitTask('t')).toMatchObject(done)
    const answer = { action: 'accept', content: {} }
    expect(updates).toEqual([
      { taskId: 't', inputResponses: { a: answer } },
      { taskId: 't', inputResponses: { b: answer } },
    ])
    expect(onElicitation).toHaveBeenCalledTimes(2)
  })

  test('a task that fails rejects with its error, one that was cancelled says so [F18]', async () => {
    const looks = [task('failed', { error: { code: -32050, message: 'no luck' } }), task('cancelled')]
    const { client } = await extended({ 'tasks/get': () => looks.shift() })
    await expect(client.awaitTask('t')).rejects.toMatchObject({ code: -32050, message: 'no luck' })
    await expect(client.awaitTask('t')).rejects.toMatchObject({ message: 'the task was cancelled' })
  })

  test('a task is cancelled on request, and there is no list [F18]', async () => {
    const { client, server } = await extended({ 'tasks/cancel': () => ({}) })
    await client.cancelTask('t')
    expect(paramsOf(await server.message('tasks/cancel'))).toEqual({ taskId: 't' })
    await expect(client.listTasks()).rejects.toMatchObject({ kind: 'unsupported' })
  })

  test('aborting ends the waiting and not the task [F18]', async () => {
    const { client, server } = await extended({
      'tasks/get': () => task('working', { pollIntervalMs: 60_000 }),
    })
    const abort = new AbortController()
    const waiting = client.awaitTask('t', { signal: abort.signal, onTask: () => abort.abort('tired') })
    await expect(waiting).rejects.toBe('tired')
    expect(server.received.some((message) => 'method' in message && message.method === 'tasks/cancel')).toBe(
      false,
    )
  })

  test('giving up a plain call that became a task cancels the task [F18]', async () => {
    const abort = new AbortController()
    const { client, server } = await extended({
      'tools/call': () => started,
      'tasks/get': () => {
        abort.abort('tired')
        return task('working')
      },
      'tasks/cancel': () => ({}),
    })
    await expect(client.callTool('dig', {}, { signal: abort.signal })).rejects.toBe('tired')
    expect(paramsOf(await server.message('tasks/cancel'))).toEqual({ taskId: 't' })
  })

  test('a client that did not declare the extension is told to [F18 F19]', async () => {
    const { client } = await extended({}, { extensions: {} })
    const message = expect.stringContaining(`declare it in the client's extensions`)
    await expect(client.callToolTask('dig')).rejects.toMatchObject({ kind: 'unsupported', message })
  })

  function extended(script: Script, options: McpClientOptions = {}): Promise<Scripted> {
    const extensions = { [TASKS_EXTENSION]: {} }
    return connectedTo('2026-07-28', { tools: {}, extensions }, script, { extensions, ...options })
  }
})
