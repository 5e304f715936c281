import type { ServerResponse } from 'node:http'
import type { CompleteArgumentRequest } from '@toolbridge/api'
import { createGatewayClient, followEvents, type GatewayClient, GatewayError } from '@toolbridge/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type StubServer, send, startStubServer } from './stub-server.ts'

test('the bearer is asked for at each request and goes into a header, never into the address', async () => {
  await using server = await startStubServer()
  const tokens = [undefined, 'secret-bearer']
  const client = createGatewayClient({ baseUrl: server.url, token: () => tokens.shift() })
  await client.readConfig()
  await client.readConfig()
  expect(server.requests.map((request) => request.authorization)).toEqual([undefined, 'Bearer secret-bearer'])
  expect(server.requests.map((request) => request.url)).toEqual([
    '/api/mcp/config?masked=1',
    '/api/mcp/config?masked=1',
  ])
})

const rules = { deny: ['mcp:*'] }
const item = { server: 'a', name: 'b', uri: 'c' }
const completion: CompleteArgumentRequest = {
  server: 'a',
  ref: { type: 'ref/prompt', name: 'b' },
  argument: { name: 'c', value: '' },
}

test.each<[string, (client: GatewayClient) => Promise<object>, string]>([
  ['POST /api/explain', (client) => client.explain({ text: 'x' }), 'servers'],
  ['GET /api/resources', (client) => client.resources(), 'resources'],
  ['POST /api/resources/read', (client) => client.readResource(item), 'contents'],
  ['GET /api/prompts', (client) => client.prompts(), 'prompts'],
  ['POST /api/prompts/get', (client) => client.getPrompt(item), 'messages'],
  ['POST /api/complete', (client) => client.complete(completion), 'values'],
  ['POST /api/servers/a%2Fb/sign-in', (client) => client.beginServerSignIn('a/b'), 'url'],
  ['DELETE /api/servers/a%2Fb/sign-in', (client) => client.endServerSignIn('a/b'), 'success'],
  ['POST /api/oauth/callback', (client) => client.finishServerSignIn('https://a.example/'), 'server'],
  ['GET /api/permissions', (client) => client.permissions(), 'rules'],
  ['PUT /api/permissions', (client) => client.savePermissions({ rules }), 'version'],
  ['POST /api/permissions/test', (client) => client.testPermission({ tool: 'x' }), 'verdict'],
  ['POST /api/permissions/dry-run', (client) => client.dryRunPermissions({ rules }), 'changes'],
  ['GET /api/grants', (client) => client.grants(), 'grants'],
  ['DELETE /api/grants/a%2Fb', (client) => client.revokeGrant('a/b'), 'success'],
  ['GET /api/pins', (client) => client.pins(), 'pins'],
  ['POST /api/pins/a%2Fb/accept', (client) => client.acceptPin('a/b'), 'success'],
  ['DELETE /api/pins/a%2Fb', (client) => client.removePin('a/b'), 'success'],
  ['GET /api/activity?server=a&limit=2', (client) => client.activity({ server: 'a', limit: 2 }), 'entries'],
  ['GET /api/activity/a%2Fb', (client) => client.trace('a/b'), 'entry'],
  ['GET /api/audit', (client) => client.audit(), 'entries'],
])('%s is one method of the client', async (expected, call, field) => {
  await using server = await startStubServer()
  server.respond = (_request, response) => send(response, 200, { [field]: 'sent' })
  expect(await call(createGatewayClient({ baseUrl: server.url }))).toEqual({ [field]: 'sent' })
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([expected])
})

test('a diagnosis is read as it arrives, and ends when its reader does', async () => {
  await using server = await startStubServer()
  const ended = new Promise<void>((resolve) => {
    server.respond = (_request, response) => {
      response.once('close', resolve)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"type":"done","outcome":"ok"}\n\n')
    }
  })
  for await (const event of createGatewayClient({ baseUrl: server.url }).diagnose('a b')) {
    expect(event).toEqual({ type: 'done', outcome: 'ok' })
    break
  }
  await ended
  expect(server.requests).toMatchObject([{ method: 'POST', url: '/api/servers/a%20b/doctor' }])
})

test('a problem document becomes an error with its code, its sentence and every issue', async () => {
  await using server = await startStubServer()
  const issues = [{ path: '/mcpServers/a/command', message: 'must be a string' }]
  server.respond = (_request, response) =>
    send(response, 422, { code: 'config_invalid', detail: 'one entry is wrong', issues })
  const failure = createGatewayClient({ baseUrl: server.url }).saveConfig({ mcpServers: {} })
  await expect(failure).rejects.toMatchObject({
    name: 'GatewayError',
    kind: 'invalid',
    code: 'config_invalid',
    message: 'one entry is wrong',
    issues,
  })
})

test('a save that would send secrets elsewhere fails with both destinations, to show and to confirm', async () => {
  await using server = await startStubServer()
  const destinations = [
    { server: 'a', fields: ['/headers/Authorization'], from: 'https://a.example', to: 'https://b.example' },
  ]
  server.respond = (_request, response) =>
    send(response, 422, { code: 'destination_unconfirmed', detail: 'nothing was saved', destinations })
  const failure = createGatewayClient({ baseUrl: server.url }).saveConfig({ mcpServers: {} })
  await expect(failure).rejects.toMatchObject({ code: 'destination_unconfirmed', destinations })
})

test('one server is read, saved, changed and removed under its own address', async () => {
  await using server = await startStubServer()
  server.respond = (_request, response) => send(response, 200, { server: {}, version: 2, success: true })
  const client = createGatewayClient({ baseUrl: server.url })
  await client.readServer('a/b')
  await client.saveServer('a/b', { server: { command: 'x' }, version: 1 })
  await client.changeServer('a/b', { name: 'c' })
  await client.removeServer('a/b', { version: 2 })
  await client.removeServer('a/b')
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/servers/a%2Fb',
    'PUT /api/servers/a%2Fb',
    'PATCH /api/servers/a%2Fb',
    'DELETE /api/servers/a%2Fb?version=2',
    'DELETE /api/servers/a%2Fb',
  ])
})

test.each([
  [401, 'unauthorized'],
  [403, 'refused'],
  [409, 'conflict'],
  [502, 'failed'],
])('status %i is of kind %s', async (status, kind) => {
  await using server = await startStubServer()
  server.respond = (_request, response) => send(response, status, {})
  await expect(createGatewayClient({ baseUrl: server.url }).tools()).rejects.toMatchObject({ kind })
})

test('an address where no gateway answers is told apart from a gateway that refuses', async () => {
  await using server = await startStubServer()
  server.respond = (_request, response) => response.end('<!doctype html><title>Something else</title>')
  await expect(createGatewayClient({ baseUrl: server.url }).tools()).rejects.toMatchObject({
    kind: 'malformed',
  })
})

test('a gateway that never answers is given up at the deadline', async () => {
  await using server = await startStubServer()
  server.respond = () => undefined
  const client = createGatewayClient({ baseUrl: server.url, timeoutMs: 50 })
  await expect(client.tools()).rejects.toMatchObject({ kind: 'timed_out' })
})

test('a cancelled call rejects with the reason it was cancelled for', async () => {
  await using server = await startStubServer()
  const controller = new AbortController()
  const reason = new Error('the person pressed cancel')
  server.respond = () => controller.abort(reason)
  const client = createGatewayClient({ baseUrl: server.url })
  await expect(client.callTool({ tool: 'slow' }, { signal: controller.signal })).rejects.toBe(reason)
})

test('events are read as they arrive, across comments and split frames', async () => {
  await using server = await startStubServer()
  server.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': welcome\r\n\r\ndata: {"type":\r')
    response.write('\ndata: "hello"}\r\n\r\n')
    response.end('event: ignored\ndata:{"type":"config","version":3}\n\n')
  }
  const events = []
  for await (const event of createGatewayClient({ baseUrl: server.url }).events()) events.push(event)
  expect(events).toEqual([{ type: 'hello' }, { type: 'config', version: 3 }])
})

test('a broken event stream is opened again', async () => {
  await using server = await startStubServer()
  let connections = 0
  server.respond = (_request, response) => {
    connections += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"type":"hello"}\n\n', () => {
      if (connections === 1) response.destroy()
    })
  }
  const { links, followed } = await followUntil(server, 2)
  expect(links).toEqual(['connecting', 'open', 'lost', 'connecting', 'open'])
  await expect(followed).resolves.toBeUndefined()
})

test('a stream without the heartbeats of the gateway is opened again, and one with them is not', async () => {
  // Silence lasts 45 s.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using server = await startStubServer()
  let stream: ServerResponse | undefined
  server.respond = (_request, response) => {
    stream = response
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"type":"hello"}\n\n')
  }
  const links: string[] = []
  const stop = new AbortController()
  // Before the server closes, which waits for its streams.
  using _following = { [Symbol.dispose]: () => stop.abort() }
  let reads = 0
  const fetch = readingFetch(() => {
    reads += 1
  })
  let heard = 0
  const following = followEvents(createGatewayClient({ baseUrl: server.url, fetch }), {
    signal: stop.signal,
    onState: (link) => links.push(link),
    onEvent: () => {
      heard += 1
    },
  })
  await expect.poll(() => reads).toBe(2)
  for (const readsAfter of [3, 4, 5]) {
    vi.advanceTimersByTime(40_000)
    stream?.write(': keep-alive\n\n')
    await expect.poll(() => reads).toBe(readsAfter)
  }
  expect(links).toEqual(['connecting', 'open'])
  vi.advanceTimersByTime(50_000)
  await expect.poll(() => heard).toBe(2)
  expect(links).toEqual(['connecting', 'open', 'lost', 'connecting', 'open'])
  stop.abort()
  await following
})

test('following ends with an error when the bearer is refused', async () => {
  await using server = await startStubServer()
  server.respond = (_request, response) => send(response, 401, { code: 'unauthorized' })
  const client = createGatewayClient({ baseUrl: server.url })
  const following = followEvents(client, { signal: new AbortController().signal, onEvent: () => undefined })
  await expect(following).rejects.toBeInstanceOf(GatewayError)
})

/** A `fetch` that tells when its caller is ready for the next part of a body, and so has seen the one before. */
function readingFetch(onRead: () => void): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request)
    const reader = response.body?.getReader()
    const source = {
      pull: async (controller: ReadableStreamDefaultController) => {
        onRead()
        const next = await reader?.read()
        if (next?.value === undefined) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => reader?.cancel(),
    }
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), response)
  }
}

/** Follows until so many events arrived, then stops. */
async function followUntil(server: StubServer, count: number) {
  const stop = new AbortController()
  const links: string[] = []
  let heard = 0
  const followed = followEvents(createGatewayClient({ baseUrl: server.url }), {
    signal: stop.signal,
    onState: (link) => links.push(link),
    onEvent: () => {
      heard += 1
      if (heard === count) stop.abort()
    },
  })
  await followed
  return { links, followed }
}
