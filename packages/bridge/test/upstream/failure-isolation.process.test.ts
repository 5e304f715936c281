import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type BridgeEvent, ConfigError, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { McpError } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { fixture, permissive } from '../servers/specs.ts'

const good = fixture('hello', 'good')
/** For tests of what happens to another server. */
const bystander = inMemory('hello', 'good')

test('servers that fail in different ways leave the others alone and say why [S1-34] [S1-35] [D18] [D20]', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([
      fixture('hostile', 'crashes', '--crash-before-initialize'),
      { ...good, name: 'missing', command: '/nowhere/at-all' },
      fixture('hostile', 'silent', '--silent'),
      { ...good, name: 'wrong', args: ['${input:never}'] },
      good,
    ]),
    startTimeoutMs: 5_000,
    journal: (event) => events.push(event),
  })
  const status = new Map(bridge.status().map((each) => [each.name, each]))
  expect(status.get('crashes')).toMatchObject({
    state: 'failed',
    toolCount: 0,
    error: expect.stringContaining('exited with code 3'),
    stderr: ['cannot read the settings', 'set HOSTILE_TOKEN and start again'],
  })
  expect(status.get('missing')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no such program'),
  })
  expect(status.get('silent')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('within 5000 ms'),
  })
  expect(status.get('wrong')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('${input:never}'),
  })
  expect(status.get('good')).toMatchObject({ state: 'ready', toolCount: 2 })
  expect(toText(await bridge.call('good__hello'))).toBe('Hello, world!')
  const failed = events.filter((event) => event.type === 'server.state' && event.state === 'failed')
  expect(failed).toHaveLength(4)
})

test('a server that is there and does not list its tools says so, with what it wrote [S1-36] [d.6-3]', async () => {
  const program = `
    console.error('waiting for the database with ' + process.env.CANARY)
    process.stdin.on('data', (data) => {
      const { id, method } = JSON.parse(String(data).split('\\n')[0])
      const serverInfo = { name: 'listless', version: '1' }
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
      const error = { code: -32601, message: 'no such method' }
      const answer = method === 'initialize' ? { result } : method === 'server/discover' ? { error } : undefined
      if (answer !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })`
  const listless = { ...good, name: 'listless', args: ['-e', program] }
  await using bridge = await openBridge({ ...permissive([listless]), startTimeoutMs: 2_000 })
  expect(bridge.status()).toMatchObject([
    {
      state: 'failed',
      error: 'server "listless" was not ready within 2000 ms (timeouts.startMs): it does not list its tools',
      stderr: ['waiting for the database with [redacted]'],
    },
  ])
})

test('servers start at the same time, each with its own deadline [S1-3] [S1-33] [D17]', async () => {
  const slow = Array.from({ length: 4 }, (_unused, index) =>
    fixture('hostile', `slow${index}`, '--slow-start', '700'),
  )
  const states: string[] = []
  await using bridge = await openBridge({
    ...permissive(slow),
    journal: (event) => void (event.type === 'server.state' && states.push(event.state)),
  })
  expect(bridge.status().map((each) => each.state)).toEqual(['ready', 'ready', 'ready', 'ready'])
  expect(states.slice(0, 4)).toEqual(['starting', 'starting', 'starting', 'starting'])
})

test('a required server that fails makes the whole bridge fail, and the others are stopped [D18]', async () => {
  const states: string[] = []
  const required = { ...fixture('hostile', 'must', '--crash-before-initialize'), required: true }
  const opening = openBridge({
    ...permissive([good, required]),
    journal: (event) => {
      if (event.type === 'server.state' && event.server === 'good') states.push(event.state)
    },
  })
  await expect(opening).rejects.toThrow(McpError)
  await expect(opening).rejects.toThrow('server "must" is required and did not start')
  expect(states.at(-1)).toBe('stopped')
})

test('two definitions of one name are refused before anything is started', async () => {
  const opening = openBridge(permissive([good, good]))
  await expect(opening).rejects.toThrow(ConfigError)
  await expect(opening).rejects.toThrow('server "good" is defined twice')
})

test('a server that crashes during a call keeps its tools listed and leaves the others alone', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([fixture('hostile', 'frail', '--crash-mid-call'), bystander]),
    journal: (event) => events.push(event),
  })
  await expect(bridge.call('frail__echo', { text: 'x' })).rejects.toMatchObject({ kind: 'closed' })
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'server.state',
      server: 'frail',
      state: 'down',
      error: expect.stringContaining('exited with code 7'),
    }),
  )
  expect(bridge.tool('frail__echo')).toBeDefined()
  expect(toText(await bridge.call('good__hello'))).toBe('Hello, world!')
})

test('an address that leads nowhere and a server that cannot list its tools have failed, and say so [S1-3] [S1-34] [S1-36] [d.6-3]', async () => {
  await using remote = await answering((method) => {
    const serverInfo = { name: 'remote', version: '1.0.0' }
    if (method === 'initialize')
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
    return { error: { code: -32_603, message: 'the database is gone' } }
  })
  const at = (name: string, path: string): ServerSpec => {
    const { enabled, required, source } = good
    return { name, enabled, required, source, transport: 'http', url: `${remote.url}${path}`, headers: {} }
  }
  await using bridge = await openBridge(
    permissive([at('lost', '/nowhere'), at('listless', '/mcp'), bystander]),
  )
  expect(bridge.status()).toMatchObject([
    { name: 'good', state: 'ready' },
    { name: 'listless', state: 'failed', error: expect.stringContaining('the database is gone') },
    { name: 'lost', state: 'failed', error: expect.stringContaining('404') },
  ])
})

type Answer = (method: string) => object

/** A server over HTTP that answers requests to `/mcp`, and knows no other path. */
async function answering(answer: Answer): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => void respond(request, response, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  if (request.url !== '/mcp' || request.method !== 'POST') return void response.writeHead(404).end()
  const { id, method } = JSON.parse(await text(request)) as { readonly id?: number; readonly method: string }
  if (id === undefined) return void response.writeHead(202).end()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method) }))
}
