import { type HttpFixture, startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type ElicitRequest,
  type ElicitResult,
  HttpTransport,
  McpClient,
  type McpClientOptions,
  McpError,
  McpErrorCode,
} from '../../src/index.ts'
import { answer, events, scriptedHttpServer } from '../support/http-server.ts'
import { scriptedServer } from '../support/scripted-server.ts'

let fixture: HttpFixture
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  fixture = await startHttpFixture('elicit')
})

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

afterAll(() => fixture.close())

test('a question inside a call’s own stream goes to that call’s handler, with the defaults filled in [d.6-16]', async () => {
  const connectionHandler = vi.fn(async (): Promise<ElicitResult> => ({ action: 'decline' }))
  const client = await connected({ onElicitation: connectionHandler })
  const asked: unknown[] = []
  const onRequest = async (method: string, params: unknown): Promise<ElicitResult> => {
    asked.push(method, params)
    return { action: 'accept', content: { size: 'large' } }
  }
  const result = await client.callTool('order_pizza', { topping: 'olive' }, { onRequest })
  expect(result).toMatchObject({ content: [{ text: '1 large olive pizza, picked up' }] })
  expect(asked).toEqual([
    'elicitation/create',
    expect.objectContaining({ mode: 'form', message: expect.any(String) }),
  ])
  expect(connectionHandler).not.toHaveBeenCalled()
})

test('each of two calls at once is asked on its own', async () => {
  const client = await connected({ onElicitation: async () => ({ action: 'cancel' }) })
  const greet = (name: string): Promise<unknown> =>
    client.callTool(
      'whoami_slow',
      { delayMs: 20 },
      { onRequest: async () => ({ action: 'accept', content: { name } }) },
    )
  expect(await Promise.all([greet('Alice'), greet('Bob')])).toMatchObject([
    { content: [{ text: 'You are Alice.' }] },
    { content: [{ text: 'You are Bob.' }] },
  ])
})

test('what a call’s handler does not know goes to the connection’s [B3]', async () => {
  const server = await scriptedHttpServer((request, response) => {
    if (request.message.method !== 'tools/call') return void response.writeHead(202).end()
    const stream = events(response)
    stream.send({ jsonrpc: '2.0', id: 'ping', method: 'ping' })
    stream.send({ jsonrpc: '2.0', id: 'odd', method: 'odd/request' })
    setTimeout(() => stream.send(answer(request, { content: [] })), 50)
  })
  opened.push(server)
  const client = new McpClient(new HttpTransport({ url: server.url }))
  opened.push(client)
  await client.connect()
  await client.callTool('any', {}, { onRequest: (method) => Promise.reject(notFound(method)) })
  const answers = (): unknown =>
    server.seen.map(({ message }) => message).filter((message) => message.method === undefined)
  await expect.poll(answers).toContainEqual({ jsonrpc: '2.0', id: 'ping', result: {} })
  await expect
    .poll(answers)
    .toContainEqual(expect.objectContaining({ id: 'odd', error: expect.objectContaining({ code: -32601 }) }))
})

test('when the call is cancelled its question is withdrawn', async () => {
  const client = await connected({ onElicitation: async () => ({ action: 'cancel' }) })
  const abort = new AbortController()
  const withdrawn = new Promise((resolve) => {
    const onRequest = (
      _method: string,
      _params: unknown,
      { signal }: { signal: AbortSignal },
    ): Promise<ElicitResult> =>
      new Promise((decide) => {
        signal.addEventListener('abort', () => {
          resolve(signal.reason)
          decide({ action: 'cancel' })
        })
        abort.abort('never mind')
      })
    client.callTool('greet_me', {}, { onRequest, signal: abort.signal }).catch(() => undefined)
  })
  expect(await withdrawn).toBe('never mind')
})

test('accepted forms get the defaults of omitted fields; declined ones get nothing [S4-80] [F12]', async () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'nobody' },
      age: { type: 'integer', default: 0 },
      isOk: { type: 'boolean', default: false },
      tags: { type: 'array', items: { type: 'string' }, default: [] },
      note: { type: 'string' },
      // What may be left out, as Python writes it; null is no answer.
      remark: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    },
  }
  const accepted = { action: 'accept', content: { name: 'Ada', age: 0, isOk: false, tags: [] } }
  expect(await answered(schema, { action: 'accept', content: { name: 'Ada' } })).toEqual(accepted)
  expect(await answered(schema, { action: 'accept' })).toMatchObject({ content: { name: 'nobody' } })
  expect(await answered(schema, { action: 'decline' })).toEqual({ action: 'decline' })
})

test.each([
  ['by URL, which was not offered', { mode: 'url', message: 'go', url: 'https://example.com' }],
  ['without a message', { requestedSchema: { type: 'object' } }],
  ['without a schema', { message: 'hello' }],
])('a question %s is refused as invalid [F12]', async (_title, params) => {
  const server = scriptedServer()
  const ask = vi.fn(async (): Promise<ElicitResult> => ({ action: 'cancel' }))
  await new McpClient(server.transport, { onElicitation: ask }).connect()
  await server.end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params })
  expect(await server.answer('q')).toMatchObject({ error: { code: -32602 } })
  expect(ask).not.toHaveBeenCalled()
})

async function answered(requestedSchema: object, reply: ElicitResult): Promise<unknown> {
  const server = scriptedServer()
  const requests: ElicitRequest[] = []
  const onElicitation = async (request: ElicitRequest): Promise<ElicitResult> => {
    requests.push(request)
    return reply
  }
  await new McpClient(server.transport, { onElicitation }).connect()
  const params = { message: 'please', requestedSchema }
  await server.end.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params })
  const { result } = await server.answer('q')
  expect(requests).toEqual([{ mode: 'form', ...params }])
  return result
}

async function connected(options: McpClientOptions): Promise<McpClient> {
  const client = new McpClient(new HttpTransport({ url: fixture.url }), options)
  opened.push(client)
  await client.connect()
  return client
}

function notFound(method: string): McpError {
  return new McpError(`unknown ${method}`, { kind: 'unsupported', code: McpErrorCode.MethodNotFound })
}
