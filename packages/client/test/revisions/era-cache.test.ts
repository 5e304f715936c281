import { expect, test, vi } from 'vitest'
import { HttpTransport, McpClient, type McpClientOptions, type EraVerdict } from '../../src/index.ts'
import { json, scriptedHttpServer } from '../support/http-server.ts'
import { discovery, modernServer, Refusal, scriptedServer } from '../support/scripted-server.ts'

test('what was found out about a server is kept, and saves the question next time [N4]', async () => {
  const eraCache = new Map<string, EraVerdict>()
  await connected(scriptedServer(), { eraCache, eraKey: 'old' })
  expect(eraCache.get('old')).toMatchObject({ era: 'legacy' })
  const again = scriptedServer({ 'server/discover': () => discovery })
  await connected(again, { eraCache, eraKey: 'old' })
  expect(methodsReceived(again)).toEqual(['initialize', 'notifications/initialized'])
})

test('a description that may be relied on saves the first round trip altogether [N4]', async () => {
  const eraCache = new Map<string, EraVerdict>()
  const script = {
    'server/discover': () => ({ ...discovery, ttlMs: 60_000 }),
    'tools/list': () => ({ tools: [] }),
  }
  await connected(scriptedServer(script), { eraCache, eraKey: 'new' })
  const again = scriptedServer(script)
  const client = await connected(again, { eraCache, eraKey: 'new' }, false)
  expect(client.info?.serverInfo.name).toBe('modern')
  await client.listTools()
  expect(methodsReceived(again)).toEqual(['tools/list'])
  await client.close()
})

test('a description that may not be relied on is asked for again [N4]', async () => {
  const eraCache = new Map<string, EraVerdict>()
  await connected(modernServer(), { eraCache, eraKey: 'new' })
  const again = modernServer()
  await connected(again, { eraCache, eraKey: 'new' })
  expect(methodsReceived(again)).toEqual(['server/discover'])
})

test('after a day an old server is asked again whether it is still old [N4]', async () => {
  const yesterday = Date.now() - 25 * 60 * 60 * 1_000
  const eraCache = new Map<string, EraVerdict>([['renewed', { era: 'legacy', at: yesterday }]])
  const client = await connected(modernServer(), { eraCache, eraKey: 'renewed' })
  expect(client.info?.protocolVersion).toBe('2026-07-28')
  expect(eraCache.get('renewed')).toMatchObject({ era: 'modern' })
})

test('a server that was old and is not any more corrects the verdict [N4 N8]', async () => {
  const eraCache = new Map<string, EraVerdict>([['moved', { era: 'legacy', at: Date.now() }]])
  const server = modernServer({ initialize: () => new Refusal(-32022, { supported: ['2026-07-28'] }) })
  await connected(server, { eraCache, eraKey: 'moved' })
  expect(eraCache.get('moved')).toMatchObject({ era: 'modern' })
})

test('a server that was new and answers like an old one is asked again next time [N4]', async () => {
  const at = Date.now()
  const description = {
    protocolVersion: '2026-07-28',
    capabilities: {},
    serverInfo: { name: 'x', version: '1' },
  }
  const eraCache = new Map<string, EraVerdict>([
    ['rolled back', { era: 'modern', at, ttlMs: 60_000, description }],
  ])
  const server = await scriptedHttpServer((_, response) => {
    const error = { code: -32000, message: 'Bad Request: Server not initialized' }
    json(response, { jsonrpc: '2.0', id: null, error }, 400)
  })
  const open = (): McpClient =>
    new McpClient(new HttpTransport({ url: server.url }), { eraCache, eraKey: 'rolled back' })
  const misled = open()
  await misled.connect()
  await expect(misled.callTool('any')).rejects.toMatchObject({ kind: 'peer', code: -32000 })
  const corrected = open()
  expect((await corrected.connect()).protocolVersion).toBe('2025-11-25')
  for (const each of [misled, corrected, server]) await each.close()
})

test('a connection that failed leaves no verdict', async () => {
  const eraCache = { get: vi.fn(() => undefined), set: vi.fn() }
  const server = scriptedServer({ initialize: () => new Refusal(-32603) })
  const connecting = new McpClient(server.transport, { eraCache, eraKey: 'broken' }).connect()
  await expect(connecting).rejects.toMatchObject({ kind: 'peer' })
  expect(eraCache.set).not.toHaveBeenCalled()
})

test('a cache without a name for the server is refused at once', () => {
  const { transport } = scriptedServer()
  expect(() => new McpClient(transport, { eraCache: new Map() })).toThrow('eraCache needs eraKey')
})

async function connected(
  server: ReturnType<typeof scriptedServer>,
  options: McpClientOptions,
  closes = true,
): Promise<McpClient> {
  const client = new McpClient(server.transport, options)
  await client.connect()
  if (closes) await client.close()
  return client
}

function methodsReceived({ received }: ReturnType<typeof scriptedServer>): readonly unknown[] {
  return received.map((message) => ('method' in message ? message.method : undefined))
}
