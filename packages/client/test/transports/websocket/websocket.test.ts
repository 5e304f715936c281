import { canary } from '@toolbridge/testkit/secrets'
import { nodeWebSocket, startWebSocketFixture } from '@toolbridge/testkit/servers'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connectMcp, McpClient, type WebSocketConstructor } from '../../../src/index.ts'
import { WsTransport, type WsTransportConfig } from '../../../src/websocket.ts'

type Fixture = Awaited<ReturnType<typeof startWebSocketFixture>>

const opened: { close(): Promise<void> }[] = []
let WebSocket: WebSocketConstructor

beforeAll(async () => {
  WebSocket = await nodeWebSocket()
})

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('the scheme of the address picks the transport, and the subprotocol and the headers are sent [S4-121]', async () => {
  const fixture = await server()
  const headers = { authorization: `Bearer ${canary('header')}` }
  const connection = await connectMcp({ url: fixture.url, headers, WebSocket })
  opened.push(connection)
  expect(connection.serverInfo.name).toBe('elicit')
  expect(fixture.connections[0]?.headers).toMatchObject({
    authorization: `Bearer ${canary('header')}`,
    'sec-websocket-protocol': 'mcp',
  })
})

test.each([
  [1000, 'closed'],
  [1001, 'closed'],
  [1007, 'malformed'],
  [1008, 'unauthorized'],
  [1011, 'closed'],
  [4401, 'unauthorized'],
])('an end with code %i is told as %s, without what the server says beside it', async (code, kind) => {
  const onClose = vi.fn()
  const { client, fixture } = await connected({}, onClose)
  const call = client.callTool('whoami_slow', { delayMs: 10_000 })
  const rejected = expect(call).rejects.toMatchObject({ kind, data: { closeCode: code, effect: 'unknown' } })
  await expect.poll(() => fixture.connections).toHaveLength(1)
  fixture.connections[0]?.socket.close(code, `token ${canary('password')} is wrong`)
  await rejected
  expect(onClose).toHaveBeenCalledOnce()
  expect(String(onClose.mock.calls[0]?.[0])).not.toContain(canary('password'))
})

test('a connection that breaks is told as closed', async () => {
  const onClose = vi.fn()
  const { fixture } = await connected({}, onClose)
  fixture.connections[0]?.socket.terminate()
  await expect.poll(() => onClose).toHaveBeenCalledOnce()
  expect(onClose.mock.calls[0]?.[0]).toMatchObject({ kind: 'closed', data: { closeCode: 1006 } })
})

test('frames that are no messages are dropped, and the connection goes on', async () => {
  const onWarning = vi.fn()
  const { client, fixture } = await connected({}, undefined, onWarning)
  fixture.connections[0]?.socket.send('oops')
  fixture.connections[0]?.socket.send(Buffer.from('{}'))
  await client.ping()
  expect(onWarning).toHaveBeenCalledTimes(2)
})

test('a message over the limit fails the call that it answers, and no other', async () => {
  const { client, fixture } = await connected({ maxMessageBytes: 500 })
  const slow = client.callTool('whoami_slow', { delayMs: 10_000 })
  const answer = { result: { text: 'x'.repeat(600) }, jsonrpc: '2.0', id: 2 }
  fixture.connections[0]?.socket.send(JSON.stringify(answer))
  await expect(slow).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('500 bytes'),
  })
  await client.ping()
})

test('a server that is not there is named by its origin and nothing else', async () => {
  const gone = await startWebSocketFixture()
  await gone.close()
  const url = `${gone.url}/${canary('path')}?key=${canary('query')}`
  const client = new McpClient(new WsTransport({ url, WebSocket }))
  const error: unknown = await client.connect().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ kind: 'unreachable', data: { effect: 'none' } })
  expect(String(error) + JSON.stringify(error)).not.toContain('Kanarienvogel')
})

test('addresses that cannot be used are refused at once, and so is a platform without WebSockets', async () => {
  for (const url of ['http://host/', `ws://user:${canary('password')}@host/`, 'nonsense']) {
    expect(() => new WsTransport({ url })).toThrow(TypeError)
  }
  if ('WebSocket' in globalThis) return
  await expect(new WsTransport({ url: 'ws://127.0.0.1:9/' }).start()).rejects.toMatchObject({
    kind: 'unsupported',
  })
})

async function server(): Promise<Fixture> {
  const fixture = await startWebSocketFixture()
  opened.push(fixture)
  return fixture
}

async function connected(
  config: Partial<WsTransportConfig> = {},
  onClose: () => void = () => undefined,
  onWarning: () => void = () => undefined,
): Promise<{ client: McpClient; fixture: Fixture }> {
  const fixture = await server()
  const transport = new WsTransport({ url: fixture.url, WebSocket, ...config })
  const client = new McpClient(transport, { era: 'legacy', onClose, onWarning })
  opened.push(client)
  await client.connect()
  return { client, fixture }
}
