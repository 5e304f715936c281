import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost, type Host } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway
let host: Host

beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello')],
    permissions: { mode: 'allow', deny: ['mcp://hello/repeat'] },
  })
  await untilServer(listening.gateway.as('local'), 'hello', 'ready')
  host = await connectHost(listening.url)
})
afterAll(async () => {
  await host[Symbol.asyncDispose]()
  await listening[Symbol.asyncDispose]()
})

const meta =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}'

const eras = {
  legacy: { meta: '', headers: (): Record<string, string> => ({ 'mcp-session-id': host.sessionId ?? '' }) },
  modern: {
    meta: `"_meta":{${meta}},`,
    headers: () => ({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'hello__hello',
    }),
  },
}

type Era = keyof typeof eras

const eraNames: readonly Era[] = ['legacy', 'modern']

function post(body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(listening.url + paths.mcp, {
    method: 'POST',
    headers: {
      authorization: bearerOf('host'),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body,
  })
}

function call(era: Era, members: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{${eras[era].meta}${members}}}`
  return post(body, { ...eras[era].headers(), ...headers })
}

const bothEras = eraNames.flatMap((era) =>
  [
    '"name":"hello__repeat","name":"hello__hello","arguments":{"text":"x"}',
    '"name":"hello__hello","Name":"hello__repeat","arguments":{"text":"x"}',
    '"name":"hello__hello","na\\u006de":"hello__repeat","arguments":{"text":"x"}',
    '"name":"hello__hello","arguments":{},"Arguments":{"name":"Eve"}',
    '"name":"hello__hello","arguments":{"name":"Ada","name":"Eve"}',
    '"name":"hello__hello","arguments":{"more":[{"name":"Ada","n\\u0061me":"Eve"}]}',
    '"name":"hello__hello","arguments":{},"_Meta":{"progressToken":1}',
  ].map((members) => [era, members] as const),
)

test.each(bothEras)(
  'in the %s era, a call that others would read differently is refused: %s, advisory [D1]',
  async (era, members) => {
    const response = await call(era, members)
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32602,
        message: expect.stringMatching(/^the request has the key ".+" twice|in case only; write "/),
      },
    })
  },
)

test.each(eraNames)(
  'in the %s era, the name that rules judge is the one that is called, advisory [D1]',
  async (era) => {
    const allowed = await call(era, '"name":"hello__hello","arguments":{"name":"Ada","Name":"Eve"}')
    expect(await allowed.json()).toMatchObject({ id: 7, result: { content: [{ text: 'Hello, Ada!' }] } })
    const denied = await call(era, '"name":"hello__repeat","arguments":{"text":"x"}', {
      'mcp-name': 'hello__repeat',
    })
    expect(await denied.json()).toMatchObject({ id: 7, result: { isError: true } })
  },
)

test.each([
  '{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}',
  '{"jsonrpc":"2.0","id":7,"method":"ping","Method":"tools/call"}',
  '{"jsonrpc":"2.0","id":7,"result":{},"re\\u0073ult":{}}',
  '[{"jsonrpc":"2.0","id":7,"method":"ping","METHOD":"tools/call"}]',
])(
  'a message whose own fields are ambiguous is an invalid request without an id: %s, advisory [D1]',
  async (body) => {
    const response = await post(body, eras.legacy.headers())
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } })
  },
)

test.each<[string, string]>([
  [paths.call, '{"tool":"mcp://hello/repeat","tool":"mcp://hello/hello"}'],
  [paths.call, '{"tool":"mcp://hello/hello","arguments":{"name":"a","n\\u0061me":"b"}}'],
  [paths.startedCalls, '{"tool":"mcp://hello/hello","arguments":{"name":"a","name":"b"}}'],
  [
    paths.invoke,
    '{"workflowId":"x","nodes":[{"kind":"tool","id":"a","tool":"b","arguments":{"a":1,"a":2}}]}',
  ],
  [paths.config, '{"mcpServers":{"a":{"command":"x","args":[],"args":["--all"]}}}'],
  [paths.testPermission, '{"tool":"a","arguments":{"path":"/tmp","path":"/etc"}}'],
])(
  'a body for %s with a key twice is refused, and the key is named: %s, advisory [D1]',
  async (path, body) => {
    const response = await listening.gateway.as('local').post(path, body)
    expect(response.status).toBe(422)
    const { detail } = await response.json()
    expect(detail).toMatch(/^the request has the key "\w+" twice in one object; send it once$/)
  },
)

test.each<[string, string]>([
  [paths.call, '{"tool":"mcp://hello/hello","Tool":"mcp://hello/repeat"}'],
  [paths.startedCalls, '{"Arguments":{},"tool":"mcp://hello/hello"}'],
  [paths.invoke, '{"workflowId":"x","nodes":[],"Nodes":[]}'],
  [paths.config, '{"mcpServers":{},"McpServers":{"a":{"command":"x","args":[]}}}'],
  [paths.testPermission, '{"tool":"mcp://hello/hello","Tool":"a"}'],
])('a body for %s with a field in another case is refused: %s, advisory [D1]', async (path, body) => {
  const response = await listening.gateway.as('local').post(path, body)
  expect(response.status).toBe(422)
  expect(JSON.stringify(await response.json())).toMatch(/[Tt]ool|Arguments|Nodes|McpServers/)
})

const headersOf: readonly [what: string, headers: Record<string, string>][] = [
  ['another tool', { 'mcp-name': 'hello__repeat' }],
  ['the tool in another case', { 'mcp-name': 'Hello__Hello' }],
  ['the tool twice', { 'mcp-name': 'hello__hello, hello__hello' }],
  ['two tools', { 'mcp-name': 'hello__hello, hello__repeat' }],
  ['the tool and a line break', { 'mcp-name': `=?base64?${btoa('hello__hello\r\nmcp-name: x')}?=` }],
  [
    'the tool in Base64 without padding',
    { 'mcp-name': `=?base64?${btoa('hello__hello!').replaceAll('=', '')}?=` },
  ],
  ['another method', { 'mcp-method': 'tools/list' }],
  ['two methods', { 'mcp-method': 'tools/call, tools/list' }],
  ['the method in another case', { 'mcp-method': 'Tools/Call' }],
]

test.each(headersOf)(
  'headers that name %s, and not what the body names, are a mismatch in both eras, advisory [D2]',
  async (_, headers) => {
    for (const era of eraNames) {
      const response = await call(era, '"name":"hello__hello","arguments":{}', headers)
      expect([era, response.status]).toEqual([era, 400])
      expect(await response.json()).toMatchObject({ id: 7, error: { code: -32020 } })
    }
  },
)

test('headers that say what the body says are accepted in both eras, encoded or not, advisory [D2]', async () => {
  const encoded = `=?base64?${btoa('hello__hello')}?=`
  for (const era of eraNames)
    for (const name of ['hello__hello', encoded]) {
      const response = await call(era, '"name":"hello__hello","arguments":{}', {
        'mcp-method': 'tools/call',
        'mcp-name': name,
      })
      expect(await response.json()).toMatchObject({ id: 7, result: {} })
    }
})

test('a call of the 2026 era without the headers is a mismatch, advisory [D2]', async () => {
  for (const missing of ['mcp-method', 'mcp-name', 'mcp-protocol-version']) {
    const headers = Object.fromEntries(
      Object.entries(eras.modern.headers()).filter(([name]) => name !== missing),
    )
    const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{${eras.modern.meta}"name":"hello__hello"}}`
    const response = await post(body, headers)
    expect([missing, response.status]).toEqual([missing, 400])
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32020 } })
  }
})
