import { legacyMistakes, type Spoken } from '@toolbridge/testkit/oracle'
import { runFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { createMemoryPair, McpClient } from '../../src/index.ts'
import { methodsOf, recorded } from '../support/recorded-conversation.ts'
import { type Script, scriptedServer, silence } from '../support/scripted-server.ts'

test('the official SDK accepts every message of a session with a server that asks [B14]', async () => {
  const [transport, end] = createMemoryPair()
  const server = await runFixture('elicit', end)
  const conversation = recorded(end)
  const client = new McpClient(transport, {
    era: 'legacy',
    onElicitation: async () => ({ action: 'accept', content: { name: 'Ada', excited: true } }),
  })
  await client.connect()
  await client.listTools()
  await client.ping()
  await client.callTool('greet_me', {}, { onProgress: () => undefined, trace: { traceparent: '00-1-2-01' } })
  const abort = new AbortController()
  const slow = client.callTool('whoami_slow', { delayMs: 5_000 }, { signal: abort.signal })
  abort.abort('enough')
  await expect(slow).rejects.toBe('enough')
  await client.ping()
  await client.close()
  await server.close()
  expect(methodsOf(conversation)).toEqual(
    new Set([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'ping',
      'tools/call',
      'notifications/cancelled',
    ]),
  )
  expect(legacyMistakes(conversation)).toEqual([])
})

test('the official SDK accepts every answer to a server that asks for anything, in any order [S4-9] [B14]', async () => {
  const server = scriptedServer({ hang: () => silence })
  const conversation = recorded(server.end)
  const client = new McpClient(server.transport, {
    era: 'legacy',
    onElicitation: async () => ({ action: 'decline' }),
  })
  await client.connect()
  const methods = [
    'ping',
    'elicitation/create',
    'sampling/createMessage',
    'roots/list',
    'tasks/get',
    'no/such',
  ]
  const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } }
  methods.forEach((method, id) => void server.end.send({ jsonrpc: '2.0', id, method, params }))
  await Promise.all(methods.map((_method, id) => server.answer(id)))
  await client.close()
  expect(legacyMistakes(conversation)).toEqual([])
})

test('the official SDK accepts what every verb sends [S4-5] [S4-47] [B14]', async () => {
  const server = scriptedServer(everything)
  const conversation = recorded(server.end)
  const client = new McpClient(server.transport, {
    era: 'legacy',
    clientInfo: { name: 'judged', version: '1', title: 'Judged' },
    onSampling: async () => ({ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'none' }),
    samplingTools: true,
    roots: [{ uri: 'file:///work', name: 'work' }],
    extensions: { 'com.example/extra': {} },
    logLevel: 'warning',
  })
  await client.connect()
  await useEveryVerb(client)
  const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }]
  await server.end.send({
    jsonrpc: '2.0',
    id: 'sample',
    method: 'sampling/createMessage',
    params: { messages, maxTokens: 9 },
  })
  await server.end.send({ jsonrpc: '2.0', id: 'roots', method: 'roots/list' })
  expect(await server.answer('sample')).toMatchObject({ result: { model: 'none' } })
  expect(await server.answer('roots')).toMatchObject({ result: { roots: [{ name: 'work' }] } })
  await client.close()
  expect(Object.keys(everything).filter((method) => !methodsOf(conversation).has(method))).toEqual([])
  expect(legacyMistakes(conversation)).toEqual([])
})

async function useEveryVerb(client: McpClient): Promise<void> {
  await client.listResources()
  await client.listResourceTemplates()
  await client.readResource('test://a')
  await client.subscribeResource('test://a')
  await client.unsubscribeResource('test://a')
  await client.listPrompts()
  await client.getPrompt('greet', { name: 'Ada' })
  await client.complete({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'name', value: 'A' },
    context: { arguments: { tone: 'warm' } },
  })
  await client.setLogLevel('debug')
  await client.rootsChanged()
  await client.callToolTask('slow', {}, { ttlMs: 1_000 })
  await client.getTask('t')
  await client.awaitTask('t')
  await client.cancelTask('t')
  await client.listTasks()
}

/** A server that offers everything and has next to nothing. */
const everything: Script = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    },
    serverInfo: { name: 'everything', version: '1' },
  }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': () => ({ contents: [] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': () => ({ prompts: [] }),
  'prompts/get': () => ({ messages: [] }),
  'completion/complete': () => ({ completion: { values: [] } }),
  'logging/setLevel': () => ({}),
  'tools/call': () => ({ task }),
  'tasks/get': () => task,
  'tasks/result': () => ({ content: [] }),
  'tasks/cancel': () => ({ ...task, status: 'cancelled' }),
  'tasks/list': () => ({ tasks: [task] }),
}

const task = {
  taskId: 't',
  status: 'completed',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttl: 1_000,
}

test('the judge is awake', () => {
  const say = (message: object): Spoken => ({ by: 'client', message: { jsonrpc: '2.0', ...message } })
  const mistaken = [
    say({ id: 1, method: 'tools/call', params: { arguments: {} } }),
    say({ id: null, method: 'tools/list' }),
    say({ id: 2, method: 'no/such' }),
    say({ id: 'unasked', result: {} }),
  ]
  for (const each of mistaken) expect(legacyMistakes([each])).not.toEqual([])
})
