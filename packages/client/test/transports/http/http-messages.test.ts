import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  HttpTransport,
  type HttpTransportConfig,
  McpClient,
  type McpClientOptions,
} from '../../../src/index.ts'
import {
  answer,
  events,
  json,
  type Respond,
  type ScriptedHttpServer,
  scriptedHttpServer,
} from '../../support/http-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

describe.each([
  ['Node’s own client', {}],
  ['a given fetch', { fetch }],
])('sent by %s', (_sender, config) => {
  test('the session and the revision travel with everything after the handshake, and nothing overrides them [S4-44] [S4-45] [S4-49] [S4-61] [S3-34] [S3-35] [S3-36] [H2 H3]', async () => {
    const headers = {
      Authorization: `Bearer ${canary('header')}`,
      'MCP-Session-Id': 'mine',
      accept: 'nothing',
      Host: 'elsewhere',
    }
    const { client, server } = await connected(
      (request, response) => json(response, answer(request, { tools: [] })),
      {
        sessionId: 'session-1',
        config: { ...config, headers },
      },
    )
    await client.listTools({ headers: { 'X-Extra': 'yes', 'mcp-protocol-version': '1999' } })
    await client.close()
    const [initialize, initialized] = server.seen
    expect(initialize?.headers).toMatchObject({
      authorization: `Bearer ${canary('header')}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      host: new URL(server.url).host,
    })
    expect(initialize?.headers).not.toHaveProperty('mcp-session-id')
    expect(initialize?.headers).not.toHaveProperty('mcp-protocol-version')
    const ours = {
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-11-25',
      authorization: `Bearer ${canary('header')}`,
    }
    expect(initialized?.headers).toMatchObject(ours)
    const list = server.seen.find(({ message }) => message.method === 'tools/list')
    expect(list?.headers).toMatchObject({ ...ours, 'x-extra': 'yes' })
    expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: ours })
  })

  test('events before the answer are routed as they arrive, and the answer does not wait for the end [S4-52] [d.6-10] [d.6-16] [S3-37] [H1]', async () => {
    const noticed = vi.fn()
    const { client } = await connected(
      (request, response) => {
        const stream = events(response)
        stream.send({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'working' } })
        stream.send(answer(request, { content: [] }))
      },
      { config, onNotification: noticed },
    )
    expect(await client.callTool('any')).toEqual({ content: [] })
    expect(noticed).toHaveBeenCalledWith('notifications/message', { data: 'working' })
  })

  test('an answer over the limit fails its call, as JSON and as an event, and no other [C9]', async () => {
    const { client } = await connected(
      (request, response) => {
        const { name } = request.message.params as { name: string }
        const result = answer(request, {
          content: [{ type: 'text', text: 'x'.repeat(name === 'small' ? 10 : 5_000) }],
        })
        if (name === 'event') events(response).send(result)
        else json(response, result)
      },
      { config: { ...config, maxMessageBytes: 1_000 } },
    )
    const large = { kind: 'malformed', message: expect.stringContaining('larger than 1000 bytes') }
    await expect(client.callTool('json')).rejects.toMatchObject(large)
    await expect(client.callTool('event')).rejects.toMatchObject(large)
    expect((await client.callTool('small')).content).toHaveLength(1)
  })

  test('a stream that ends without the answer fails the call at once', async () => {
    const { client } = await connected((_request, response) => events(response).end(), { config })
    await expect(client.callTool('any')).rejects.toMatchObject({
      kind: 'closed',
      message: 'the server ended its reply to tools/call without an answer; its effect is unknown',
      data: { effect: 'unknown' },
    })
  })

  test('a connection that breaks in the middle of an answer fails the call at once', async () => {
    const { client } = await connected(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{', () => response.destroy())
      },
      { config },
    )
    await expect(client.callTool('any')).rejects.toMatchObject({
      kind: 'closed',
      message: expect.stringMatching(/^the connection to http:\/\/127.0.0.1:\d+ broke during an answer/),
    })
  })

  test('cancelling tells the server and lets go of the stream [B7]', async () => {
    let released: () => void = () => undefined
    const letGo = new Promise<void>((resolve) => (released = resolve))
    const { client, server } = await connected(
      (request, response) => {
        if (request.message.method !== 'tools/call') return void response.writeHead(202).end()
        events(response)
        response.on('close', () => released())
      },
      { config },
    )
    const abort = new AbortController()
    const call = client.callTool('any', {}, { signal: abort.signal })
    await expect.poll(() => server.seen.some(({ message }) => message.method === 'tools/call')).toBe(true)
    abort.abort('enough')
    await expect(call).rejects.toBe('enough')
    await letGo
    const { id } = server.seen.find(({ message }) => message.method === 'tools/call')?.message ?? {}
    await expect
      .poll(() => server.seen.at(-1)?.message)
      .toMatchObject({
        method: 'notifications/cancelled',
        params: { requestId: id },
      })
  })

  test('closing rejects what is in flight and does not wait for a server that hangs', async () => {
    const { client } = await connected(() => undefined, { config })
    const call = client.callTool('any')
    const rejected = expect(call).rejects.toMatchObject({ kind: 'closed' })
    await client.close()
    await rejected
  })
})

test('a fetch of the host sends every request as a POST, with ids that count up [S4-43] [S4-47]', async () => {
  const sent: unknown[] = []
  const noting: typeof fetch = (url, init) => {
    const { id, method } = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    sent.push([init?.method, id, method])
    return fetch(url, init)
  }
  const { client } = await connected(
    (request, response) => json(response, answer(request, { content: [], tools: [] })),
    { config: { fetch: noting }, era: 'legacy' },
  )
  await client.listTools()
  await client.callTool('any')
  expect(sent).toEqual([
    ['POST', 1, 'initialize'],
    ['POST', undefined, 'notifications/initialized'],
    ['GET', undefined, undefined],
    ['POST', 2, 'tools/list'],
    ['POST', 3, 'tools/call'],
  ])
})

test('what a server answers to a notification is not read [S4-55]', async () => {
  const noticed = vi.fn()
  const { client, server } = await connected(
    (_request, response) => json(response, { jsonrpc: '2.0', method: 'notifications/message' }),
    { onNotification: noticed, roots: [] },
  )
  await client.rootsChanged()
  expect(server.seen.at(-1)).toMatchObject({
    method: 'POST',
    message: { method: 'notifications/roots/list_changed' },
  })
  expect(noticed).not.toHaveBeenCalled()
})

test('a server that does not end sessions on request is left without an error [S4-61]', async () => {
  const server = await scriptedHttpServer(
    (request, response) => {
      const isPost = request.method === 'POST'
      if (request.message.method !== 'initialize') return void response.writeHead(isPost ? 202 : 405).end()
      const serverInfo = { name: 'a', version: '1' }
      response.setHeader('mcp-session-id', 'session-1')
      json(response, answer(request, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }))
    },
    { takesAll: true },
  )
  opened.push(server)
  const client = new McpClient(new HttpTransport({ url: server.url }), { era: 'legacy' })
  await client.connect()
  await client.close()
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } })
})

test('calls one after the other share one connection, also with event streams', async () => {
  const { client, server } = await connected((request, response) => {
    const stream = events(response)
    stream.send(answer(request, { content: [] }))
    stream.end()
  })
  for (let count = 0; count < 5; count++) await client.callTool('any')
  expect(server.connections()).toBeLessThanOrEqual(2)
})

test('a stream that stays open after the answer is let go', async () => {
  let released: () => void = () => undefined
  const letGo = new Promise<void>((resolve) => (released = resolve))
  const { client } = await connected((request, response) => {
    events(response).send(answer(request, { content: [] }))
    response.on('close', () => released())
  })
  await client.callTool('any')
  await letGo
})

test('a batch as answer is taken apart [S4-53] [B2]', async () => {
  const { client } = await connected((request, response) => {
    json(response, [{ jsonrpc: '2.0', method: 'notifications/message' }, answer(request, { content: [] })])
  })
  expect(await client.callTool('any')).toEqual({ content: [] })
})

test('an event that is not JSON is dropped with a warning, and the answer after it arrives', async () => {
  const warned = vi.fn()
  const { client } = await connected(
    (request, response) => {
      const stream = events(response)
      response.write('data: oops\n\nevent: custom\ndata: {}\n\n: comment\n\n')
      stream.send(answer(request, { content: [] }))
    },
    { onWarning: warned },
  )
  expect(await client.callTool('any')).toEqual({ content: [] })
  expect(warned).toHaveBeenCalledOnce()
})

test('addresses and headers that cannot be used are refused at once, without showing them', () => {
  const secret = canary('password')
  const attempts = [
    { url: `ftp://host/?key=${secret}` },
    { url: `not a url ${secret}` },
    { url: `https://user:${secret}@host/` },
    { url: 'http://host/', headers: { authorization: `${secret}\r\nx: y` } },
  ]
  for (const config of attempts) {
    const error = failureOf(() => new HttpTransport(config))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain(secret)
  }
})

interface Setup extends McpClientOptions {
  readonly sessionId?: string
  readonly config?: Partial<HttpTransportConfig>
}

async function connected(
  respond: Respond,
  { sessionId, config, ...options }: Setup = {},
): Promise<{ client: McpClient; server: ScriptedHttpServer }> {
  const server = await scriptedHttpServer(respond, sessionId === undefined ? {} : { sessionId })
  opened.push(server)
  const client = new McpClient(new HttpTransport({ url: server.url, ...config }), options)
  opened.push(client)
  await client.connect()
  return { client, server }
}

function failureOf(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    return error
  }
}
