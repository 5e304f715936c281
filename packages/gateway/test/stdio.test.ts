import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { type Bridge, type BridgeOptions, localAuthority, openBridge } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { loadFixture } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveOnStdio } from '../src/mcp/serve-stdio.ts'
import type { ToolsMode } from '../src/mcp/tools-mode.ts'
import { operatorServer } from './support/specs.ts'

const create = { hello: await loadFixture('hello'), elicit: await loadFixture('elicit') }

const transportOf: NonNullable<BridgeOptions['transportOf']> = ({ name }) => {
  const [link, end] = createMemoryPair()
  void create[name === 'elicit' ? 'elicit' : 'hello']().connect(end)
  return link
}

const origin = { principal: 'local', conversation: 'stdio' }
let bridge: Bridge
beforeAll(async () => {
  bridge = await openBridge({
    servers: [operatorServer('hello', 'hello'), operatorServer('elicit', 'elicit')],
    authority: localAuthority(),
    permissions: { mode: 'allow', ask: ['mcp://hello/repeat'] },
    origin,
    transportOf,
  })
})
afterAll(() => bridge.close())

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: unknown
}

/** The host's ends of the two pipes. */
function connect(served: Promise<Bridge> = Promise.resolve(bridge), tools: ToolsMode = 'all') {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const host = serveOnStdio({ bridge: served, origin, tools, stdin, stdout, log: () => {} })
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    host,
    stdin,
    send: (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    receive: async (): Promise<Message> => JSON.parse((await lines.next()).value ?? '{}'),
  }
}

type Connected = ReturnType<typeof connect>

async function initialize({ send, receive }: Connected, capabilities: object = {}): Promise<Message> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'host', version: '1' } }
  send({ id: 0, method: 'initialize', params })
  const answer = await receive()
  send({ method: 'notifications/initialized' })
  return answer
}

const call = (name: string, args: object = {}): object => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

test('a host of the legacy era lists and calls the tools of the bridge', async () => {
  const connected = connect()
  expect(await initialize(connected)).toMatchObject({
    result: { protocolVersion: '2025-11-25', serverInfo: { name: 'toolbridge' } },
  })
  connected.send({ id: 1, method: 'tools/list' })
  const { result } = (await connected.receive()) as { result: { tools: { name: string }[] } }
  expect(result.tools.map(({ name }) => name)).toEqual(bridge.tools.map(({ name }) => name))
  connected.send({ id: 2, ...call('hello__hello', { name: 'Ada' }) })
  expect(await connected.receive()).toMatchObject({
    id: 2,
    result: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
  })
  await connected.host.close()
})

test('a host of the modern era needs no handshake', async () => {
  const connected = connect()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'hello__hello', arguments: { name: 'Ada' }, _meta: meta }
  connected.send({ id: 1, method: 'tools/call', params })
  expect(await connected.receive()).toMatchObject({
    id: 1,
    result: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
  })
  await connected.host.close()
})

test('a host that asks before the servers have started waits for them', async () => {
  let start: (started: Bridge) => void = () => {}
  const connected = connect(new Promise((resolve) => (start = resolve)))
  await initialize(connected)
  connected.send({ id: 1, ...call('hello__hello') })
  connected.send({ id: 2, method: 'ping' })
  expect(await connected.receive()).toMatchObject({ id: 2 })
  start(bridge)
  expect(await connected.receive()).toMatchObject({ id: 1, result: {} })
  await connected.host.close()
})

test('the question of a server goes to the host that called', async () => {
  const connected = connect()
  await initialize(connected, { elicitation: { form: {} } })
  connected.send({ id: 1, ...call('elicit__greet_me') })
  const question = await connected.receive()
  expect(question).toMatchObject({
    method: 'elicitation/create',
    params: { message: expect.stringMatching(/^elicit: /) },
  })
  connected.send({ id: question.id, result: { action: 'accept', content: { name: 'Ada', excited: false } } })
  expect(await connected.receive()).toMatchObject({
    id: 1,
    result: { content: [{ text: 'Hello, Ada!' }] },
  })
  await connected.host.close()
})

test('a call that needs an approval is denied, because the host must not approve its own calls', async () => {
  const connected = connect()
  await initialize(connected, { elicitation: { form: {} } })
  connected.send({ id: 1, ...call('hello__repeat', { text: 'again' }) })
  expect(await connected.receive()).toMatchObject({ id: 1, result: { isError: true } })
  await connected.host.close()
})

test('a host lets code call the tools, and answers the questions of that code', async () => {
  const connected = connect(Promise.resolve(bridge), 'code')
  await initialize(connected, { elicitation: { form: {} } })
  connected.send({ id: 1, method: 'tools/list' })
  expect(await connected.receive()).toMatchObject({ result: { tools: [{ name: 'run_code' }] } })
  const code = `const greeting = await tools.elicit__greet_me({})
    const denied = await tools.hello__repeat({ text: 'again' }).catch(() => 'denied')
    return [greeting, denied]`
  connected.send({ id: 2, ...call('run_code', { code }) })
  const { id } = await connected.receive()
  connected.send({ id, result: { action: 'accept', content: { name: 'Ada', excited: false } } })
  expect(await connected.receive()).toMatchObject({
    id: 2,
    result: { content: [{ text: '["Hello, Ada!","denied"]' }] },
  })
  await connected.host.close()
})

test('closing ends code that never ends', async () => {
  const connected = connect(Promise.resolve(bridge), 'code')
  await initialize(connected, { elicitation: { form: {} } })
  const code = 'await tools.elicit__greet_me({}).catch(() => {}); for (;;);'
  connected.send({ id: 1, ...call('run_code', { code }) })
  expect(await connected.receive()).toMatchObject({ method: 'elicitation/create' })
  const closing = connected.host.close()
  const answers = [await connected.receive(), await connected.receive()]
  expect(answers).toContainEqual(expect.objectContaining({ id: 1, error: expect.anything() }))
  await closing
})

test('a host is told when the tools change', async () => {
  const connected = connect()
  await initialize(connected)
  connected.send({ id: 1, method: 'ping' })
  await connected.receive()
  connected.host.toolsChanged()
  expect(await connected.receive()).toMatchObject({ method: 'notifications/tools/list_changed' })
  await connected.host.close()
})

test('closing answers a call that waits for a person', async () => {
  const connected = connect()
  await initialize(connected, { elicitation: { form: {} } })
  connected.send({ id: 1, ...call('elicit__greet_me') })
  expect(await connected.receive()).toMatchObject({ method: 'elicitation/create' })
  const closing = connected.host.close()
  const answers = [await connected.receive(), await connected.receive()]
  expect(answers).toContainEqual(expect.objectContaining({ id: 1, error: expect.anything() }))
  await closing
})

test('the end of the input is the end of the host', async () => {
  const connected = connect()
  await initialize(connected)
  connected.stdin.end()
  await connected.host.ended
  await connected.host.close()
})

test.each([
  '"name":"hello__repeat","name":"hello__hello"',
  '"name":"hello__hello","Name":"hello__repeat"',
  '"name":"hello__hello","arguments":{"name":"Ada","n\\u0061me":"Eve"}',
])('a call of the host that others would read differently is refused: %s, advisory [D1]', async (members) => {
  const connected = connect()
  await initialize(connected)
  connected.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${members}}}\n`)
  expect(await connected.receive()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32602, message: expect.stringMatching(/^the request has the key "/) },
  })
  connected.send({ id: 2, ...call('hello__hello', { name: 'Ada', Name: 'Eve' }) })
  expect(await connected.receive()).toMatchObject({ id: 2, result: { content: [{ text: 'Hello, Ada!' }] } })
  await connected.host.close()
})

test('a call of the host with too many values is refused, and the next one is answered, advisory [F2]', async () => {
  const connected = connect()
  await initialize(connected)
  const args = { name: Array.from({ length: 1_000_000 }, () => 0) }
  connected.send({ id: 1, ...call('hello__hello', args) })
  expect(await connected.receive()).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining('more than 100,000 values') },
  })
  connected.send({ id: 2, method: 'ping' })
  expect(await connected.receive()).toMatchObject({ id: 2, result: {} })
  await connected.host.close()
})

test('messages are found however the pipe cuts them, and one of 10 MiB without an end is the last, advisory [F1]', async () => {
  const connected = connect()
  await initialize(connected)
  const text = [3, 4, 5].map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`).join('')
  for (const byte of Buffer.from(text)) connected.stdin.write(Buffer.of(byte))
  for (const id of [3, 4, 5]) expect(await connected.receive()).toMatchObject({ id, result: {} })
  for (let megabytes = 0; megabytes <= 10; megabytes++) connected.stdin.write('x'.repeat(1024 * 1024))
  await expect.poll(() => connected.stdin.isPaused()).toBe(true)
  await connected.host.close()
})
