import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { HttpTransport, McpClient, type McpClientOptions } from '../../../src/index.ts'
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

const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

test('what the server says on its own stream arrives, and its requests there are answered [S4-60] [S4-62] [S4-67] [S4-78] [D24] [H4 B3]', async () => {
  const noticed = vi.fn()
  const { seen } = await listening(
    (_count, response) => {
      const stream = events(response)
      stream.send(notice)
      stream.send({ jsonrpc: '2.0', id: 'p', method: 'ping' })
    },
    { onNotification: noticed },
  )
  await expect
    .poll(() => seen.find(({ message }) => message.id === 'p')?.message)
    .toEqual({
      jsonrpc: '2.0',
      id: 'p',
      result: {},
    })
  expect(noticed).toHaveBeenCalledWith(notice.method, undefined)
})

test('a request of the server says on the stream of which request it came [H4]', async () => {
  const about: unknown[] = []
  const server = await scriptedHttpServer((request, response) => {
    const { name } = (request.message.params ?? {}) as { readonly name?: string }
    if (name === undefined) return void response.writeHead(202).end()
    const stream = events(response)
    const messages = [{ jsonrpc: '2.0', id: name, method: 'vendor/ask' }, answer(request, { content: [] })]
    for (const message of name === 'late' ? messages.toReversed() : messages) stream.send(message)
  })
  opened.push(server)
  const onServerRequest: McpClientOptions['onServerRequest'] = async (_method, _params, { request }) => {
    about.push(request === 'ended' ? request : request?.params)
    return {}
  }
  const client = new McpClient(new HttpTransport({ url: server.url }), { onServerRequest })
  opened.push(client)
  await client.connect()
  await client.callTool('early')
  await client.callTool('late')
  await expect.poll(() => about).toEqual([{ name: 'early', arguments: {} }, 'ended'])
})

test('the server is asked for its own stream before anything else is asked of it [S4-16] [S4-72] [H4]', async () => {
  const server = await scriptedHttpServer((request, response) =>
    json(response, answer(request, { tools: [] })),
  )
  const client = new McpClient(new HttpTransport({ url: server.url }))
  await client.connect()
  await client.listTools()
  expect(server.seen.map(({ method, message }) => message.method ?? method)).toEqual([
    'initialize',
    'notifications/initialized',
    'GET',
    'tools/list',
  ])
  await client.close()
  await server.close()
})

test('the stream is asked for as events, and connecting does not wait for it [S4-56] [S4-135]', async () => {
  const { seen } = await listening(() => undefined)
  await expect.poll(() => seen.some(({ method }) => method === 'GET')).toBe(true)
  const asked = seen.find(({ method }) => method === 'GET')
  expect(asked?.headers).toMatchObject({ accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' })
})

test('a server without such a stream is asked once [S4-57] [H4]', async () => {
  const { seen, client } = await listening((_count, response) => void response.writeHead(405).end())
  await client.ping()
  await client.ping()
  expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(1)
})

test('a dropped stream is taken up again after the server’s own pause, from the last event [S4-58] [S4-59] [H5 H6]', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  const noticed = vi.fn()
  const { seen } = await listening(
    (count, response) => {
      const stream = events(response)
      stream.send(notice, `id: event-${count}\nretry: 123\n`)
      if (count < 3) stream.end()
    },
    { onNotification: noticed },
  )
  await expect.poll(() => noticed.mock.calls.length).toBe(3)
  const gets = seen.filter(({ method }) => method === 'GET')
  expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'event-1', 'event-2'])
  expect(timers.mock.calls.filter(([, ms]) => ms === 123)).toHaveLength(2)
})

test('a stream that fails with a server error is tried again [d.6-14]', async () => {
  const noticed = vi.fn()
  await listening(
    (count, response) => {
      if (count === 1) response.writeHead(503).end()
      else events(response).send(notice)
    },
    { onNotification: noticed },
  )
  await expect.poll(() => noticed.mock.calls.length).toBe(1)
})

test.each([400, 401, 404])(
  'a stream refused with %i is told once and not asked for again',
  async (status) => {
    const warned = vi.fn()
    const { seen, client } = await listening((_count, response) => void response.writeHead(status).end(), {
      onWarning: warned,
    })
    await expect.poll(() => warned.mock.calls.length).toBe(1)
    expect(warned.mock.calls[0]?.[0]).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining(`was abandoned: http://127.0.0.1`),
    })
    await client.ping()
    expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(1)
  },
)

test('a stream that fails again and again is given up with a warning, and taken up when the server answers [S4-58]', async () => {
  const warned = vi.fn()
  const { seen, client } = await listening(
    (count, response) => {
      // The first attempt works and asks for short pauses.
      if (count === 1) events(response).send(notice, 'retry: 1\n')
      if (count === 1) response.end()
      else response.writeHead(503).end()
    },
    { onWarning: warned },
  )
  const gets = (): number => seen.filter(({ method }) => method === 'GET').length
  await expect.poll(() => warned.mock.calls.length).toBe(2)
  expect(warned.mock.calls.map(([warning]) => String(warning))).toEqual([
    expect.stringContaining('failed and is retried'),
    expect.stringContaining('failed and was abandoned'),
  ])
  expect(gets()).toBe(7)
  await client.ping()
  await expect.poll(gets).toBeGreaterThan(7)
})

test('the rest of an answer whose stream broke is fetched from the last event [H5 H6]', async () => {
  const { client, seen } = await started((request, response) => {
    if (request.method === 'POST') {
      const stream = events(response)
      response.write('id: prime\nretry: 50\ndata:\n\n', () => stream.end())
    } else if (request.headers['last-event-id'] === 'prime') {
      const call = seen.find(({ message }) => message.method === 'tools/call')
      events(response).send({ jsonrpc: '2.0', id: call?.message.id, result: { content: [] } })
    } else response.writeHead(405).end()
  })
  expect(await client.callTool('any')).toEqual({ content: [] })
})

test('an answer that cannot be taken up again fails the call', async () => {
  const { client } = await started((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const stream = events(response)
    response.write('id: prime\nretry: 10\ndata:\n\n', () => stream.end())
  })
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'closed' })
})

test('a call whose streams end 100 times without a new event is given up', async () => {
  const { client, seen } = await started((request, response) => {
    const isListening = request.method === 'GET' && request.headers['last-event-id'] === undefined
    if (isListening) return void response.writeHead(405).end()
    const stream = events(response)
    response.write('id: prime\nretry: 0\ndata:\n\n', () => stream.end())
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let hasEnded = false
    const calling = client.callTool('any', {}, { timeoutMs: 2 ** 31 - 1 }).finally(() => (hasEnded = true))
    calling.catch(() => undefined)
    while (!hasEnded && seen.length < 200) {
      await vi.advanceTimersByTimeAsync(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(seen.filter(({ headers }) => headers['last-event-id'] === 'prime')).toHaveLength(100)
    await expect(calling).rejects.toMatchObject({
      kind: 'closed',
      message: 'the server ended 100 streams for tools/call without a new event; its effect is unknown',
      data: { effect: 'unknown' },
    })
  } finally {
    vi.useRealTimers()
  }
})

test('closing ends the listening stream [S4-56] [S4-61]', async () => {
  let released: () => void = () => undefined
  const letGo = new Promise<void>((resolve) => (released = resolve))
  const { client, seen } = await listening((_count, response) => {
    events(response)
    response.on('close', () => released())
  })
  await expect.poll(() => seen.some(({ method }) => method === 'GET')).toBe(true)
  await client.close()
  await letGo
})

/** A client whose server answers pings and leaves the listening stream, opened for the nth time, to the test. */
function listening(
  onListen: (count: number, response: Parameters<Respond>[1]) => void,
  options: McpClientOptions = {},
): Promise<{ client: McpClient; seen: ScriptedHttpServer['seen'] }> {
  let count = 0
  return started((request, response) => {
    if (request.method === 'GET') onListen(++count, response)
    else if (request.message.method === 'ping') json(response, answer(request, {}))
    else response.writeHead(202).end()
  }, options)
}

async function started(
  respond: Respond,
  options: McpClientOptions = {},
): Promise<{ client: McpClient; seen: ScriptedHttpServer['seen'] }> {
  const server = await scriptedHttpServer(
    (request, response) => {
      const serverInfo = { name: 'streams', version: '1' }
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }
      if (request.message.method === 'initialize') json(response, answer(request, result))
      else if (request.message.method === 'notifications/initialized') response.writeHead(202).end()
      else respond(request, response)
    },
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: server.url }), { era: 'legacy', ...options })
  opened.push(server, client)
  await client.connect()
  return { client, seen: server.seen }
}
