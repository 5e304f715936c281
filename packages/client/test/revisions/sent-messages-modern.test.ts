import { modernMistakes, type Spoken } from '@toolbridge/testkit/oracle'
import { expect, test } from 'vitest'
import { type JsonRpcRequest, McpClient } from '../../src/index.ts'
import { methodsOf, recorded } from '../support/recorded-conversation.ts'
import { type Script, type ScriptedServer, scriptedServer, silence } from '../support/scripted-server.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

test('the official SDK accepts what every verb sends without a handshake, and no answer is sent [B4 B14 N5 N6]', async () => {
  const server = scriptedServer(everything)
  acknowledgeSubscriptions(server)
  const conversation = recorded(server.end)
  const client = new McpClient(server.transport, {
    era: '2026-07-28',
    onElicitation: async () => ({ action: 'accept', content: { name: 'Ada' } }),
    extensions: { [TASKS]: {} },
    logLevel: 'warning',
  })
  await client.connect()
  await server.end.send({ jsonrpc: '2.0', id: 'stray', method: 'ping' })
  await useEveryVerb(client)
  await client.close()
  expect(Object.keys(everything).filter((method) => !methodsOf(conversation).has(method))).toEqual([])
  expect(methodsOf(conversation)).toContain('notifications/cancelled')
  expect(modernMistakes(conversation)).toEqual([])
  const anonymous = conversation.filter(
    ({ by, message }) => by === 'client' && 'id' in message && !hasClientInfo(message),
  )
  expect(anonymous).toEqual([])
})

test('the judge is awake', () => {
  const say = (message: object): Spoken => ({ by: 'client', message: { jsonrpc: '2.0', ...message } })
  const mistaken = [
    say({ id: 1, method: 'tools/list', params: {} }),
    say({ id: 1, method: 'tools/list' }),
    say({ id: 1, method: 'tools/call', params: { _meta: meta } }),
    say({ id: 1, method: 'initialize', params: { _meta: meta } }),
    say({ method: 'notifications/unheard' }),
    say({ id: 'stray', result: {} }),
  ]
  for (const each of mistaken) expect(modernMistakes([each])).not.toEqual([])
  expect(modernMistakes([say({ id: 1, method: 'tools/list', params: { _meta: meta } })])).toEqual([])
})

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function useEveryVerb(client: McpClient): Promise<void> {
  await client.listTools()
  expect(await client.callTool('greet', {}, { onProgress: () => undefined })).toMatchObject({ content: [] })
  await client.listResources()
  await client.listResourceTemplates()
  await client.readResource('test://a')
  await client.listPrompts()
  await client.getPrompt('greet', { name: 'Ada' })
  await client.complete({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'name', value: 'A' },
  })
  await client.getTask('t')
  await client.cancelTask('t')
  await client.ping()
  const subscription = await client.subscribe({ toolsListChanged: true }, () => undefined)
  await subscription.close()
}

/** A server that offers everything and has next to nothing; its tool asks once before it answers. */
const everything: Script = {
  'server/discover': () =>
    complete({
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: {},
        completions: {},
        logging: {},
        extensions: { [TASKS]: {} },
      },
      ttlMs: 0,
      cacheScope: 'private',
    }),
  'tools/list': () => complete({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ params }) =>
    'inputResponses' in (params as object) ? complete({ content: [] }) : question,
  'resources/list': () => complete({ resources: [] }),
  'resources/templates/list': () => complete({ resourceTemplates: [] }),
  'resources/read': () => complete({ contents: [] }),
  'prompts/list': () => complete({ prompts: [] }),
  'prompts/get': () => complete({ messages: [] }),
  'completion/complete': () => complete({ completion: { values: [] } }),
  'tasks/get': () =>
    complete({ taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null }),
  'tasks/cancel': () => complete({}),
  'subscriptions/listen': () => silence,
}

const question = {
  resultType: 'input_required',
  requestState: 'state',
  inputRequests: {
    who: {
      method: 'elicitation/create',
      params: {
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  },
}

function complete(result: object): object {
  return { resultType: 'complete', ...result }
}

function hasClientInfo({ params }: Spoken['message']): boolean {
  return 'io.modelcontextprotocol/clientInfo' in (params as { _meta: object })._meta
}

function acknowledgeSubscriptions({ end }: ScriptedServer): void {
  const { onmessage } = end
  end.onmessage = (message) => {
    onmessage?.(message)
    const { id, method, params } = message as JsonRpcRequest
    if (method !== 'subscriptions/listen') return
    const { notifications } = params as { notifications: object }
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
    void end.send({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta },
    })
  }
}
