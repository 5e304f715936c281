import { clientMistakes, type Spoken } from '@toolbridge/testkit/oracle'
import { runFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { createMemoryPair, type JsonRpcMessage, McpClient, type MemoryServerEnd } from '../src/index.ts'
import { scriptedServer, silence } from './scripted-server.ts'

test('the official SDK accepts every message of a session with a server that asks [B14]', async () => {
  const [transport, end] = createMemoryPair()
  const server = await runFixture('elicit', end)
  const conversation = recorded(end)
  const client = new McpClient(transport, {
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
  expect(clientMistakes(conversation)).toEqual([])
})

test('the official SDK accepts every answer to a server that asks for anything, in any order [B14]', async () => {
  const server = scriptedServer({ hang: () => silence })
  const conversation = recorded(server.end)
  const client = new McpClient(server.transport, { onElicitation: async () => ({ action: 'decline' }) })
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
  expect(clientMistakes(conversation)).toEqual([])
})

test('the judge is awake', () => {
  const say = (message: object): Spoken => ({ by: 'client', message: { jsonrpc: '2.0', ...message } })
  const mistaken = [
    say({ id: 1, method: 'tools/call', params: { arguments: {} } }),
    say({ id: null, method: 'tools/list' }),
    say({ id: 2, method: 'no/such' }),
    say({ id: 'unasked', result: {} }),
  ]
  for (const each of mistaken) expect(clientMistakes([each])).not.toEqual([])
})

/** Everything that travels over a link from now on. Set up after the server, before the client connects. */
function recorded(end: MemoryServerEnd): readonly Spoken[] {
  const conversation: Spoken[] = []
  const keep = (by: Spoken['by'], message: JsonRpcMessage): void => {
    conversation.push({ by, message: JSON.parse(JSON.stringify(message)) })
  }
  const { onmessage, send } = end
  end.onmessage = (message) => {
    keep('client', message)
    onmessage?.(message)
  }
  end.send = (message) => {
    keep('server', message)
    return send(message)
  }
  return conversation
}

function methodsOf(conversation: readonly Spoken[]): ReadonlySet<unknown> {
  const said = conversation.filter(({ by, message }) => by === 'client' && 'method' in message)
  return new Set(said.map(({ message }) => message['method']))
}
