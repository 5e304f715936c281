import { expect, test } from 'vitest'
import { observeMessages } from '../../src/internal.ts'
import { scriptedServer } from '../support/scripted-server.ts'

test('an observer gets every message that is sent and received, also beside another one, and the transport works as before', async () => {
  const { transport, end } = scriptedServer({ ask: () => ({ said: 'yes' }) })
  const seen: unknown[] = []
  let count = 0
  observeMessages(transport, () => (count += 1))
  const stop = observeMessages(transport, (direction, message) => seen.push([direction, message]))
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
  stop?.()
  expect(await transport.request('ask', {})).toEqual({ said: 'yes' })
  expect([seen.length, count]).toEqual([4, 6])
})

test('a transport that runs can be observed for a while, and is as before when that ends', async () => {
  const { transport } = scriptedServer({ ask: () => ({ said: 'yes' }) })
  await transport.request('ask', {})
  const seen: string[] = []
  const stop = observeMessages(transport, (direction) => seen.push(direction))
  await transport.request('ask', {})
  stop?.()
  await transport.request('ask', {})
  expect(seen).toEqual(['sent', 'received'])
  expect(['sendRequest', 'sendMessage', 'receive'].filter((name) => Object.hasOwn(transport, name))).toEqual(
    [],
  )
})

test('a transport of another kind cannot be observed', () => {
  const foreign = {
    start: async () => {},
    request: async () => ({}),
    notify: async () => {},
    setHandlers: () => {},
    close: async () => {},
  }
  expect(observeMessages(foreign, () => {})).toBeUndefined()
})
