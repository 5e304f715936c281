import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { McpClient, type McpTransport } from '../../src/index.ts'
import { Refusal, scriptedServer, silence } from '../support/scripted-server.ts'

test('the handshake is initialize, the version, then initialized, then listening [S4-7] [S4-17] [S4-69] [S4-70] [S4-71] [S4-72] [S3-28] [S3-30] [N1]', async () => {
  const { transport, received } = scriptedServer()
  const order: string[] = []
  const client = new McpClient(
    Object.assign(transport, {
      setProtocolVersion: (version: string) =>
        order.push(`version ${version} after ${received.length} messages`),
      listen: async () => void order.push(`listen after ${received.length} messages`),
    }),
  )
  const description = await client.connect()
  expect(order).toEqual(['version 2025-11-25 after 1 messages', 'listen after 2 messages'])
  expect(received).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'toolbridge', version: packageVersion() },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ])
  expect(description.serverInfo).toEqual({ name: 'scripted', version: '1.0.0' })
  await client.close()
})

test('a client uses the methods of McpTransport in order, and needs no others [S4-14] [S4-67] [S4-68]', async () => {
  const { transport: inner } = scriptedServer()
  const used: string[] = []
  const noting = <Result>(name: string, result: Result): Result => {
    used.push(name)
    return result
  }
  const transport: McpTransport = {
    setHandlers: (handlers) => noting('setHandlers', inner.setHandlers(handlers)),
    start: () => noting('start', inner.start()),
    request: (method, params) => noting(`request ${method}`, inner.request(method, params)),
    setProtocolVersion: (version) => noting(`setProtocolVersion ${version}`, undefined),
    notify: (method, params) => noting(`notify ${method}`, inner.notify(method, params)),
    listen: () => noting('listen', Promise.resolve()),
    close: () => noting('close', inner.close()),
  }
  const client = new McpClient(transport, { era: 'legacy' })
  await client.connect()
  await client.close()
  expect(used).toEqual([
    'setHandlers',
    'start',
    'request initialize',
    'setProtocolVersion 2025-11-25',
    'notify notifications/initialized',
    'listen',
    'close',
  ])
})

test('a failed handshake is not repeated, and its client cannot be used again [S4-137]', async () => {
  const server = scriptedServer({ initialize: () => new Refusal(-32603) })
  const client = new McpClient(server.transport)
  await expect(client.connect()).rejects.toMatchObject({ kind: 'peer', code: -32603 })
  expect(server.received).toHaveLength(1)
  await expect(client.connect()).rejects.toThrow()
  await expect(client.listTools()).rejects.toThrow()
  expect(server.received).toHaveLength(1)
})

test('info is null before the connection is open and tells about the server afterwards [S4-63]', async () => {
  const client = new McpClient(scriptedServer().transport)
  expect(client.info).toBeNull()
  await client.connect()
  expect(client.info?.protocolVersion).toBe('2025-11-25')
  await client.close()
})

test('elicitation is declared only if somebody can answer [S4-126] [D27]', async () => {
  const asked = scriptedServer()
  await new McpClient(asked.transport, { onElicitation: async () => ({ action: 'cancel' }) }).connect()
  expect(await asked.message('initialize')).toMatchObject({
    params: { capabilities: { elicitation: { form: {} } } },
  })
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a server may choose the older revision %s [D23] [N1]',
  async (protocolVersion) => {
    const client = new McpClient(serverAnswering({ protocolVersion }).transport)
    expect(await client.connect()).toMatchObject({ protocolVersion })
    await client.close()
  },
)

test('a revision that the client does not know ends the connection [D23] [S3-29] [N1 N9]', async () => {
  const server = serverAnswering({ protocolVersion: '2099-01-01' })
  const closed = vi.fn()
  server.end.onclose = closed
  const connecting = new McpClient(server.transport).connect()
  await expect(connecting).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('2099-01-01'),
  })
  expect(closed).toHaveBeenCalledOnce()
})

test('an unusable answer to initialize is refused with everything that is wrong with it', async () => {
  const server = scriptedServer({ initialize: () => ({ protocolVersion: 1, capabilities: {} }) })
  await expect(new McpClient(server.transport).connect()).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringMatching(/protocolVersion is not a string, serverInfo lacks/),
  })
})

test('aborting the handshake rejects with the signal’s reason, closes, and cancels nothing at the server [B6]', async () => {
  const server = scriptedServer({ initialize: () => silence })
  const closed = vi.fn()
  server.end.onclose = closed
  const abort = new AbortController()
  const connecting = new McpClient(server.transport).connect({ signal: abort.signal })
  await server.message('initialize')
  const reason = new Error('the user left')
  abort.abort(reason)
  await expect(connecting).rejects.toBe(reason)
  expect(closed).toHaveBeenCalledOnce()
  expect(server.received).toHaveLength(1)
})

test('a second connect is refused and leaves the open connection alone', async () => {
  const client = new McpClient(scriptedServer({ ping: () => ({}) }).transport)
  await client.connect()
  await expect(client.connect()).rejects.toThrow(TypeError)
  await client.ping()
  await client.close()
})

test('verbs before the handshake are refused with what to do', async () => {
  const client = new McpClient(scriptedServer().transport)
  await expect(client.listTools()).rejects.toThrow('call connect() first')
})

function serverAnswering(changes: object): ReturnType<typeof scriptedServer> {
  const usual = { capabilities: {}, serverInfo: { name: 'scripted', version: '1.0.0' } }
  return scriptedServer({ initialize: () => ({ ...usual, ...changes }) })
}

function packageVersion(): unknown {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

test('a protocol version of a million characters is quoted in part', async () => {
  const serverInfo = { name: 'scripted', version: '1.0.0' }
  const initialize = (): object => ({ protocolVersion: 'x'.repeat(1_000_000), capabilities: {}, serverInfo })
  const connecting = new McpClient(scriptedServer({ initialize }).transport).connect()
  await expect(connecting).rejects.toMatchObject({ message: expect.stringMatching(/^.{100,300}$/) })
})
