import { openBridge } from '@toolbridge/bridge'
import { type Cassette, parseCassette, replayTransport } from '@toolbridge/bridge/cassette'
import { McpClient, type McpClientOptions, toText } from '@toolbridge/client'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { scriptedInMemory } from '../servers/scripted-in-memory.ts'
import { permissive } from '../servers/specs.ts'
import { linkOfficial, recorded } from './recording.ts'

async function replay(cassette: Cassette, options: McpClientOptions = {}): Promise<McpClient> {
  const client = new McpClient(replayTransport(cassette), options)
  await client.connect()
  return client
}

const textOf = async (client: McpClient, name: string, args: object = {}): Promise<string> =>
  toText(await client.callTool(name, { ...args }))

test('calls are answered in any order, repeated ones in turn and the last one again', async () => {
  let calls = 0
  const tools = [{ name: 'count', inputSchema: { type: 'object' as const } }]
  const transportOf = scriptedInMemory(tools, ({ arguments: given }) => ({
    content: [{ type: 'text', text: `${JSON.stringify(given)} ${++calls}` }],
  }))
  const { cassette } = await recorded({ ...permissive([inMemory('hello')]), transportOf }, async (bridge) => {
    for (const key of ['a', 'b', 'a', 'c']) await bridge.call('hello__count', { key, more: { x: [1] } })
  })
  const client = await replay(cassette)
  const call = (key: string): Promise<string> => textOf(client, 'count', { more: { x: [1] }, key })
  expect(await Promise.all(['c', 'a', 'b', 'a', 'a', 'b'].map(call))).toEqual([
    '{"key":"c","more":{"x":[1]}} 4',
    '{"key":"a","more":{"x":[1]}} 1',
    '{"key":"b","more":{"x":[1]}} 2',
    '{"key":"a","more":{"x":[1]}} 3',
    '{"key":"a","more":{"x":[1]}} 3',
    '{"key":"b","more":{"x":[1]}} 2',
  ])
  await client.close()
})

test('what was not recorded is refused with what was', async () => {
  const { cassette } = await recorded(permissive([inMemory('hello')]), async (bridge) => {
    for (const name of ['Ada', 'Bob']) await bridge.call('hello__hello', { name })
  })
  const client = await replay(cassette)
  await expect(client.callTool('hello', { name: 'Eve' })).rejects.toMatchObject({
    code: -32602,
    message:
      'not recorded: tools/call hello {"name":"Eve"}. Recorded: tools/call hello {"name":"Ada"}, tools/call hello {"name":"Bob"}',
  })
  await expect(client.callTool('gone')).rejects.toThrow(
    'not recorded: tools/call gone. Recorded: tools/call hello',
  )
  await expect(client.request('tasks/list')).rejects.toMatchObject({
    code: -32601,
    message: 'not recorded: tasks/list. Recorded: server/discover, initialize, tools/list, tools/call',
  })
  await client.close()
})

/** A cassette of two calls of the same tool, one answered by a person and one declined. */
async function greetings(): Promise<Cassette> {
  const answers = [{ action: 'accept' as const, content: { name: 'Ada' } }, { action: 'decline' as const }]
  const options = {
    ...permissive([inMemory('elicit')]),
    answerer: { ask: async () => answers.shift() ?? { action: 'cancel' as const } },
  }
  const { cassette } = await recorded(options, async (bridge) => {
    await bridge.call('elicit__greet_me')
    await bridge.call('elicit__greet_me')
  })
  return cassette
}

test('questions are asked again, and the answer chooses the recording', async () => {
  const cassette = await greetings()
  const asked: unknown[] = []
  const answers = [{ action: 'decline' }, { action: 'accept', content: { name: 'Ada' } }] as const
  const client = await replay(cassette, {
    onElicitation: async ({ message }) => {
      asked.push(message)
      return answers[asked.length - 1] ?? { action: 'cancel' }
    },
  })
  expect(await textOf(client, 'greet_me')).toMatch(/decline/)
  expect(await textOf(client, 'greet_me')).toBe('Hello, Ada!')
  expect(asked).toEqual(['What is your name?', 'What is your name?'])
  await client.close()
})

test('an answer that was not recorded fails the call without repeating it', async () => {
  const client = await replay(await greetings(), {
    onElicitation: async () => ({ action: 'accept', content: { name: 'Eve the intruder' } }),
  })
  await expect(client.callTool('greet_me')).rejects.toThrow(
    'the answer to "What is your name?" is not the recorded one: content.name differs',
  )
  await client.close()
})

test('a client that cannot be asked gets what the recorded answers led to', async () => {
  const client = await replay(await greetings())
  expect(await textOf(client, 'greet_me')).toBe('Hello, Ada!')
  await client.close()
})

test('a redacted answer and a redacted argument stand for any value', async () => {
  const secret = 'correct horse battery'
  const spec = { ...inMemory('hello'), env: { KEY: secret } }
  const { text, cassette } = await recorded(permissive([spec]), (bridge) =>
    bridge.call('hello__hello', { name: `key ${secret}!` }),
  )
  expect(text).not.toContain(secret)
  const client = await replay(cassette)
  expect(await textOf(client, 'hello', { name: 'key another one!' })).toBe('Hello, key [redacted]!!')
  await expect(client.callTool('hello', { name: 'lock another one!' })).rejects.toThrow('not recorded')
  await client.close()
})

test('progress and log messages are sent again, progress with the token of the new call', async () => {
  const tools = [{ name: 'work', inputSchema: { type: 'object' as const } }]
  const transportOf = scriptedInMemory(tools, ({ _meta }, notify) => {
    notify('notifications/progress', { progressToken: _meta?.['progressToken'], progress: 1, total: 2 })
    notify('notifications/message', { level: 'info', data: 'halfway' })
    return { content: [{ type: 'text', text: 'done' }] }
  })
  const { cassette } = await recorded({ ...permissive([inMemory('hello')]), transportOf }, (bridge) =>
    bridge.call('hello__work', {}, { onProgress: () => {} }),
  )
  const heard: unknown[] = []
  const client = await replay(cassette, { onNotification: (method, params) => heard.push([method, params]) })
  await client.ping()
  const onProgress = (progress: object): number => heard.push(progress)
  expect(toText(await client.callTool('work', {}, { onProgress }))).toBe('done')
  expect(heard).toEqual([
    { progress: 1, total: 2 },
    ['notifications/message', { level: 'info', data: 'halfway' }],
  ])
  await client.close()
})

test.each(['modern', 'legacy'] as const)(
  'an official server is replayed in the %s era, also its questions',
  async (era) => {
    const transportOf = await linkOfficial('modern', era)
    const options = {
      ...permissive([inMemory('hello', 'm')]),
      transportOf,
      answerer: { ask: async () => ({ action: 'accept' as const, content: { name: 'Ada' } }) },
    }
    const { cassette } = await recorded(options, async (bridge) => {
      await bridge.call('m__hello', {})
      await bridge.call('m__greet_me', {})
      await bridge.call('m__repeat', { text: 'hi' })
      await bridge.resources.list()
    })
    const described = { ...permissive([inMemory('hello', 'm')]), answerer: options.answerer }
    await using bridge = await openBridge({ ...described, transportOf: () => replayTransport(cassette) })
    expect(toText(await bridge.call('m__repeat', { text: 'hi' }))).toBe('hi hi')
    expect(toText(await bridge.call('m__greet_me', {}))).toBe('Hello, Ada!')
    expect(toText(await bridge.call('m__hello', {}))).toBe('Hello, world!')
    expect(bridge.status()[0]).toMatchObject({
      protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
    })
  },
)

test('a subscription is acknowledged with the id of the new request', async () => {
  const lines = [
    { type: 'cassette', version: 1, recordedAt: '' },
    { type: 'connection', connection: 1, server: 'm', transport: 'stdio' },
    sent({ id: 'd', method: 'server/discover' }),
    received({
      id: 'd',
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        ttlMs: 0,
        cacheScope: 'private',
      },
    }),
    sent({
      id: 'old',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    }),
    received({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [subscription]: 'old' } },
    }),
    received({ method: 'notifications/tools/list_changed', params: { _meta: { [subscription]: 'old' } } }),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const client = await replay(parseCassette(text, 'test'))
  const heard = await new Promise((resolve) => {
    void client.subscribe({ toolsListChanged: true }, (method) => resolve(method))
  })
  expect(heard).toBe('notifications/tools/list_changed')
  await client.close()
})

const subscription = 'io.modelcontextprotocol/subscriptionId'

function sent(message: object): object {
  return { type: 'message', connection: 1, direction: 'sent', message: { jsonrpc: '2.0', ...message } }
}

function received(message: object): object {
  return { type: 'message', connection: 1, direction: 'received', message: { jsonrpc: '2.0', ...message } }
}

test('the server of a cassette with several must be named', () => {
  const text = [
    { type: 'cassette', version: 1, recordedAt: '' },
    { type: 'connection', connection: 1, server: 'a', transport: 'stdio' },
    { type: 'connection', connection: 2, server: 'b', transport: 'http' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
  const cassette = parseCassette(text, 'two.cassette')
  expect(() => replayTransport(cassette)).toThrow(
    'two.cassette: the cassette has several servers: name one of a, b',
  )
  expect(() => replayTransport(cassette, { server: 'c' })).toThrow(
    'server "c" was not recorded; recorded: a, b',
  )
  expect(replayTransport(cassette, { server: 'b' })).toBeDefined()
})
