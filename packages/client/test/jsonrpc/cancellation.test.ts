import { expect, test, vi } from 'vitest'
import { scriptedServer, silence } from '../support/scripted-server.ts'

test('aborting tells the server and rejects with the signal’s own reason [B6]', async () => {
  const { transport, message } = scriptedServer({ ask: () => silence })
  const abort = new AbortController()
  const asked = transport.request('ask', {}, { signal: abort.signal })
  const { id } = await message('ask')
  const reason = { my: 'reason' }
  abort.abort(reason)
  await expect(asked).rejects.toBe(reason)
  expect(await message('notifications/cancelled')).toMatchObject({ params: { requestId: id } })
})

test('a late answer to a cancelled call is dropped [B6 B10]', async () => {
  const { transport, end, message } = scriptedServer({ ask: () => silence, next: () => ({ next: true }) })
  const abort = new AbortController()
  const asked = transport.request('ask', {}, { signal: abort.signal })
  const { id } = await message('ask')
  abort.abort()
  await end.send({ jsonrpc: '2.0', id: id as number, result: { late: true } })
  await expect(asked).rejects.toBe(abort.signal.reason)
  expect(await transport.request('next')).toEqual({ next: true })
})

test('a signal that is aborted already keeps the request from being sent', async () => {
  const { transport, received } = scriptedServer({ ask: () => ({}) })
  await expect(transport.request('ask', {}, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
  expect(received).toEqual([])
})

test('initialize is never cancelled at the server [B6]', async () => {
  const { transport, received, message } = scriptedServer({ initialize: () => silence, ask: () => ({}) })
  const abort = new AbortController()
  const asked = transport.request('initialize', {}, { signal: abort.signal })
  await message('initialize')
  abort.abort('no')
  await expect(asked).rejects.toBe('no')
  await transport.request('ask')
  expect(received).not.toContainEqual(expect.objectContaining({ method: 'notifications/cancelled' }))
})

test('a hundred calls may share one signal, without a warning and without a listener left behind', async () => {
  const warned = vi.fn()
  process.on('warning', warned)
  const { transport } = scriptedServer({ ask: () => ({}), hang: () => silence })
  const abort = new AbortController()
  const removed = vi.spyOn(abort.signal, 'removeEventListener')
  const { signal } = abort
  await Promise.all(Array.from({ length: 100 }, () => transport.request('ask', {}, { signal })))
  await expect.poll(() => removed.mock.calls.length).toBe(1)
  const hanging = Array.from({ length: 100 }, () => transport.request('hang', {}, { signal }))
  abort.abort('enough')
  const outcomes = await Promise.allSettled(hanging)
  expect(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason === 'enough')).toBe(true)
  await new Promise(setImmediate)
  process.off('warning', warned)
  expect(warned).not.toHaveBeenCalled()
})

test('when the server withdraws its request the handler is aborted and no answer is sent [B12]', async () => {
  const { transport, end, received } = scriptedServer({ ask: () => ({}) })
  const aborted = new Promise((resolve) => {
    transport.setHandlers({
      onRequest: (_method, _params, { signal }) =>
        new Promise((answer) => {
          signal.addEventListener('abort', () => {
            answer({ too: 'late' })
            resolve(signal.reason)
          })
        }),
    })
  })
  await end.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create' })
  await end.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } })
  expect(await aborted).toMatchObject({ message: 'the server withdrew its request' })
  await transport.request('ask')
  expect(received).toHaveLength(1)
})

test('a withdrawn request whose handler goes on regardless does not stop the clock of the calls', async () => {
  const { transport, end } = scriptedServer({ hang: () => silence })
  transport.setHandlers({ onRequest: () => new Promise(() => undefined) })
  await end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create' })
  await end.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' } })
  await expect(transport.request('hang', {}, { timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' })
})
