import type { ServerResponse } from 'node:http'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, expect, test, vi } from 'vitest'
import { HttpTransport, McpClient, type McpClientOptions } from '../../../src/index.ts'
import {
  answer,
  events,
  json,
  type ScriptedHttpServer,
  type SeenRequest,
  scriptedHttpServer,
} from '../../support/http-server.ts'
import { discovery } from '../../support/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const REGIONAL = {
  name: 'regional',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      where: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
      urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
      text: { type: 'string' },
    },
  },
}

test('each POST repeats the revision, the method and what it is about, and has no session [H8 H2]', async () => {
  const { client, server } = await connected((request, response) => {
    response.setHeader('mcp-session-id', 'not wanted')
    json(response, answer(request, { content: [], contents: [], messages: [] }))
  })
  await client.callTool('näme', { a: 1 })
  await client.readResource('file:///a b%20c')
  await client.getPrompt('greet')
  const sent = server.seen.map(({ message, headers }) => [
    message.method,
    headers['mcp-method'],
    headers['mcp-name'],
    headers['mcp-protocol-version'],
    headers['mcp-session-id'],
  ])
  expect(sent).toEqual([
    ['server/discover', 'server/discover', undefined, '2026-07-28', undefined],
    ['tools/call', 'tools/call', '=?base64?bsOkbWU=?=', '2026-07-28', undefined],
    ['resources/read', 'resources/read', 'file:///a b%20c', '2026-07-28', undefined],
    ['prompts/get', 'prompts/get', 'greet', '2026-07-28', undefined],
  ])
  await client.close()
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST'])
})

test('nothing a host sets can change the protocol’s headers [H8]', async () => {
  const headers = {
    'Mcp-Method': 'x',
    'mcp-name': 'x',
    'MCP-Protocol-Version': 'x',
    'Mcp-Param-Region': 'x',
    own: 'y',
  }
  const { client, server } = await connected(answerWithTools, {}, headers)
  await client.listTools()
  await client.callTool('regional', {}, { headers })
  expect(server.seen.at(-1)?.headers).toMatchObject({
    'mcp-method': 'tools/call',
    'mcp-name': 'regional',
    'mcp-protocol-version': '2026-07-28',
    own: 'y',
  })
  expect(server.seen.at(-1)?.headers).not.toHaveProperty('mcp-param-region')
})

test('marked arguments are repeated in headers, as text, and only those that are given [H9]', async () => {
  const { client, server } = await connected(answerWithTools)
  await client.listTools()
  await client.callTool('regional', { region: 'Zürich', where: { floor: 3 }, urgent: false, text: 'no' })
  await client.callTool('regional', { region: null, where: { floor: 1.5 }, urgent: 'yes' })
  expect(paramsOf(server.seen.at(-2))).toEqual({
    'mcp-param-region': '=?base64?WsO8cmljaA==?=',
    'mcp-param-floor': '3',
    'mcp-param-urgent': 'false',
  })
  expect(paramsOf(server.seen.at(-1))).toEqual({})
})

const nameOf = (mark: string, property = 'a', schema: object = {}): object => ({
  type: 'object',
  properties: { [property]: { type: 'string', 'x-mcp-header': mark, ...schema } },
})

test.each<[string, object]>([
  ['a line break in the name', nameOf('Region\r\nAuthorization')],
  ['a space in the name', nameOf('Region ')],
  ['a name of another script', nameOf('Région')],
  [
    'one header twice',
    {
      properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    },
  ],
  [
    '33 headers',
    {
      properties: Object.fromEntries(
        Array.from({ length: 33 }, (_, index) => [
          `p${index}`,
          { type: 'string', 'x-mcp-header': `P${index}` },
        ]),
      ),
    },
  ],
  ['a password', nameOf('Region', 'password')],
  ['an API key', nameOf('Region', 'API_Key')],
  ['a token', nameOf('Region', 'githubAccessToken')],
  ['what is written only', nameOf('Region', 'a', { writeOnly: true })],
  ['what is shown as a password', nameOf('Region', 'a', { format: 'password' })],
])(
  'a tool that asks for %s in headers is left out, and nothing of a call of it is repeated, advisory [D2]',
  async (_, inputSchema) => {
    const { client, server } = await connected((request, response) =>
      json(response, answer(request, { tools: [{ name: 'bad', inputSchema }, REGIONAL], content: [] })),
    )
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['regional'])
    const secret = canary('argument')
    await client.callTool('bad', { a: secret, password: secret, API_Key: secret, githubAccessToken: secret })
    expect(paramsOf(server.seen.at(-1))).toEqual({})
    expect(JSON.stringify(server.seen.at(-1)?.headers)).not.toContain(secret)
  },
)

test('names that only sound like a secret may be repeated, advisory [D2]', async () => {
  const names = ['pageToken', 'tokenCount', 'secretary', 'passwordLength', 'keys']
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', 'x-mcp-header': name }]))
  const { client } = await connected((request, response) =>
    json(
      response,
      answer(request, { tools: [{ name: 'fine', inputSchema: { type: 'object', properties } }] }),
    ),
  )
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['fine'])
})

test('an argument with line breaks, other scripts or the form of an encoded one is encoded, in one header, advisory [D2]', async () => {
  const { client, server } = await connected(answerWithTools)
  await client.listTools()
  for (const region of ['a\r\nAuthorization: Bearer x', 'ünï', ' a', '\u0000', '=?base64?YQ==?=']) {
    await client.callTool('regional', { region })
    const { 'mcp-param-region': sent = '', ...others } = paramsOf(server.seen.at(-1)) as Record<
      string,
      string
    >
    expect(others).toEqual({})
    expect(sent).toMatch(/^=\?base64\?[A-Za-z0-9+/]*={0,2}\?=$/)
    expect(Buffer.from(sent.slice('=?base64?'.length, -2), 'base64').toString()).toBe(region)
    expect(server.seen.at(-1)?.headers['authorization']).toBeUndefined()
  }
})

test('an integer that no header can carry exactly is not sent at all [H9]', async () => {
  const { client, server } = await connected(answerWithTools)
  await client.listTools()
  const before = server.seen.length
  await expect(client.callTool('regional', { where: { floor: 2 ** 60 } })).rejects.toThrow('where.floor')
  expect(server.seen).toHaveLength(before)
})

test('a tool whose marks are invalid is left out of the list, with its name and the reason [H9]', async () => {
  const onWarning = vi.fn()
  const bad = { name: 'bad', inputSchema: { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }
  const { client } = await connected(
    (request, response) => json(response, answer(request, { tools: [bad, REGIONAL] })),
    { onWarning },
  )
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['regional'])
  expect(onWarning.mock.calls.map(([warning]) => warning.message)).toEqual([
    'the tool "bad" was left out: "A" marks an argument that is not a string, integer or boolean',
  ])
})

test('a call with the wrong headers is repeated once with those of the new list [H10]', async () => {
  const { client, server } = await connected((request, response) => {
    const isRight = request.headers['mcp-param-region'] === 'north'
    if (request.message.method === 'tools/list' || isRight) answerWithTools(request, response)
    else json(response, { jsonrpc: '2.0', id: null, error: { code: -32020, message: 'header missing' } }, 400)
  })
  expect(await client.callTool('regional', { region: 'north' })).toMatchObject({ content: [] })
  expect(server.seen.map(({ message }) => message.method)).toEqual([
    'server/discover',
    'tools/call',
    'tools/list',
    'tools/call',
  ])
  expect(server.seen[1]?.message.id).not.toBe(server.seen[3]?.message.id)
  await expect(client.callTool('regional', { region: 'south' })).rejects.toMatchObject({ code: -32020 })
  expect(server.seen).toHaveLength(7)
})

test.each([
  [400, null],
  [404, null],
  [400, undefined],
])('a JSON-RPC error in the body of a %i reaches its call, with the id %s [H11]', async (status, id) => {
  const { client } = await connected((_, response) =>
    json(
      response,
      { jsonrpc: '2.0', id, error: { code: -32602, message: 'bad', data: { uri: 'x' } } },
      status,
    ),
  )
  await expect(client.callTool('any')).rejects.toMatchObject({
    kind: 'peer',
    code: -32602,
    data: { uri: 'x' },
  })
})

test('cancelling closes the answer and sends nothing [B7]', async () => {
  let hungUp: Promise<unknown> = Promise.resolve()
  const { client, server } = await connected((_, response) => {
    events(response)
    hungUp = new Promise((resolve) => response.on('close', resolve))
  })
  const abort = new AbortController()
  const call = client.callTool('any', {}, { signal: abort.signal })
  await expect.poll(() => server.seen).toHaveLength(2)
  abort.abort('enough')
  await expect(call).rejects.toBe('enough')
  await hungUp
  expect(server.seen).toHaveLength(2)
})

test('a stream that is lost is not taken up again: the call fails and nothing is sent [H7]', async () => {
  const { client, server } = await connected((_, response) => {
    const stream = events(response)
    stream.send({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, 'id: 1\n')
    stream.end()
  })
  await expect(client.callTool('any')).rejects.toMatchObject({ kind: 'closed' })
  expect(server.seen).toHaveLength(2)
})

function answerWithTools(request: SeenRequest, response: ServerResponse): void {
  const isList = request.message.method === 'tools/list'
  json(response, answer(request, isList ? { tools: [REGIONAL] } : { content: [] }))
}

async function connected(
  respond: (request: SeenRequest, response: ServerResponse) => void,
  options: McpClientOptions = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ client: McpClient; server: ScriptedHttpServer }> {
  const server = await scriptedHttpServer(
    (request, response) =>
      request.message.method === 'server/discover'
        ? json(response, answer(request, discovery))
        : respond(request, response),
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: server.url, headers }), options)
  opened.push(server, client)
  await client.connect()
  return { client, server }
}

function paramsOf(request: SeenRequest | undefined): object {
  const headers = Object.entries(request?.headers ?? {})
  return Object.fromEntries(headers.filter(([name]) => name.startsWith('mcp-param-')))
}
