import { type CallToolResult, Server, type ServerContext } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionTransport } from '../src/mcp/session-transport.ts'

// Whether a result comes soon must not depend on how busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const result: CallToolResult = { content: [{ type: 'text', text: 'done' }] }
const accept = 'application/json, text/event-stream'
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
} as const

test('a result that comes soon is a JSON document with the id of the session', async () => {
  const { post } = await openSession(async () => result)
  const response = await post(callOf(1))
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('mcp-session-id')).toBe('session')
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result })
  const unknown = await post({ ...callOf(2), method: 'unknown' })
  expect(await unknown.json()).toMatchObject({ id: 2, error: { code: -32601 } })
})

test('a message before the result makes the response an event stream with both', async () => {
  const { post } = await openSession(async ({ mcpReq }) => {
    const params = { progressToken: 'p', progress: 1 }
    await mcpReq.notify({ method: 'notifications/progress', params })
    return result
  })
  const response = await post(callOf(1))
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('mcp-session-id')).toBe('session')
  expect(eventsIn(await response.text())).toMatchObject([
    { method: 'notifications/progress' },
    { id: 1, result },
  ])
})

test('a host that does not read misses progress, and gets its questions and the result', async () => {
  const message = 'x'.repeat(100_000)
  const { promise, resolve } = pendingCall()
  const reported = pendingCall()
  const { post } = await openSession(async ({ mcpReq }) => {
    for (let progress = 1; progress <= 100; progress += 1)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: 'p', progress, message },
      })
    void mcpReq.send({ method: 'ping' }).catch(() => undefined)
    reported.resolve(result)
    return promise
  })
  const response = await post(callOf(1))
  await reported.promise
  resolve(result)
  const events = eventsIn(await response.text())
  expect(events.length).toBeGreaterThan(5)
  expect(events.length).toBeLessThan(20)
  expect(events.slice(-2)).toMatchObject([{ method: 'ping' }, { id: 1, result }])
})

test('the response of a longer call begins before its result', async () => {
  const { promise, resolve } = pendingCall()
  const { post } = await openSession(() => promise)
  const answering = post(callOf(1))
  await vi.advanceTimersByTimeAsync(200)
  const response = await answering
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  resolve(result)
  expect(eventsIn(await response.text())).toEqual([{ jsonrpc: '2.0', id: 1, result }])
})

test('the response to a cancelled call ends without a result, and its id can be used again', async () => {
  const { post } = await openSession(({ mcpReq: { signal } }) =>
    signal.aborted
      ? Promise.reject(signal.reason)
      : new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(result))
        }),
  )
  for (const id of [1, 1]) {
    const answering = post(callOf(id))
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    expect(eventsIn(await (await answering).text())).toEqual([])
  }
})

test('a call without a result ends with its session', async () => {
  const { post, transport } = await openSession(() => new Promise(() => undefined))
  const answering = post(callOf(1))
  await transport.close()
  expect(eventsIn(await (await answering).text())).toEqual([])
  expect((await post(callOf(2))).status).toBe(404)
})

test('a request under the id of one that is not answered yet gets a response of its own', async () => {
  const { promise, resolve } = pendingCall()
  const { post } = await openSession(() => promise)
  const both = [post(callOf(1)), post(callOf(1))]
  resolve(result)
  const texts = await Promise.all(both.map(async (response) => (await response).text()))
  expect(texts.every((text) => text.includes('done'))).toBe(true)
})

test.each([
  ['a response in one format only', { headers: { accept: 'application/json' } }, 406],
  ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['an unknown revision', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
  ['another session', { headers: { 'mcp-session-id': 'other' } }, 404],
  ['an unknown member', { message: { ...callOf(1), extra: true } }, 400],
  ['a second start', { message: { ...initialize, id: 9 } }, 400],
])('a request with %s is refused', async (_what, { message = callOf(1), headers = {} }: Refused, status) => {
  const { post } = await openSession(async () => result)
  expect((await post(message, headers)).status).toBe(status)
})

test('several requests in one are all answered', async () => {
  const { post } = await openSession(async () => result)
  const response = await post([callOf(1), callOf(2)])
  expect(eventsIn(await response.text())).toMatchObject([{ id: 1 }, { id: 2 }])
})

interface Refused {
  readonly message?: object
  readonly headers?: Readonly<Record<string, string>>
}

function callOf(id: number): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'any' } }
}

/** A server of the SDK with one handler, after the start of its session. */
async function openSession(call: (context: ServerContext) => Promise<CallToolResult>): Promise<{
  readonly transport: SessionTransport
  readonly post: (message: object, headers?: Readonly<Record<string, string>>) => Promise<Response>
}> {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', (_request, context) => call(context))
  const transport = new SessionTransport({ sessionIdGenerator: () => 'session' })
  await server.connect(transport)
  const send = (parsedBody: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
    transport.handleRequest(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json', ...headers },
      }),
      { parsedBody },
    )
  await (await send(initialize, {})).text()
  return {
    transport,
    post: (message, headers) => send(message, { 'mcp-session-id': 'session', ...headers }),
  }
}

function eventsIn(stream: string): readonly unknown[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
}

function pendingCall(): {
  readonly promise: Promise<CallToolResult>
  readonly resolve: (result: CallToolResult) => void
} {
  let resolve: (result: CallToolResult) => void = () => undefined
  const promise = new Promise<CallToolResult>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
