import { canary } from '@toolbridge/testkit/secrets'
import { expect, test, vi } from 'vitest'
import { McpError, McpErrorCode } from '../../src/index.ts'
import { scriptedServer, silence } from '../support/scripted-server.ts'

test('answers find their requests in any order [S4-18] [S4-19] [S4-21]', async () => {
  const { transport, end, message } = scriptedServer({
    slow: () => silence,
    quick: () => ({ said: 'quick' }),
  })
  const slow = transport.request('slow')
  expect(await transport.request('quick')).toEqual({ said: 'quick' })
  const { id } = await message('slow')
  await end.send({ jsonrpc: '2.0', id: id as number, result: { said: 'slow' } })
  expect(await slow).toEqual({ said: 'slow' })
})

test('a number that comes back as a string still names its request', async () => {
  const { transport, end, message } = scriptedServer({ ask: () => silence })
  const asked = transport.request('ask')
  const { id } = await message('ask')
  await end.send({ jsonrpc: '2.0', id: String(id), result: {} })
  expect(await asked).toEqual({})
})

test('a server’s request with the id of one of ours is a request, not its answer [S4-15] [S4-19] [S4-22] [d.6-10]', async () => {
  const { transport, end, message, answer } = scriptedServer({ ask: () => silence })
  transport.setHandlers({ onRequest: async (method) => ({ handled: method }) })
  const asked = transport.request('ask')
  await message('ask')
  await end.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
  expect(await answer(1)).toMatchObject({ result: { handled: 'roots/list' } })
  await end.send({ jsonrpc: '2.0', id: 1, result: { fine: true } })
  expect(await asked).toEqual({ fine: true })
})

test('repeated and unasked answers are ignored [B10]', async () => {
  const { transport, end } = scriptedServer({ ask: () => ({ first: true }) })
  const warned = vi.fn()
  transport.setHandlers({ onWarning: warned })
  expect(await transport.request('ask')).toEqual({ first: true })
  await end.send({ jsonrpc: '2.0', id: 1, result: { second: true } })
  await end.send({ jsonrpc: '2.0', id: 77, result: {} })
  expect(await transport.request('ask')).toEqual({ first: true })
  expect(warned).not.toHaveBeenCalled()
})

test('a method nobody handles is answered with method not found [S4-23] [B3]', async () => {
  const { end, answer } = scriptedServer()
  await end.send({ jsonrpc: '2.0', id: 'a', method: 'sampling/createMessage' })
  expect(await answer('a')).toMatchObject({ error: { code: McpErrorCode.MethodNotFound } })
})

test('a handler’s McpError reaches the server, any other failure only as such [S4-22]', async () => {
  const { transport, end, answer } = scriptedServer()
  const refusal = new McpError('not today', { kind: 'unsupported', code: -1, data: { why: 'tired' } })
  transport.setHandlers({
    onRequest: (method) => Promise.reject(method === 'refuse' ? refusal : new Error(canary('password'))),
  })
  await end.send({ jsonrpc: '2.0', id: 1, method: 'refuse' })
  await end.send({ jsonrpc: '2.0', id: 2, method: 'break' })
  expect(await answer(1)).toMatchObject({ error: { code: -1, message: 'not today', data: { why: 'tired' } } })
  expect(JSON.stringify(await answer(2))).not.toContain(canary('password'))
})

test('a batch is handled message by message [S4-15] [S4-19] [C1] [B2]', async () => {
  const { transport, end, message } = scriptedServer({ ask: () => silence })
  const noticed = vi.fn()
  transport.setHandlers({ onNotification: noticed })
  const asked = transport.request('ask')
  const { id } = await message('ask')
  const batch = [
    { jsonrpc: '2.0', method: 'hello' },
    { jsonrpc: '2.0', id, result: { ok: true } },
    'nonsense',
  ]
  await end.send(batch as never)
  expect(await asked).toEqual({ ok: true })
  expect(noticed).toHaveBeenCalledWith('hello', undefined)
})

test('a message of no known shape is dropped with a warning', async () => {
  const { transport, end } = scriptedServer({ ask: () => ({}) })
  const warned = vi.fn()
  transport.setHandlers({ onWarning: warned })
  await end.send({ jsonrpc: '2.0' } as never)
  await end.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } })
  await transport.request('ask')
  expect(warned.mock.calls).toMatchObject([[{ kind: 'malformed' }], [{ kind: 'malformed' }]])
})

test('an answer with neither result nor error rejects', async () => {
  const { transport } = scriptedServer({ ask: () => undefined })
  await expect(transport.request('ask')).rejects.toMatchObject({ kind: 'malformed' })
})

test('a server’s error is told from ours by its kind, whatever code it has [S4-12] [S4-21] [B13]', async () => {
  const { transport, end, message } = scriptedServer({ ask: () => silence, hang: () => silence })
  const asked = transport.request('ask')
  const { id } = await message('ask')
  await end.send({ jsonrpc: '2.0', id: id as number, error: { code: -32001, message: 'too slow' } })
  await expect(asked).rejects.toMatchObject({ kind: 'peer', code: -32001 })
  const hanging = transport.request('hang', {}, { timeoutMs: 1 })
  await expect(hanging).rejects.toMatchObject({ kind: 'timeout', code: -32001 })
})

test('a throwing notification handler does not stop the conversation', async () => {
  const { transport, end } = scriptedServer({ ask: () => ({}) })
  const warned = vi.fn()
  transport.setHandlers({
    onNotification: () => {
      throw new Error('oops')
    },
    onWarning: warned,
  })
  await end.send({ jsonrpc: '2.0', method: 'hello' })
  await transport.request('ask')
  expect(warned).toHaveBeenCalledOnce()
})

test('a lost link rejects what is in flight and tells the host once [S4-24]', async () => {
  const { transport, end, message } = scriptedServer({ ask: () => silence })
  const lost = vi.fn()
  transport.setHandlers({ onClose: lost })
  const asked = transport.request('ask')
  await message('ask')
  await end.close()
  await expect(asked).rejects.toMatchObject({ kind: 'closed' })
  await expect(transport.request('ask')).rejects.toMatchObject({ kind: 'closed' })
  await transport.close()
  expect(lost).toHaveBeenCalledOnce()
})

test('parameters that are no JSON reject the request and nothing else', async () => {
  const { transport } = scriptedServer({ ask: () => ({}) })
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  await expect(transport.request('ask', circular)).rejects.toThrow(TypeError)
  expect(await transport.request('ask')).toEqual({})
})

test('the trace travels in _meta beside what is there [F20]', async () => {
  const { transport, message } = scriptedServer({ ask: () => ({}) })
  await transport.request('ask', { a: 1, _meta: { own: 1 } }, { trace: { traceparent: '00-1-2-01' } })
  expect(await message('ask')).toMatchObject({
    params: { a: 1, _meta: { own: 1, traceparent: '00-1-2-01' } },
  })
})
