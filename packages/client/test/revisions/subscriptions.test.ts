import { expect, test, vi } from 'vitest'
import { McpClient, type McpClientOptions } from '../../src/index.ts'
import {
  discovery,
  modernServer,
  Refusal,
  type Script,
  type ScriptedServer,
  scriptedServer,
  silence,
} from '../support/scripted-server.ts'

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'
const note = { resourceSubscriptions: ['memo://note'] }

test('a subscription asks for what the server offers, and is open when the server agreed [F15]', async () => {
  const { client, server } = await connected(modernServer({ 'subscriptions/listen': () => silence }))
  const opening = client.subscribe({ toolsListChanged: true, promptsListChanged: true, ...note }, vi.fn())
  const isOpen = vi.fn()
  void opening.then(isOpen)
  const { id, params } = await server.message('subscriptions/listen')
  expect(params).toMatchObject({ notifications: { toolsListChanged: true, ...note } })
  expect(params).not.toHaveProperty('notifications.promptsListChanged')
  expect(isOpen).not.toHaveBeenCalled()
  await agree(server, id, { toolsListChanged: true })
  expect((await opening).honoured).toEqual({ toolsListChanged: true })
})

test('what a server does not offer is not asked for [F15]', async () => {
  const { client, server } = await connected(modernServer())
  const subscription = await client.subscribe({ promptsListChanged: true }, vi.fn())
  expect(subscription.honoured).toEqual({})
  await subscription.close()
  expect(server.received).toHaveLength(1)
})

test('each notification reaches its own subscription, and the host hears all [F15]', async () => {
  const onNotification = vi.fn()
  const { client, server } = await connected(modernServer({ 'subscriptions/listen': () => silence }), {
    onNotification,
  })
  const [one, other] = [vi.fn(), vi.fn()]
  await subscribed(client, server, one, 'listen-1')
  await subscribed(client, server, other, 'listen-2')
  await tell(server, 'listen-2')
  await tell(server, 'listen-7')
  expect(one).not.toHaveBeenCalled()
  expect(other).toHaveBeenCalledOnce()
  expect(onNotification.mock.calls.filter(([method]) => method.endsWith('list_changed'))).toHaveLength(2)
})

test('closing a subscription tells the server, and nothing of it is heard any more [F15]', async () => {
  const { client, server } = await connected(modernServer({ 'subscriptions/listen': () => silence }))
  const [listener, onEnd] = [vi.fn(), vi.fn()]
  const subscription = await subscribed(client, server, listener, 'listen-1', { onEnd })
  await subscription.close()
  await subscription.close()
  expect(await server.message('notifications/cancelled')).toMatchObject({ params: { requestId: 'listen-1' } })
  await tell(server, 'listen-1')
  expect(listener).not.toHaveBeenCalled()
  expect(onEnd).not.toHaveBeenCalled()
})

test.each(['a result', 'a notification'])(
  'a server may end a subscription by %s, and it stays ended [F15]',
  async (way) => {
    const { client, server } = await connected(modernServer({ 'subscriptions/listen': () => silence }))
    const onEnd = vi.fn()
    await subscribed(client, server, vi.fn(), 'listen-1', { onEnd })
    const params = { requestId: 'listen-1' }
    if (way === 'a result')
      await server.end.send({ jsonrpc: '2.0', id: 'listen-1', result: { resultType: 'complete' } })
    else await server.end.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    await expect.poll(() => onEnd).toHaveBeenCalledExactlyOnceWith(undefined)
    expect(server.received.filter((message) => 'id' in message)).toHaveLength(2)
  },
)

test('a server that refuses, or does not agree in time, is an error [F15]', async () => {
  const refusing = await connected(modernServer({ 'subscriptions/listen': () => new Refusal(-32603) }))
  await expect(refusing.client.subscribe(note, vi.fn())).rejects.toMatchObject({ kind: 'peer', code: -32603 })
  const silent = await connected(modernServer({ 'subscriptions/listen': () => silence }))
  const late = silent.client.subscribe(note, vi.fn(), { timeoutMs: 50 })
  await expect(late).rejects.toMatchObject({ kind: 'timeout' })
  expect(await silent.server.message('notifications/cancelled')).toMatchObject({
    params: { requestId: 'listen-1' },
  })
})

test('the end of the connection ends a subscription with its reason', async () => {
  const { client, server } = await connected(modernServer({ 'subscriptions/listen': () => silence }))
  const onEnd = vi.fn()
  await subscribed(client, server, vi.fn(), 'listen-1', { onEnd })
  await server.end.close()
  await expect.poll(() => onEnd).toHaveBeenCalledOnce()
  expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ kind: 'closed' })
})

test('one resource is subscribed to, and no more, by the same verbs in both eras [S4-64] [F6]', async () => {
  const modern = await connected(modernServer({ 'subscriptions/listen': () => silence }))
  const subscribing = modern.client.subscribeResource('memo://note')
  await agree(modern.server, (await modern.server.message('subscriptions/listen')).id, note)
  await subscribing
  await modern.client.unsubscribeResource('memo://note')
  expect(await modern.server.message('notifications/cancelled')).toMatchObject({
    params: { requestId: 'listen-1' },
  })
  const legacy = await connected(legacyServer())
  await legacy.client.subscribeResource('memo://note')
  await legacy.client.unsubscribeResource('memo://note')
  expect(asked(legacy.server)).toEqual([
    'resources/subscribe memo://note',
    'resources/unsubscribe memo://note',
  ])
})

test('where changes are told to everybody, a subscription hears only its own [F6 F16]', async () => {
  const { client, server } = await connected(legacyServer())
  const [tools, notes] = [vi.fn(), vi.fn()]
  const { honoured } = await client.subscribe({ toolsListChanged: true, promptsListChanged: true }, tools)
  await client.subscribe(note, notes)
  expect(honoured).toEqual({ toolsListChanged: true })
  await server.end.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await server.end.send({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' })
  for (const uri of ['memo://note', 'memo://note/part', 'memo://notebook']) {
    await server.end.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
  }
  await client.ping()
  expect(tools.mock.calls).toEqual([['notifications/tools/list_changed', undefined]])
  expect(notes.mock.calls.map(([, params]) => params)).toEqual([
    { uri: 'memo://note' },
    { uri: 'memo://note/part' },
  ])
})

test('where resources are subscribed to one by one, two who want the same ask once and end once [F6]', async () => {
  const { client, server } = await connected(legacyServer())
  const first = await client.subscribe(note, vi.fn())
  const second = await client.subscribe(note, vi.fn())
  await first.close()
  expect(asked(server)).toEqual(['resources/subscribe memo://note'])
  await second.close()
  expect(asked(server)).toEqual(['resources/subscribe memo://note', 'resources/unsubscribe memo://note'])
})

function legacyServer(script: Script = {}): ScriptedServer {
  const { tools, resources } = discovery.capabilities
  return scriptedServer({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools, resources, prompts: {} },
      serverInfo: { name: 'old', version: '1' },
    }),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    ping: () => ({}),
    ...script,
  })
}

function asked({ received }: ScriptedServer): readonly string[] {
  return received.flatMap((message) =>
    'method' in message && message.method.startsWith('resources/')
      ? [`${message.method} ${(message.params as { uri: string }).uri}`]
      : [],
  )
}

async function agree(server: ScriptedServer, id: unknown, notifications: object): Promise<void> {
  const params = { notifications, _meta: { [SUBSCRIPTION_ID]: id } }
  await server.end.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })
}

async function tell(server: ScriptedServer, id: string): Promise<void> {
  const params = { _meta: { [SUBSCRIPTION_ID]: id } }
  await server.end.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params })
  await new Promise((resolve) => setImmediate(resolve))
}

async function subscribed(
  client: McpClient,
  server: ScriptedServer,
  listener: () => void,
  id: string,
  options: Parameters<McpClient['subscribe']>[2] = {},
): ReturnType<McpClient['subscribe']> {
  const opening = client.subscribe({ toolsListChanged: true }, listener, options)
  await expect.poll(() => server.received.some((message) => 'id' in message && message.id === id)).toBe(true)
  await agree(server, id, { toolsListChanged: true })
  return opening
}

async function connected(
  server: ScriptedServer,
  options: McpClientOptions = {},
): Promise<{ client: McpClient; server: ScriptedServer }> {
  const client = new McpClient(server.transport, options)
  await client.connect()
  return { client, server }
}
