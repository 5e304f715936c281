import { paths } from '@toolbridge/api'
import { operations } from '@toolbridge/api/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { modernRevision } from './support/modern.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
beforeAll(async () => {
  gateway = createTestGateway({ lockbox, operatorServers: [inMemory('hello')] })
  await untilServer(gateway.as('local'), 'hello', 'ready')
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** More than 100,000 of what costs most to validate, in less than any route reads. */
const fillings: Readonly<Record<string, string>> = {
  numbers: `[${'0,'.repeat(101_000)}0]`,
  arrays: `[${'[],'.repeat(51_000)}0]`,
  objects: `[${'{},'.repeat(51_000)}0]`,
  members: `[${'{"":0},'.repeat(34_000)}0]`,
  keys: `{${Array.from({ length: 11_000 }, (_, index) => `"${index.toString(36)}":{}`).join(',')}}`,
}

const tooMuch =
  /^the request has more than 1?[01]0,000 (?:values|members in one object); send fewer at a time/

/** A sign-in reads less, and only the local owner’s gateway finds files of hosts. */
const unread: readonly string[] = [paths.signIn, paths.importFound]

const withBody = operations
  .filter(({ request, path }) => request !== undefined && !unread.includes(path))
  .map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const)

test.each(Object.keys(fillings))(
  'too many %s are refused by every operation before they are parsed, advisory [F2]',
  async (what) => {
    const filling = fillings[what] ?? ''
    for (const [method, path] of withBody)
      for (const body of [filling, `{"tool":"x","arguments":{"a":${filling}}}`]) {
        const response = await gateway.as('local').send(method, path, body)
        expect([path, response.status]).toEqual([path, 422])
        expect(await response.json()).toMatchObject({ detail: expect.stringMatching(tooMuch) })
      }
  },
)

const meta = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': modernRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}).slice(1, -1)

const places: Readonly<Record<string, (filling: string) => string>> = {
  arguments: (filling) =>
    `{"id":7,"method":"tools/call","params":{"name":"hello__hello","arguments":{"a":${filling}}}}`,
  'arguments of the 2026 era': (filling) =>
    `{"id":7,"method":"tools/call","params":{"_meta":{${meta}},"name":"hello__hello","arguments":{"a":${filling}}}}`,
  _meta: (filling) =>
    `{"params":{"name":"hello__hello","_meta":{"a":${filling}}},"method":"tools/call","id":7}`,
  'the capabilities of a host': (filling) =>
    `{"id":7,"method":"initialize","params":{"capabilities":{"experimental":${filling}}}}`,
  'answers in a request': (filling) =>
    `{"id":7,"method":"tools/call","params":{"inputResponses":${filling}}}`,
  'a name': (filling) => `{"id":7,"method":"tools/call","params":{"name":${filling}}}`,
}

test.each(Object.keys(places))(
  'too many values in %s of an MCP request are refused with its id, advisory [F2]',
  async (place) => {
    for (const filling of Object.values(fillings)) {
      const response = await post(places[place]?.(filling) ?? '')
      expect(await response.json()).toMatchObject({
        id: 7,
        error: { code: -32602, message: expect.stringMatching(tooMuch) },
      })
    }
  },
)

test('too many values in a batch, a notification or an answer of a host are refused, advisory [F2]', async () => {
  for (const filling of Object.values(fillings))
    for (const body of [
      filling,
      `[${places['arguments']?.(filling) ?? ''}]`,
      `{"method":"notifications/progress","params":{"a":${filling}}}`,
      `{"id":7,"result":{"content":${filling}}}`,
    ]) {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } })
    }
})

test('a call may have 30,000 values and 3 MB of text, advisory [F2]', async () => {
  const name = '"[{,'.repeat(750_000)
  const call = await gateway.as('local').post(paths.call, {
    tool: 'mcp://hello/hello',
    arguments: { name, more: Array.from({ length: 30_000 }, (_, index) => index) },
  })
  expect(call.status).toBe(200)
  expect((await call.json()).content[0].text).toBe(`Hello, ${name}!`)
})

const long = 'x'.repeat(3_000_000)

test.each<[string, string, unknown]>([
  ['POST', paths.call, { tool: long }],
  ['POST', paths.invoke, { workflowId: 'x', nodes: [{ kind: long }] }],
  ['POST', paths.config, { mcpServers: { [long.slice(0, 60_000)]: { url: 7 } } }],
  ['POST', paths.config, { mcpServers: { a: { url: long } } }],
  ['POST', paths.config, { mcpServers: { a: { command: 'x', args: Array(4_000).fill(7) } } }],
  [
    'POST',
    paths.config,
    Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key ${index}`, index])),
  ],
  ['POST', paths.keys, { name: 'a', scopes: Array(40_000).fill('x') }],
  ['PUT', paths.permissions, { rules: { deny: Array(40_000).fill({}) } }],
  ['POST', paths.readResource, { server: long, uri: long }],
  ['POST', paths.getPrompt, { server: 'hello', name: long }],
])(
  'an error of %s %s quotes at most 64 kB of what was sent, and at most 100 issues, advisory [F2]',
  async (method, path, body) => {
    const response = await gateway.as('local').send(method, path, body)
    expect(response.status).toBeGreaterThanOrEqual(400)
    const text = await response.text()
    expect(text.length).toBeLessThan(64_000)
    expect(JSON.parse(text).issues?.length ?? 0).toBeLessThanOrEqual(100)
  },
)

test.each<[string, string]>([
  ['method', `{"id":7,"method":"${long}"}`],
  ['id', `{"id":"${long}","method":"ping"}`],
  ['tool', `{"id":7,"method":"tools/call","params":{"name":"${long}"}}`],
  ['tool of the 2026 era', `{"id":7,"method":"tools/call","params":{"name":"${long}","_meta":{${meta}}}}`],
  ['address', `{"id":7,"method":"resources/read","params":{"uri":"${long}","_meta":{${meta}}}}`],
  ['revision', `{"id":7,"method":"initialize","params":{"protocolVersion":"${long}"}}`],
  ['key', `{"id":7,"method":"tools/call","params":{"_meta":{"${long}":1,${meta}}}}`],
])('an error of the MCP endpoint does not quote a %s of megabytes, advisory [F2]', async (_, body) => {
  const response = await post(body)
  expect((await response.text()).length).toBeLessThan(1_000)
})

async function post(body: string): Promise<Response> {
  return gateway.app.request(paths.mcp, {
    method: 'POST',
    headers: {
      authorization: bearerOf('host'),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body,
  })
}
