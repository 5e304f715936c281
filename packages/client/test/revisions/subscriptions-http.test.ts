import { afterEach, expect, test, vi } from 'vitest'
import { HttpTransport, McpClient } from '../../src/index.ts'
import { answer, events, json, type ScriptedHttpServer, scriptedHttpServer } from '../support/http-server.ts'
import { discovery } from '../support/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('a stream that was lost is opened again, and what may have changed meanwhile is fetched again [F15 F16 F17]', async () => {
  const { client, server, streams } = await connected()
  const [listener, onGap] = [vi.fn(), vi.fn()]
  await client.subscribe({ toolsListChanged: true }, listener, { onGap })
  await client.listTools()
  await client.listTools()
  expect(count(server, 'tools/list')).toBe(1)
  streams[0]?.end()
  await expect.poll(() => onGap).toHaveBeenCalledOnce()
  expect(streams).toHaveLength(2)
  await client.listTools()
  expect(count(server, 'tools/list')).toBe(2)
  const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen-2' } }
  streams[1]?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params })
  await expect.poll(() => listener).toHaveBeenCalledOnce()
})

test('closing a subscription closes its stream and sends nothing [F15 B7]', async () => {
  const { client, server } = await connected()
  const subscription = await client.subscribe({ toolsListChanged: true }, vi.fn())
  const { seen } = server
  await subscription.close()
  await expect.poll(() => hungUp).toBe(1)
  expect(seen.map(({ message }) => message.method)).toEqual(['server/discover', 'subscriptions/listen'])
})

let hungUp = 0

async function connected(): Promise<{
  client: McpClient
  server: ScriptedHttpServer
  streams: ReturnType<typeof events>[]
}> {
  hungUp = 0
  const streams: ReturnType<typeof events>[] = []
  const server = await scriptedHttpServer(
    (request, response) => {
      const { id, method } = request.message
      if (method === 'server/discover') return json(response, answer(request, discovery))
      if (method === 'tools/list') return json(response, answer(request, { tools: [], ttlMs: 60_000 }))
      const stream = events(response)
      response.on('close', () => hungUp++)
      const params = {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      }
      stream.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params })
      streams.push(stream)
    },
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: server.url }))
  opened.push(server, client)
  await client.connect()
  return { client, server, streams }
}

function count({ seen }: ScriptedHttpServer, method: string): number {
  return seen.filter(({ message }) => message.method === method).length
}
