import { canary } from '@toolbridge/testkit/secrets'
import { type HostileHttpFixture, startHttpHostile } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  connectMcp,
  HttpTransport,
  McpClient,
  type McpClientOptions,
  type McpTransport,
} from '../../../src/index.ts'
import { SseTransport } from '../../../src/sse.ts'

let hostile: HostileHttpFixture
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  hostile = await startHttpHostile()
})

afterAll(() => hostile.close())

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

describe.each([
  ['found out', (url: string): McpTransport => new HttpTransport({ url })],
  ['known', (url: string): McpTransport => new SseTransport({ url })],
])('a server of 2024-11-05 that is %s', (_how, open) => {
  test('is spoken to through its stream and the address it names [H12]', async () => {
    const client = clientOf(open(hostile.urlOf('old-fine')))
    expect(await client.connect()).toMatchObject({ protocolVersion: '2024-11-05' })
    expect(await client.callTool('any')).toMatchObject({ content: [] })
  })

  test('is lost with its stream', async () => {
    const onClose = vi.fn()
    const client = clientOf(open(hostile.urlOf('old-ending')), { onClose })
    await client.connect()
    await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'closed' })
    expect(onClose).toHaveBeenCalledOnce()
  })

  test('that takes no message fails the handshake without its secret address', async () => {
    const client = clientOf(open(hostile.urlOf('old-refusing')))
    const error: unknown = await client.connect().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'unauthorized', data: { status: 403 } })
    expect(String(error) + JSON.stringify(error)).not.toContain('secret')
  })
})

test('a server that wants messages sent to another origin gets none [H12 H13]', async () => {
  const headers = { authorization: `Bearer ${canary('header')}` }
  const client = clientOf(new SseTransport({ url: hostile.urlOf('old-elsewhere'), headers }))
  await expect(client.connect()).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining(
      'wants messages sent to http://127.0.0.1:9, which is not the same origin',
    ),
  })
})

test('a server that is neither keeps the first refusal as its error', async () => {
  const client = clientOf(new HttpTransport({ url: hostile.urlOf('old-elsewhere') }))
  await expect(client.connect()).rejects.toMatchObject({ kind: 'unreachable', data: { status: 405 } })
})

test('closing does not wait for a server that never says where messages go', async () => {
  const client = clientOf(new SseTransport({ url: hostile.urlOf('old-silent') }))
  const abort = new AbortController()
  const connecting = client.connect({ signal: abort.signal })
  setTimeout(() => abort.abort('enough'), 50)
  await expect(connecting).rejects.toBe('enough')
})

test('the configuration can say which transport it is', async () => {
  const connection = await connectMcp({ url: hostile.urlOf('old-fine'), transport: 'sse' })
  opened.push(connection)
  expect(connection.serverInfo.name).toBe('http-old')
})

function clientOf(transport: McpTransport, options: McpClientOptions = {}): McpClient {
  const client = new McpClient(transport, { era: 'legacy', ...options })
  opened.push(client)
  return client
}
