import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Bridge, type HttpServerSpec, openBridge, readConfig, toText } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import {
  nodeWebSocket,
  startHttpFixture,
  startSseFixture,
  startWebSocketFixture,
} from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { permissive } from '../servers/specs.ts'

let bridge: Bridge
afterEach(() => bridge.close())

const answerer = { ask: async () => ({ action: 'accept', content: { name: 'Ada' } }) as const }

function remote(transport: HttpServerSpec['transport'], url: string): HttpServerSpec {
  const source = { file: 'test', pointer: '/far' }
  const headers = { authorization: `Bearer ${canary('header')}` }
  const address = `${url}?key=${canary('query')}`
  return { name: 'far', transport, url: address, headers, enabled: true, required: false, source }
}

test('a server over HTTP with events is used like any other, without a process [S1-38] [S3-10]', async () => {
  await using server = await startSseFixture()
  bridge = await openBridge({ ...permissive([remote('sse', server.url)]), answerer })
  expect(bridge.status()[0]).toMatchObject({ transport: 'sse', state: 'ready' })
  expect(bridge.processes()).toEqual([])
  expect(toText(await bridge.call('far__greet_me'))).toBe('Hello, Ada!')
  await bridge.close()
})

test.each([
  ['by POST, with answers that are event streams', () => startHttpFixture('elicit')],
  ['over the old transport', () => startSseFixture()],
])('a server of type "sse" in a file of yaaf is reached %s [S3-10] [S3-6]', async (_how, start) => {
  await using server = await start()
  const file = './configs/docs.mcp.json'
  const text = JSON.stringify({ servers: { far: { type: 'sse', url: server.url } } })
  const { servers, issues } = readConfig(text, { file, dialect: 'yaaf' })
  expect(issues).toEqual([])
  bridge = await openBridge({ ...permissive(servers), answerer })
  await bridge.retry('far')
  expect(bridge.status()[0]).toMatchObject({ state: 'ready', tools: expect.arrayContaining(['greet_me']) })
  // Clients of this dialect answer no questions.
  expect(toText(await bridge.call('far.greet_me'))).toBe('Client does not support form elicitation.')
})

test('a server over a WebSocket is used like any other', async () => {
  const server = await startWebSocketFixture()
  const webSocket = await nodeWebSocket()
  bridge = await openBridge({ ...permissive([remote('ws', server.url)]), answerer, webSocket })
  expect(bridge.status()[0]).toMatchObject({ transport: 'ws', state: 'ready' })
  expect(toText(await bridge.call('far__greet_me'))).toBe('Hello, Ada!')
  await bridge.close()
  await server.close()
})

test('a server that wants credentials is unauthorized, and is tried again when it is asked for', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.writeHead(401).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  bridge = await openBridge(permissive([remote('http', `http://127.0.0.1:${port}/mcp`)]))
  expect(bridge.status()[0]).toMatchObject({ state: 'unauthorized', toolCount: 0 })
  const before = requests
  expect(await bridge.reload()).toMatchObject({ kept: [], started: ['far'], failed: [{ name: 'far' }] })
  expect(requests).toBeGreaterThan(before)
  await bridge.close()
  server.close()
})
