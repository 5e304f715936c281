import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer, savedInMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilHang, untilNothingAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway

beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), inMemory('elicit'), operatorServer('odd', 'hostile')],
    permissions: { mode: 'allow', ask: ['mcp://hello/repeat'], deny: ['mcp://odd/environment'] },
  })
  const local = listening.gateway.as('local')
  await Promise.all(['hello', 'elicit', 'odd'].map((name) => untilServer(local, name, 'ready')))
})
afterAll(() => listening[Symbol.asyncDispose]())

const text = (value: string): object => ({ content: [{ type: 'text', text: value }] })

test('a host lists the tools under their public names, their schemas unchanged [C6]', async () => {
  await using host = await connectHost(listening.url)
  const { tools } = await host.client.listTools()
  const shown: { tools: { name: string; inputSchema: unknown }[] } = await (
    await listening.gateway.as('local').get(paths.tools)
  ).json()
  expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(
    shown.tools.map(({ name, inputSchema }) => ({ name, inputSchema })),
  )
  expect(tools.map(({ name }) => name)).toContain('hello__hello')
  expect(host.client.getServerVersion()).toMatchObject({ name: 'toolbridge' })
  expect(await host.client.callTool({ name: 'hello__hello', arguments: { name: 'Ada' } })).toMatchObject(
    text('Hello, Ada!'),
  )
})

test('a tool that a rule denies is listed neither to hosts nor in the console', async () => {
  await using host = await connectHost(listening.url)
  const { tools } = await host.client.listTools()
  const shown: { tools: { name: string }[] } = await (
    await listening.gateway.as('local').get(paths.tools)
  ).json()
  for (const names of [tools, shown.tools].map((list) => list.map(({ name }) => name))) {
    expect(names).toContain('odd__echo')
    expect(names).not.toContain('odd__environment')
  }
})

test('a host that can ask its user answers a server’s question itself', async () => {
  const onQuestion = vi.fn(async () => ({
    action: 'accept' as const,
    content: { name: 'Ada', excited: true },
  }))
  await using host = await connectHost(listening.url, { onQuestion })
  expect(await host.client.callTool({ name: 'elicit__greet_me' })).toMatchObject(text('Hello, Ada!!!'))
  expect(onQuestion).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      message: 'elicit: What is your name?',
      requestedSchema: expect.objectContaining({ required: ['name'] }),
    }),
  )
  expect(await questionsOf(listening.gateway.as('local'))).toEqual([])
})

test('questions of two hosts at once reach each its own', async () => {
  const hosts = await Promise.all(
    ['Ada', 'Bob'].map((name) =>
      connectHost(listening.url, { onQuestion: async () => ({ action: 'accept', content: { name } }) }),
    ),
  )
  const calls = hosts.map(({ client }) =>
    client.callTool({ name: 'elicit__whoami_slow', arguments: { delayMs: 50 } }),
  )
  expect(await Promise.all(calls)).toMatchObject([text('You are Ada.'), text('You are Bob.')])
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
})

test('for a host that cannot ask, the question goes to the inbox', async () => {
  const local = listening.gateway.as('local')
  await using host = await connectHost(listening.url)
  const call = host.client.callTool({ name: 'elicit__greet_me' })
  const item = await untilAsked(local)
  expect(item).toMatchObject({ server: 'elicit', host: 'test-host', message: 'What is your name?' })
  await local.post(paths.answer(item.id), { action: 'accept', content: { name: 'Inbox' } })
  expect(await call).toMatchObject(text('Hello, Inbox!'))
})

test('an approval goes to the inbox even when the host could ask', async () => {
  const local = listening.gateway.as('local')
  const onQuestion = vi.fn(async () => ({ action: 'accept' as const }))
  await using host = await connectHost(listening.url, { onQuestion })
  const allowed = host.client.callTool({ name: 'hello__repeat', arguments: { text: 'a' } })
  const first = await untilAsked(local)
  expect(first).toMatchObject({
    kind: 'approval',
    host: 'test-host',
    tool: 'hello__repeat',
    detail: 'hello__repeat {"text":"a"}',
  })
  await local.post(paths.answer(first.id), { action: 'accept' })
  expect(await allowed).toMatchObject(text('a a'))

  const refused = host.client.callTool({ name: 'hello__repeat', arguments: { text: 'b' } })
  const second = await untilAsked(local)
  await local.post(paths.answer(second.id), { action: 'decline' })
  expect(await refused).toMatchObject({ isError: true })
  expect(onQuestion).not.toHaveBeenCalled()
})

test('a refusal is a result that the model can read; an unknown tool is an error', async () => {
  await using host = await connectHost(listening.url)
  const denied = await host.client.callTool({ name: 'odd__environment' })
  expect(denied).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining('odd__environment') }],
  })
  await expect(host.client.callTool({ name: 'missing' })).rejects.toMatchObject({ code: -32_602 })
})

test('a host that cancels a call cancels it at the server, and what it asked is withdrawn', async () => {
  const local = listening.gateway.as('local')
  await using host = await connectHost(listening.url)
  const leaving = new AbortController()
  const call = host.client.callTool({ name: 'elicit__greet_me' }, undefined, { signal: leaving.signal })
  await untilAsked(local)
  leaving.abort('changed my mind')
  await expect(call).rejects.toThrow()
  await untilNothingAsked(local)
  await vi.waitFor(async () => {
    const { entries } = await (await local.get(paths.activity)).json()
    expect(entries[0]).toMatchObject({ outcome: 'cancelled', conversation: `mcp:${host.sessionId}` })
  }, untilHang)
})

test('a session that ends releases its connections, and its id opens nothing any more', async () => {
  const { bridge } = await listening.gateway.services.owners.open('local')
  const released = vi.spyOn(bridge, 'releaseOrigin')
  const host = await connectHost(listening.url)
  const { sessionId } = host
  await host.client.callTool({ name: 'hello__hello' })
  await host.endSession()
  await vi.waitFor(
    () => expect(released).toHaveBeenCalledWith({ principal: 'local', conversation: `mcp:${sessionId}` }),
    untilHang,
  )
  await host[Symbol.asyncDispose]()
  expect((await postToSession('host', sessionId ?? '')).status).toBe(404)
})

test('a session opens only for the principal it belongs to, and another has other tools, advisory [A7]', async () => {
  await using host = await connectHost(listening.url)
  expect((await postToSession('ada', host.sessionId ?? '')).status).toBe(404)
  for (const invented of ['x', crypto.randomUUID(), `${host.sessionId}x`, '../x', '__proto__'])
    expect((await postToSession('host', invented)).status, invented).toBe(404)
  await using ada = await connectHost(listening.url, { token: canary('ada') })
  expect(await ada.client.listTools()).toMatchObject({ tools: [] })
  await expect(ada.client.callTool({ name: 'hello__hello' })).rejects.toMatchObject({ code: -32_602 })
})

test('a host is told when the tools change', async () => {
  const onToolsChanged = vi.fn()
  await using bob = await connectHost(listening.url, { token: canary('bob'), onToolsChanged })
  expect((await bob.client.listTools()).tools).toEqual([])
  const caller = listening.gateway.as('bob')
  await caller.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  await untilServer(caller, 'mine', 'ready')
  await vi.waitFor(() => expect(onToolsChanged).toHaveBeenCalled(), untilHang)
  expect((await bob.client.listTools()).tools.map(({ name }) => name)).toEqual([
    'mine__hello',
    'mine__repeat',
  ])
})

test('without a bearer the endpoint says that one is wanted, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await fetch(listening.url + paths.mcp, { method })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  }
})

test('what is not an MCP request is refused and leaves no session', async () => {
  const headers = {
    authorization: bearerOf('host'),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const bodies = ['{"broken', '{}', '[]', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })]
  for (const body of bodies) {
    const response = await fetch(listening.url + paths.mcp, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
  }
  expect((await fetch(listening.url + paths.mcp, { method: 'PUT', headers })).status).toBe(405)
})

function postToSession(principal: string, sessionId: string): Promise<Response> {
  return fetch(listening.url + paths.mcp, {
    method: 'POST',
    headers: {
      authorization: bearerOf(principal),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
}

test('a tool that a rule denies is called under no odd name, by a host or the API', async () => {
  await using host = await connectHost(listening.url)
  const names = [
    'environment',
    'environment ',
    'environment\n',
    'Environment',
    'environ\u200Bment',
    'environment\uD800',
  ]
  const encoded = ['environ%6Dent', 'environment%20', './environment', '../odd/environment']
  const tools = [
    ...names.flatMap((name) => [`odd__${name}`, `mcp://odd/${name}`]),
    ...encoded.map((name) => `mcp://odd/${name}`),
    'mcp://ODD/environment',
    ' odd__environment',
  ]
  for (const tool of tools) {
    const answered = await listening.gateway.as('local').post(paths.call, { tool })
    expect([403, 404], tool).toContain(answered.status)
    const called = await host.client.callTool({ name: tool }).catch((error: unknown) => String(error))
    expect((await answered.text()) + JSON.stringify(called), tool).not.toContain(canary('operator'))
  }
})

const deep = '['.repeat(100_000) + ']'.repeat(100_000)

test.each([
  [paths.call, `{"tool":"mcp://hello/hello","arguments":{"name":${deep}}}`],
  [paths.config, `{"mcpServers":${deep}}`],
  [paths.invoke, deep],
])('a request to %s that is nested 100,000 levels deep is invalid', async (path, body) => {
  const response = await listening.gateway.as('local').post(path, body)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: 'the request is nested deeper than 256 levels' })
})

test('the name __proto__ in arguments is refused, however it is written', async () => {
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const body = `{"tool":"mcp://hello/hello","arguments":{"name":"a","more":{"${name}":{}}}}`
    const response = await listening.gateway.as('local').post(paths.call, body)
    expect(await response.json()).toMatchObject({ detail: 'the name "__proto__" cannot be used' })
  }
})

test.each(['__proto__', '\\u005f_proto__'])(
  'the name %s in arguments of an MCP host is refused',
  async (name) => {
    await using host = await connectHost(listening.url)
    const params = `{"name":"hello__hello","arguments":{"name":"Ada","more":{"${name}":{}}}}`
    const response = await fetch(listening.url + paths.mcp, {
      method: 'POST',
      headers: {
        authorization: bearerOf('host'),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-session-id': host.sessionId ?? '',
      },
      body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
    })
    expect(await response.text()).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32602,"message":"the name \\"__proto__\\" cannot be used"},"id":7}',
    )
  },
)

test('arguments of an MCP host that are nested 100,000 levels deep are invalid', async () => {
  const meta =
    '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}'
  const clientInfo = '"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}'
  const params = `{"name":"hello__hello","arguments":{"name":${deep}},"_meta":{${meta},${clientInfo}}}`
  const response = await fetch(`${listening.url}${paths.mcp}`, {
    method: 'POST',
    headers: {
      authorization: bearerOf('host'),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'hello__hello',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  })
  const text = await response.text()
  expect(text).toContain('-32602')
  expect(text).toContain('nested deeper than 256 levels')
})

test('the gateway itself is refused as one of its servers', async () => {
  const local = listening.gateway.as('local')
  const self = ['/mcp', '/%6Dcp?again'].map((path, index) => ({
    ...inMemory('hello'),
    name: `self${index}`,
    transport: 'http' as const,
    url: `${listening.url.replace('127.0.0.1', 'LOCALHOST')}${path}`,
    headers: { authorization: bearerOf('host') },
  }))
  await listening.gateway.services.applyOperatorServers([inMemory('hello'), ...self])
  for (const { name } of self)
    expect(await untilServer(local, name, 'ready', 'failed')).toMatchObject({
      state: 'failed',
      error: expect.stringContaining(`server "${name}" is this gateway itself`),
    })
})
