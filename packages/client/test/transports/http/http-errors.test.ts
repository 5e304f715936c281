import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, expect, test } from 'vitest'
import { unacknowledgedError } from '../../../src/http/http-errors.ts'
import { unansweredError } from '../../../src/transports/http/recover.ts'
import { HttpTransport, McpClient, type McpClientOptions, McpErrorCode } from '../../../src/index.ts'
import {
  answer,
  json,
  type Respond,
  type ScriptedHttpServer,
  scriptedHttpServer,
} from '../../support/http-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('an error that the server explains in JSON-RPC is that error, whatever id it names [S4-9] [S4-54] [H11]', async () => {
  const error = { code: -32000, message: 'Bad Request: Server not initialized', data: { hint: 1 } }
  const client = await connected((_request, response) =>
    json(response, { jsonrpc: '2.0', id: null, error }, 400),
  )
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'peer', ...error })
})

test.each([401, 403])('status %i says that access was refused', async (status) => {
  const client = await connected((_request, response) => json(response, { error: { message: 'no' } }, status))
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'unauthorized',
    code: McpErrorCode.ConnectionClosed,
    data: { status, effect: 'none' },
  })
})

test.each([
  [404, /HTTP 404; is it an MCP server\?/],
  [405, /HTTP 405; is it/],
  [500, /HTTP 500$/],
  [503, /HTTP 503$/],
])('status %i without an explanation is named [S4-51]', async (status, message) => {
  const client = await connected((_request, response) => void response.writeHead(status).end('<html>'))
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'unreachable',
    code: McpErrorCode.ConnectionClosed,
    message: expect.stringMatching(message),
    data: { status, effect: status >= 500 ? 'unknown' : 'none' },
  })
})

test.each([
  ['Node’s own client', {}, '; nothing listens there, so check the port and that the server runs'],
  ['a given fetch', { fetch }, ''],
])(
  'an unreachable server is named by its origin and nothing else, with %s [S4-12]',
  async (_sender, config, hint) => {
    const gone = await server(() => undefined)
    await gone.close()
    opened.pop()
    const url = `${gone.url}/${canary('path')}?key=${canary('query')}`
    const headers = { authorization: `Bearer ${canary('header')}` }
    const client = new McpClient(new HttpTransport({ url, headers, ...config }))
    const error: unknown = await client.connect().catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      kind: 'unreachable',
      code: McpErrorCode.ConnectionClosed,
      message: `cannot reach ${new URL(gone.url).origin}: ECONNREFUSED${hint}`,
    })
    expect(inspectDeeply(error)).not.toMatch(/Kanarienvogel/)
  },
)

test('a server that does not speak TLS is told apart from one that is not there', async () => {
  const { url } = await server((_request, response) => response.end())
  const client = new McpClient(new HttpTransport({ url: url.replace('http:', 'https:') }))
  await expect(client.connect()).rejects.toThrow('EPROTO; it does not speak TLS, so check whether')
})

test('an answer of another kind than JSON and events is malformed', async () => {
  const client = await connected((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  })
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringMatching(/with text\/html, .*; is it an MCP server\?$/),
  })
})

test('invalid JSON is malformed', async () => {
  const client = await connected((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":')
  })
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'malformed' })
})

test('an accepted request without an answer fails instead of waiting for ever', async () => {
  const client = await connected((_request, response) => void response.writeHead(202).end())
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'closed',
    code: McpErrorCode.ConnectionClosed,
    data: { effect: 'unknown' },
  })
})

test('a request without an answer has a code of its own, and so has a message without an acknowledgement', () => {
  expect(unansweredError('tools/call').code).toBe(McpErrorCode.ConnectionClosed)
  expect(unacknowledgedError(new URL('http://host'), 5)).toMatchObject({
    kind: 'timeout',
    code: McpErrorCode.RequestTimeout,
  })
})

test('a handshake fails when the server refuses the notification that ends it', async () => {
  const refusing = await server(
    (request, response) => {
      if (request.message.method !== 'initialize') return void response.writeHead(500).end()
      const serverInfo = { name: 'a', version: '1' }
      json(response, answer(request, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }))
    },
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: refusing.url }))
  await expect(client.connect()).rejects.toMatchObject({ kind: 'unreachable', data: { status: 500 } })
})

async function server(respond: Respond, options: object = {}): Promise<ScriptedHttpServer> {
  const started = await scriptedHttpServer(respond, options)
  opened.push(started)
  return started
}

async function connected(
  respond: Respond,
  options: McpClientOptions = {},
  sessionId?: string,
): Promise<McpClient> {
  const { url } = await server(respond, sessionId === undefined ? {} : { sessionId })
  const client = new McpClient(new HttpTransport({ url }), options)
  opened.push(client)
  await client.connect()
  return client
}

function inspectDeeply(error: unknown): string {
  const { message, stack, cause } = error as Error
  return [message, stack, String(cause), JSON.stringify(cause), JSON.stringify(error)].join('\n')
}
