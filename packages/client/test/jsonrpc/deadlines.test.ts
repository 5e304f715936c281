import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sendDirect } from '../../src/jsonrpc/direct-transport.ts'
import { type ScriptedServer, scriptedServer, silence } from '../support/scripted-server.ts'

let server: ScriptedServer

// Loaded with the first request of a server; loading takes real time, of which there is none below.
beforeAll(() => import('../../src/deferred.ts'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  server = scriptedServer({ hang: () => silence, ask: () => ({}) })
})

afterEach(async () => {
  await server.transport.close()
  vi.useRealTimers()
})

test('a call that gets no answer rejects after its time, not before, and is cancelled at the server [S4-20] [C7] [B6]', async () => {
  const outcome = settled(server.transport.request('hang', {}, { timeoutMs: 1_000 }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outcome.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(200)
  expect(outcome.value).toMatchObject({
    kind: 'timeout',
    code: -32001,
    message: expect.stringContaining('1000 ms'),
  })
  expect(await server.message('notifications/cancelled')).toMatchObject({ params: { requestId: 1 } })
})

test('a call without a time of its own has sixty seconds [C7]', async () => {
  const outcome = settled(server.transport.request('hang'))
  await vi.advanceTimersByTimeAsync(59_900)
  expect(outcome.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(300)
  expect(outcome.value).toMatchObject({ kind: 'timeout' })
})

test('progress restarts the deadline [C7]', async () => {
  const seen: unknown[] = []
  const outcome = settled(
    server.transport.request('hang', {}, { timeoutMs: 1_000, onProgress: (progress) => seen.push(progress) }),
  )
  for (const progress of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(900)
    await sendProgress({ progress, total: 3, message: 'going' })
  }
  expect(outcome.value).toBeUndefined()
  expect(seen[2]).toEqual({ progress: 3, total: 3, message: 'going' })
  await vi.advanceTimersByTimeAsync(1_200)
  expect(outcome.value).toMatchObject({ kind: 'timeout' })
})

test('the longest wait holds whatever progress says', async () => {
  const options = { timeoutMs: 1_000, maxTimeoutMs: 2_000, onProgress: () => undefined }
  const outcome = settled(server.transport.request('hang', {}, options))
  for (const progress of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(750)
    await sendProgress({ progress })
  }
  expect(outcome.value).toMatchObject({ kind: 'timeout', message: expect.stringContaining('2000 ms in all') })
})

test('while a person answers the server’s question no call’s time runs', async () => {
  let answer: (value: unknown) => void = () => undefined
  server.transport.setHandlers({ onRequest: () => new Promise((resolve) => (answer = resolve)) })
  const outcome = settled(server.transport.request('hang', {}, { timeoutMs: 1_000, maxTimeoutMs: 1_500 }))
  await vi.advanceTimersByTimeAsync(500)
  await server.end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create' })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(outcome.value).toBeUndefined()
  answer({ action: 'decline' })
  await server.answer('q')
  await vi.advanceTimersByTimeAsync(400)
  expect(outcome.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(400)
  expect(outcome.value).toMatchObject({ kind: 'timeout' })
})

test('one timer serves all calls and stops when there is none [S4-20]', async () => {
  const outcomes = [100, 200, 300].map((timeoutMs) =>
    settled(server.transport.request('hang', {}, { timeoutMs })),
  )
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outcomes.every(({ value }) => value !== undefined)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
  await server.transport.request('ask')
  expect(vi.getTimerCount()).toBe(1)
})

test('a caller that fails when it is told does not keep others from being told', async () => {
  const failing = (): never => {
    throw new Error('a caller that fails')
  }
  server.transport[sendDirect]('hang', {}, { timeoutMs: 100 }, failing, failing)
  const outcome = settled(server.transport.request('hang', {}, { timeoutMs: 1_000 }))
  await expect(vi.advanceTimersByTimeAsync(500)).rejects.toThrow('a caller that fails')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outcome.value).toMatchObject({ kind: 'timeout' })
})

async function sendProgress(progress: object): Promise<void> {
  const { params } = await server.message('hang')
  const { progressToken } = (params as { _meta: { progressToken: unknown } })._meta
  const message = {
    jsonrpc: '2.0' as const,
    method: 'notifications/progress',
    params: { progressToken, ...progress },
  }
  await server.end.send(message)
  await Promise.resolve()
}

function settled(promise: Promise<unknown>): { value: unknown } {
  const outcome: { value: unknown } = { value: undefined }
  const keep = (value: unknown): void => void (outcome.value = value)
  promise.then(keep, keep)
  return outcome
}
