import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackedServer } from '../../bridge/test/attacks/attacked-bridge.ts'
import { ambiguousMessages } from '../../bridge/test/attacks/programs/ambiguous-messages.ts'
import { bearerOf, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { modernRevision } from './support/modern.ts'
import { operatorServer } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
const touched: string[] = []
let gateway: TestGateway

beforeAll(async () => {
  gateway = createTestGateway({
    lockbox,
    operatorServers: [operatorServer('folding', 'hello')],
    transportOf: ({ name }) => attackedServer(name, touched),
  })
  await untilServer(gateway.as('local'), 'folding', 'ready')
})
afterAll(() => gateway[Symbol.asyncDispose]())

type Headers = Readonly<Record<string, string>>

function post(body: string, headers: Headers): Promise<Response> {
  const usual = {
    authorization: bearerOf('host'),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return Promise.resolve(
    gateway.app.request(paths.mcp, { method: 'POST', headers: { ...usual, ...headers }, body }),
  )
}

async function session(): Promise<Headers> {
  const clientInfo = { name: 'test-host', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }), {})
  await opened.text()
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
}

const modern: Headers = {
  'mcp-protocol-version': modernRevision,
  'mcp-method': 'tools/call',
  'mcp-name': 'folding__use',
}

/** The message as a host of the modern era sends it. */
function asModern(text: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modernRevision,
    'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return text.replaceAll('"params":{', `"params":{"_meta":${JSON.stringify(meta)},`)
}

/** Whether the gateway answers with a result or calls a tool. */
async function isServed(text: string, headers: Headers): Promise<boolean> {
  touched.length = 0
  const answer = await (await post(text.replaceAll('#', '7'), headers)).text()
  return answer.includes('"result"') || touched.length > 0
}

const plain =
  '{"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"folding__use","arguments":{"path":"/tmp/x"}}}'

test('a message in a session whose keys differ only in case or appear twice is refused before a tool is called', async () => {
  const headers = await session()
  expect(await isServed(plain, headers)).toBe(true)
  const served: string[] = []
  for (const [mechanism, text] of ambiguousMessages) if (await isServed(text, headers)) served.push(mechanism)
  expect(served).toEqual([])
})

test('so is one without a session', async () => {
  expect(await isServed(asModern(plain), modern)).toBe(true)
  const served: string[] = []
  for (const [mechanism, text] of ambiguousMessages)
    if (await isServed(asModern(text), modern)) served.push(mechanism)
  expect(served).toEqual([])
})
