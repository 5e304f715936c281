import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import {
  connectMcp,
  HttpTransport,
  type McpAuthorization,
  McpClient,
  type RefusedRequest,
} from '../../../src/index.ts'
import { fakeTime } from '../../support/fake-time.ts'
import { SseTransport } from '../../../src/sse.ts'
import { answerMessage } from '../fixtures/auth-world.ts'
import { eventually } from '../../support/eventually.ts'
import { type SeenRequest, scriptedHttpServer } from '../../support/http-server.ts'

type Refused = Omit<RefusedRequest, 'header'> & { readonly challenge: string | undefined }

/** Gives out the next word each time that a request was refused. */
function wordByWord(
  options: { readonly isLate?: boolean; readonly isHopeless?: boolean } = {},
): McpAuthorization & {
  readonly refusals: Refused[]
  readonly statuses: number[]
} {
  const refusals: Refused[] = []
  const statuses: number[] = []
  const headers = (): Record<string, string> => ({ authorization: `word-${refusals.length}` })
  return {
    refusals,
    statuses,
    authorize: async () => 'unknown',
    headersFor: () => (options.isLate === true ? Promise.resolve(headers()) : headers()),
    async onRefused({ header, ...refusal }) {
      refusals.push({ ...refusal, challenge: header('www-authenticate') })
      return options.isHopeless !== true
    },
    onResponse: ({ status }) => void statuses.push(status),
  }
}

function takes(word: string, sessionId?: string): (request: SeenRequest, response: ServerResponse) => void {
  return ({ method, headers, message }, response) => {
    if (headers.authorization !== word) {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end('{"error":"no"}')
    } else if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
    } else if (method === 'DELETE') response.writeHead(200).end()
    else {
      if (sessionId !== undefined) response.setHeader('mcp-session-id', sessionId)
      answerMessage(message, response)
    }
  }
}

test.each([
  ['at once', {}],
  ['after a while', { isLate: true }],
])(
  'every kind of request carries credentials that are there %s, and a refused one is sent again [S4-46] [S4-50]',
  async (_title, options) => {
    const server = await scriptedHttpServer(takes('word-1', 'session'), { takesAll: true })
    const authorization = wordByWord(options)
    const { url } = server
    const connection = await connectMcp(
      { url, authorization, headers: { authorization: 'own' } },
      { era: 'legacy' },
    )
    await eventually(() => server.seen.some(({ method }) => method === 'GET')).toBe(true)
    await connection.close()
    await server.close()
    const [first, ...rest] = server.seen
    expect(first?.headers.authorization).toBe('word-0')
    expect(rest.every(({ headers }) => headers.authorization === 'word-1')).toBe(true)
    expect(new Set(rest.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']))
    expect(authorization.refusals).toEqual([
      {
        status: 401,
        request: { method: 'POST', url },
        sent: { authorization: 'word-0' },
        challenge: 'Bearer realm="x"',
      },
    ])
    expect(authorization.statuses.slice(0, 2)).toEqual([401, 200])
  },
)

test('the stream of what the server says on its own is asked for again with other credentials', async () => {
  let isStrict = false
  const respond = takes('word-1')
  const server = await scriptedHttpServer(
    (request, response) => {
      if (isStrict || request.method === 'GET') respond(request, response)
      else answerMessage(request.message, response)
    },
    { takesAll: true },
  )
  const authorization = wordByWord()
  const connection = await connectMcp({ url: server.url, authorization }, { era: 'legacy' })
  isStrict = true
  await eventually(() => server.seen.filter(({ method }) => method === 'GET').length).toBe(2)
  await connection.close()
  await server.close()
  expect(authorization.refusals).toMatchObject([{ request: { method: 'GET' } }])
})

test('what is refused twice for the same reason is surfaced [S4-50]', async () => {
  const server = await scriptedHttpServer(takes('never'), { takesAll: true })
  const authorization = wordByWord()
  await expect(connectMcp({ url: server.url, authorization })).rejects.toMatchObject({
    kind: 'unauthorized',
    data: { status: 401 },
  })
  await server.close()
  expect(server.seen).toHaveLength(2)
  expect(authorization.refusals).toHaveLength(1)
})

test('a token, a nonce and a right may each be missing once', async () => {
  const refusals = [
    [401, 'Bearer error="invalid_token"'],
    [401, 'DPoP error="use_dpop_nonce"'],
    [403, 'Bearer error="insufficient_scope"'],
    [403, 'Bearer error="insufficient_scope"'],
  ] as const
  const server = await scriptedHttpServer(
    (_, response) => {
      const [status, challenge] = refusals[server.seen.length - 1] ?? [500, '']
      response.writeHead(status, { 'www-authenticate': challenge }).end()
    },
    { takesAll: true },
  )
  const authorization = wordByWord()
  await expect(connectMcp({ url: server.url, authorization })).rejects.toMatchObject({
    data: { status: 403 },
  })
  await server.close()
  expect(authorization.refusals.map(({ status }) => status)).toEqual([401, 401, 403])
})

test('a request that is not worth repeating shows the refusal', async () => {
  const server = await scriptedHttpServer(takes('never'), { takesAll: true })
  const authorization = wordByWord({ isHopeless: true })
  await expect(connectMcp({ url: server.url, authorization })).rejects.toMatchObject({ kind: 'unauthorized' })
  await server.close()
  expect(server.seen).toHaveLength(1)
})

test('a refusal without end is not read to its end', async () => {
  const server = await scriptedHttpServer(
    ({ headers, message }, response) => {
      if (headers.authorization === 'word-1') return answerMessage(message, response)
      response.writeHead(401)
      response.write('x'.repeat(200_000))
    },
    { takesAll: true },
  )
  const connection = await connectMcp({ url: server.url, authorization: wordByWord() }, { era: 'legacy' })
  await connection.close()
  await server.close()
})

test('who gives up a call while credentials are being got hears the own reason, and nothing more is sent', async () => {
  const server = await scriptedHttpServer(takes('word-1'), { takesAll: true })
  let given: AbortSignal | undefined
  const authorization: McpAuthorization = {
    ...wordByWord(),
    onRefused: (_, options) => {
      given = options?.signal
      return new Promise(() => undefined)
    },
  }
  const abort = new AbortController()
  const connecting = connectMcp({ url: server.url, authorization }, { signal: abort.signal })
  await eventually(() => given).toBeDefined()
  abort.abort('no time')
  await expect(connecting).rejects.toBe('no time')
  expect(given?.aborted).toBe(true)
  await server.close()
  expect(server.seen).toHaveLength(1)
})

test('the time of a call stands still while a person signs in', async () => {
  const pass = fakeTime()
  const server = await scriptedHttpServer(takes('word-1'), { takesAll: true })
  const authorization = wordByWord()
  const slow: McpAuthorization = {
    ...authorization,
    async onRefused(refusal) {
      await pass(60_000)
      return authorization.onRefused(refusal)
    },
  }
  const client = new McpClient(new HttpTransport({ url: server.url, authorization: slow }), { era: 'legacy' })
  await client.connect({ timeoutMs: 30_000 })
  await client.close()
  await server.close()
})

test('whatever keeps credentials from being got is what the call fails with', async () => {
  const server = await scriptedHttpServer(takes('word-1'), { takesAll: true })
  const trouble = new Error('no credentials today')
  const failing = { ...wordByWord(), headersFor: () => Promise.reject(trouble) }
  await expect(connectMcp({ url: server.url, authorization: failing })).rejects.toBe(trouble)
  const refusing = { ...wordByWord(), onRefused: () => Promise.reject(trouble) }
  await expect(connectMcp({ url: server.url, authorization: refusing })).rejects.toBe(trouble)
  await server.close()
})

test('a person who is needed before the first message ends the connection there [S4-125]', async () => {
  const server = await scriptedHttpServer(takes('word-0'), { takesAll: true })
  const authorization: McpAuthorization = {
    ...wordByWord(),
    authorize: async () => 'redirect',
    authorizationUrl: 'https://as.example/authorize',
  }
  await expect(connectMcp({ url: server.url, authorization })).rejects.toMatchObject({
    name: 'McpUnauthorizedError',
    authorizationUrl: 'https://as.example/authorize',
  })
  await server.close()
  expect(server.seen).toHaveLength(0)
})

test('over a WebSocket authorization is refused clearly [S4-99] [S4-125]', async () => {
  const connecting = connectMcp({ url: 'ws://127.0.0.1:9/', authorization: wordByWord() })
  await expect(connecting).rejects.toThrow('authorization requires HTTP')
})

test('the older HTTP with events carries credentials on both of its ways', async () => {
  const server = await scriptedHttpServer(
    ({ method, headers, message }, response) => {
      if (headers.authorization !== 'word-1') return void response.writeHead(401).end()
      if (method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void stream.write('event: endpoint\ndata: /mcp\n\n')
      }
      response.writeHead(202).end()
      if (message.id === undefined) return
      const result = {
        protocolVersion: '2024-11-05',
        capabilities: {},
        serverInfo: { name: 'old', version: '1' },
      }
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`)
    },
    { takesAll: true },
  )
  let stream: ServerResponse | undefined
  const authorization = wordByWord()
  const client = new McpClient(new SseTransport({ url: server.url, authorization }), { era: 'legacy' })
  await client.connect()
  await client.close()
  await server.close()
  expect(authorization.refusals).toHaveLength(1)
})

test('a transport can be given an authorization without connectMcp', async () => {
  const server = await scriptedHttpServer(takes('word-1'), { takesAll: true })
  const authorization = wordByWord()
  const client = new McpClient(new HttpTransport({ url: server.url, authorization }), { era: 'legacy' })
  await client.connect()
  expect(await client.listTools()).toHaveLength(1)
  await client.close()
  await server.close()
})
