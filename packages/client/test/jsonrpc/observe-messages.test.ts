import { expect, test } from 'vitest'
import { observeMessages } from '../../src/internal.ts'
import { scriptedServer } from '../support/scripted-server.ts'

test('an observer gets every message that is sent and received, also beside another one, and the transport works as before', async () => {
  const { transport, end } = scriptedServer({ ask: () => ({ said: 'yes' }) })
  const seen: unknown[] = []
  let count = 0
  observeMessages(transport, () => (count += 1))
  expect(observeMessages(transport, (direction, message) => seen.push([direction, message]))).toBe(true)
  const progress: number[] = []
  const onProgress = (told: { readonly progress: number }): number => progress.push(told.progress)
  const asked = transport.request('ask', { a: 1 }, { onProgress })
  expect(await asked).toEqual({ said: 'yes' })
  await transport.notify('notifications/told')
  await end.send({ jsonrpc: '2.0', method: 'notifications/heard' })
  await expect.poll(() => seen.length).toBe(4)
  expect(seen).toEqual([
    ['sent', { jsonrpc: '2.0', id: 1, method: 'ask', params: { a: 1, _meta: { progressToken: 1 } } }],
    ['received', { jsonrpc: '2.0', id: 1, result: { said: 'yes' } }],
    ['sent', { jsonrpc: '2.0', method: 'notifications/told', params: undefined }],
    ['received', { jsonrpc: '2.0', method: 'notifications/heard' }],
  ])
  expect(count).toBe(4)
})

test('a transport of another kind cannot be observed', () => {
  const foreign = {
    start: async () => {},
    request: async () => ({}),
    notify: async () => {},
    setHandlers: () => {},
    close: async () => {},
  }
  expect(observeMessages(foreign, () => {})).toBe(false)
})
