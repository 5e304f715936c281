import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type JsonRpcRequest, McpClient, type McpClientOptions } from '../../src/index.ts'
import { StdioTransport } from '../../src/stdio.ts'
import { discovery, modernServer, Refusal, scriptedServer, silence } from '../support/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

describe('a server that answers server/discover', () => {
  test('is spoken to without a handshake when it supports the newest revision [D22] [N2]', async () => {
    const server = modernServer()
    const client = keep(new McpClient(server.transport))
    expect(await client.connect()).toEqual({
      protocolVersion: '2026-07-28',
      capabilities: discovery.capabilities,
      serverInfo: { name: 'modern', version: '2.0.0' },
    })
    expect(server.received.map(methodOf)).toEqual(['server/discover'])
    expect(server.received[0]).toMatchObject({ id: 'discover-1' })
  })

  test.each([
    ['an older draft', { serverInfo: { name: 'in the body', version: '1' } }, 'in the body'],
    ['a server that does not say', {}, 'unnamed server'],
    ['a malformed one', { _meta: { 'io.modelcontextprotocol/serverInfo': 7 } }, 'unnamed server'],
  ])('may say who it is elsewhere, or not at all: %s', async (_, changes, name) => {
    const server = scriptedServer({ 'server/discover': () => ({ ...discovery, _meta: {}, ...changes }) })
    expect((await keep(new McpClient(server.transport)).connect()).serverInfo.name).toBe(name)
  })

  test.each([
    ['supports only older revisions', { ...discovery, supportedVersions: ['2025-11-25'] }],
    ['supports only unknown revisions', { ...discovery, supportedVersions: ['2031-01-01'] }],
    ['answers anything with an empty result', {}],
    ['answers with a result of another kind', { ...discovery, resultType: 'input_required' }],
    ['answers with no list of versions', { supportedVersions: 'all' }],
  ])('gets the handshake when it %s [N2 N7]', async (_, answer) => {
    const server = scriptedServer({ 'server/discover': () => answer })
    const { protocolVersion } = await keep(new McpClient(server.transport)).connect()
    expect(protocolVersion).toBe('2025-11-25')
    expect(await server.message('initialize')).toMatchObject({
      id: 1,
      params: { protocolVersion: '2025-11-25' },
    })
    expect(JSON.stringify(await server.message('initialize'))).not.toContain('_meta')
  })
})

describe('a server that refuses server/discover', () => {
  test.each([-32601, -32602, -32600, -32603, -32000, -32001, -32002, 0, 1, 404])(
    'with code %i gets the handshake [N2]',
    async (code) => {
      const server = scriptedServer({ 'server/discover': () => new Refusal(code) })
      expect((await keep(new McpClient(server.transport)).connect()).protocolVersion).toBe('2025-11-25')
    },
  )

  test('with -32022 for the very version it lists is asked once more [N3]', async () => {
    const refuseOnce = vi
      .fn<(request: JsonRpcRequest) => unknown>(() => discovery)
      .mockReturnValueOnce(new Refusal(-32022, { supported: ['2026-07-28'] }))
    const server = scriptedServer({ 'server/discover': refuseOnce })
    expect((await keep(new McpClient(server.transport)).connect()).protocolVersion).toBe('2026-07-28')
    expect(server.received).toMatchObject([{ id: 'discover-1' }, { id: 'discover-2' }])
  })

  test('with -32022 again and again is given up [N3]', async () => {
    const server = scriptedServer({
      'server/discover': () => new Refusal(-32022, { supported: ['2026-07-28'] }),
    })
    await expect(new McpClient(server.transport).connect()).rejects.toMatchObject({
      kind: 'peer',
      code: -32022,
    })
    expect(server.received).toHaveLength(2)
  })

  test.each([
    ['older versions', { supported: ['2025-06-18', '2025-11-25'] }],
    ['older and unknown newer versions', { supported: ['2025-11-25', '2031-01-01'] }],
    ['nothing usable', { supported: [] }],
    ['no data', undefined],
  ])('with -32022 and %s gets the handshake [N3]', async (_, data) => {
    const server = scriptedServer({ 'server/discover': () => new Refusal(-32022, data) })
    expect((await keep(new McpClient(server.transport)).connect()).protocolVersion).toBe('2025-11-25')
  })

  test('with -32022 and only versions that are newer still is given up, not shaken hands with [N9]', async () => {
    const server = scriptedServer({
      'server/discover': () => new Refusal(-32022, { supported: ['2031-01-01'] }),
    })
    await expect(new McpClient(server.transport).connect()).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'there is no common version of the protocol: the server speaks "2031-01-01"',
    })
    expect(server.received.map(methodOf)).toEqual(['server/discover'])
  })

  test.each([-32020, -32021])('with %i shows that it needs no handshake and gets none', async (code) => {
    const server = scriptedServer({ 'server/discover': () => new Refusal(code) })
    await expect(new McpClient(server.transport).connect()).rejects.toMatchObject({ kind: 'peer', code })
    expect(server.received.map(methodOf)).toEqual(['server/discover'])
  })
})

describe('a server that refuses the handshake', () => {
  test('with -32022 that names a newer revision is spoken to in that [N8]', async () => {
    const answers = vi.fn<() => unknown>(() => discovery).mockReturnValueOnce(new Refusal(-32601))
    const server = scriptedServer({
      'server/discover': answers,
      initialize: () => new Refusal(-32022, { supported: ['2026-07-28'] }),
    })
    expect((await keep(new McpClient(server.transport)).connect()).protocolVersion).toBe('2026-07-28')
    expect(server.received.map(methodOf)).toEqual(['server/discover', 'initialize', 'server/discover'])
  })

  test('with -32602 and a list of older versions is offered the newest of them', async () => {
    const initialize = ({ params }: JsonRpcRequest): unknown => {
      const { protocolVersion } = params as { protocolVersion: string }
      if (protocolVersion !== '2025-03-26')
        return new Refusal(-32602, { supported: ['2024-11-05', '2025-03-26'] })
      return { protocolVersion, capabilities: {}, serverInfo: { name: 'picky', version: '1' } }
    }
    const client = keep(new McpClient(scriptedServer({ initialize }).transport))
    expect((await client.connect()).protocolVersion).toBe('2025-03-26')
  })

  test('for any other reason ends the connection with that reason', async () => {
    const server = scriptedServer({ initialize: () => new Refusal(-32603, undefined, 'out of order') })
    await expect(new McpClient(server.transport).connect()).rejects.toThrow('out of order')
  })
})

describe('a client that was told which revision to speak', () => {
  test('asks nothing before the handshake in the mode legacy [D22]', async () => {
    const server = modernServer()
    await keep(new McpClient(server.transport, { era: 'legacy' })).connect()
    expect(server.received.map(methodOf)).toEqual(['initialize', 'notifications/initialized'])
  })

  test('does not move on from the handshake in the mode legacy', async () => {
    const server = modernServer({ initialize: () => new Refusal(-32022, { supported: ['2026-07-28'] }) })
    const connecting = new McpClient(server.transport, { era: 'legacy' }).connect()
    await expect(connecting).rejects.toMatchObject({ kind: 'peer', code: -32022 })
  })

  test('never falls back from a pinned revision [D22]', async () => {
    const server = scriptedServer({ 'server/discover': () => new Refusal(-32601) })
    const connecting = new McpClient(server.transport, { era: '2026-07-28' }).connect()
    await expect(connecting).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('2026-07-28'),
      cause: { code: -32601 },
    })
    expect(server.received.map(methodOf)).toEqual(['server/discover'])
  })
})

describe('a process that knows only the handshake', () => {
  test('is started again when it does not survive the question [N2]', async () => {
    const { client, transport } = handshakeOnly('exit')
    const { serverInfo } = await client.connect()
    expect(serverInfo.name).toBe(`handshake-only (${transport.pid})`)
    expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'Hello, world!' }] })
  })

  test('is shaken hands with when it is silent for long enough [N2]', async () => {
    const { client } = handshakeOnly('silent', { probeTimeoutMs: 200 })
    expect((await client.connect()).protocolVersion).toBe('2025-06-18')
  })

  test('may answer the question late: nobody listens any more [N2]', async () => {
    const onWarning = vi.fn()
    const { client } = handshakeOnly('late', { probeTimeoutMs: 200, onWarning })
    expect((await client.connect()).protocolVersion).toBe('2025-06-18')
    expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'Hello, world!' }] })
    expect(onWarning).not.toHaveBeenCalled()
  })

  test.each(['odd', 'empty'])('may answer the question in an odd way: %s', async (before) => {
    const { client } = handshakeOnly(before)
    expect((await client.connect()).protocolVersion).toBe('2025-06-18')
  })
})

test('a server that is silent is not told that the question was given up', async () => {
  const server = scriptedServer({ 'server/discover': () => silence })
  await keep(new McpClient(server.transport, { probeTimeoutMs: 50 })).connect()
  expect(server.received.map(methodOf)).toEqual([
    'server/discover',
    'initialize',
    'notifications/initialized',
  ])
})

test('a link that breaks during the question and cannot be made again is an error', async () => {
  const server = scriptedServer({
    'server/discover': () => {
      void server.end.close()
      return silence
    },
  })
  await expect(new McpClient(server.transport).connect()).rejects.toMatchObject({ kind: 'closed' })
})

test('aborting the question rejects with the signal’s reason and closes', async () => {
  const server = scriptedServer({ 'server/discover': () => silence })
  const abort = new AbortController()
  const connecting = new McpClient(server.transport).connect({ signal: abort.signal })
  await server.message('server/discover')
  abort.abort('the user left')
  await expect(connecting).rejects.toBe('the user left')
})

function keep(client: McpClient): McpClient {
  opened.push(client)
  return client
}

function handshakeOnly(
  before: string,
  options: McpClientOptions = {},
): { client: McpClient; transport: StdioTransport } {
  const args = [fixtureServers.handshakeOnly, '--before', before]
  const transport = new StdioTransport({ command: process.execPath, args })
  return { client: keep(new McpClient(transport, options)), transport }
}

function methodOf(message: object): unknown {
  return 'method' in message ? message.method : undefined
}
