import type { ServerResponse } from 'node:http'
import { startHttpFixture } from '@toolbridge/testkit/servers'
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

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

test('a forgotten session is replaced without anybody noticing, and the call runs once [C9] [d.6-16] [H3]', async () => {
  const { client, server, forget } = await sessions()
  expect(await client.callTool('first')).toEqual(ran('session-1', 'first'))
  forget()
  expect(await client.callTool('second')).toEqual(ran('session-2', 'second'))
  const handshakes = server.seen.filter(({ message }) => message.method === 'initialize')
  expect(handshakes).toHaveLength(2)
  for (const { headers } of handshakes) {
    expect(headers).not.toHaveProperty('mcp-session-id')
    expect(headers).not.toHaveProperty('mcp-protocol-version')
  }
  await client.close()
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-2' } })
})

test('a session id counts only in the answer to initialize [S4-44] [S4-49] [H3]', async () => {
  const offering = await scriptedHttpServer((request, response) => {
    response.setHeader('mcp-session-id', 'not-a-session')
    json(response, answer(request, { content: [] }))
  })
  const assigning = await scriptedHttpServer(
    (request, response) => {
      response.setHeader('mcp-session-id', 'another')
      json(response, answer(request, { content: [] }))
    },
    { sessionId: 'assigned' },
  )
  opened.push(offering, assigning)
  expect(await sessionIdsAfterCalls(offering)).toEqual([undefined, undefined])
  expect(await sessionIdsAfterCalls(assigning)).toEqual(['assigned', 'assigned'])
})

test('calls that find the session gone share one new session, and so do those made meanwhile [H3]', async () => {
  const { client, server, forget } = await sessions({ handshakeMs: 50 })
  forget()
  const names = Array.from({ length: 20 }, (_, index) => `call ${index}`)
  const calls = names.map((name) => client.callTool(name))
  await expect.poll(() => server.seen.filter(isHandshake)).toHaveLength(2)
  const late = client.callTool('late')
  expect(await Promise.all(calls)).toEqual(names.map((name) => ran('session-2', name)))
  expect(await late).toEqual(ran('session-2', 'late'))
  expect(server.seen.filter(isHandshake)).toHaveLength(2)
})

test('the new session is told the log level and the subscriptions of the old one [H3]', async () => {
  const { client, server, forget } = await sessions({}, { logLevel: 'info' })
  await client.setLogLevel('error')
  await client.subscribeResource('file:///kept')
  await client.subscribeResource('file:///dropped')
  await client.unsubscribeResource('file:///dropped')
  const before = server.seen.length
  forget()
  await client.callTool('any')
  const told = (): unknown[] =>
    server.seen
      .slice(before)
      .filter(({ headers }) => headers['mcp-session-id'] === 'session-2')
      .map(({ message }) => message)
  await expect.poll(told).toContainEqual(expect.objectContaining({ params: { level: 'error' } }))
  expect(told()).toContainEqual(expect.objectContaining({ params: { uri: 'file:///kept' } }))
  expect(JSON.stringify(told())).not.toContain('dropped')
})

test('a server that forgets every session at once ends the link, with what to do', async () => {
  const onClose = vi.fn()
  const { client, server, forget } = await sessions({ forgetsAlways: true }, { onClose })
  forget()
  const message = 'the server ended the session (HTTP 404); connect again'
  const outcomes = await Promise.allSettled([client.callTool('one'), client.callTool('two')])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'closed', message } })
  }
  expect(onClose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }))
  expect(server.seen.filter(isHandshake)).toHaveLength(2)
})

test('a new session that cannot be opened ends the link with the reason', async () => {
  const onClose = vi.fn()
  const { client, forget } = await sessions({ refusesMore: true }, { onClose })
  forget()
  await expect(client.callTool('any')).rejects.toMatchObject({ data: { status: 500 } })
  expect(onClose).toHaveBeenCalledOnce()
})

test('a listening stream that finds the session gone opens a new one, and listens there [H3 H4]', async () => {
  const onNotification = vi.fn()
  const { server, forget, streams } = await sessions({ listens: true }, { onNotification })
  await expect.poll(() => streams.length).toBe(1)
  forget()
  streams[0]?.end('retry: 10\n\n')
  await expect.poll(() => streams.length).toBe(2)
  expect(server.seen.filter(isHandshake)).toHaveLength(2)
  streams[1]?.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
  await expect.poll(() => onNotification.mock.calls.length).toBe(1)
})

test('a call cancelled while a new session is being opened is not sent', async () => {
  const { client, server, forget } = await sessions({ handshakeMs: 100 })
  forget()
  const abort = new AbortController()
  const call = client.callTool('never', {}, { signal: abort.signal })
  await expect.poll(() => server.seen.filter(isHandshake)).toHaveLength(2)
  abort.abort('enough')
  await expect(call).rejects.toBe('enough')
  expect(await client.callTool('other')).toEqual(ran('session-2', 'other'))
  const sent = server.seen.filter(({ message }) => JSON.stringify(message).includes('never'))
  expect(sent).toHaveLength(1)
})

test('a server that was started afresh is spoken to as if nothing had happened [H3]', async () => {
  const first = await startHttpFixture('hello')
  const client = new McpClient(new HttpTransport({ url: first.url }))
  opened.push(client)
  await client.connect()
  await client.callTool('hello')
  await first.close()
  opened.push(await startHttpFixture('hello', { port: Number(new URL(first.url).port) }))
  expect(await client.callTool('hello', { name: 'again' })).toMatchObject({
    content: [{ text: 'Hello, again!' }],
  })
})

interface Behaviour {
  readonly handshakeMs?: number
  readonly forgetsAlways?: boolean
  readonly refusesMore?: boolean
  readonly listens?: boolean
}

/** A server with sessions, which it can be made to forget, and a client that is connected to it. */
async function sessions(
  behaviour: Behaviour = {},
  options: McpClientOptions = {},
): Promise<{
  client: McpClient
  server: ScriptedHttpServer
  streams: readonly ServerResponse[]
  forget: () => void
}> {
  let count = 0
  let known: string | undefined
  let isForgetful = false
  const streams: ServerResponse[] = []
  const open = (request: SeenRequest, response: ServerResponse): void => {
    if (behaviour.refusesMore === true && count > 0) return void response.writeHead(500).end()
    known = `session-${++count}`
    const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } }
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }
    response.setHeader('mcp-session-id', known)
    const delay = count > 1 ? (behaviour.handshakeMs ?? 0) : 0
    setTimeout(() => json(response, answer(request, result)), delay)
  }
  const server = await scriptedHttpServer(
    (request, response) => {
      const { method, params } = request.message
      const sessionId = request.headers['mcp-session-id']
      if (method === 'initialize') return open(request, response)
      if (request.method === 'DELETE') return void response.writeHead(200).end()
      const isKnown = sessionId === known && !(isForgetful && behaviour.forgetsAlways === true)
      if (method !== 'notifications/initialized' && !isKnown) return void response.writeHead(404).end()
      if (request.method === 'GET' && behaviour.listens !== true) return void response.writeHead(405).end()
      if (request.method === 'GET') {
        events(response)
        response.write(': hello\n\n')
        return void streams.push(response)
      }
      if (request.message.id === undefined) return void response.writeHead(202).end()
      const { name } = params as { name?: string }
      json(response, answer(request, method === 'tools/call' ? ran(String(sessionId), String(name)) : {}))
    },
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: server.url }), { era: 'legacy', ...options })
  opened.push(server, client)
  await client.connect()
  const forget = (): void => {
    known = undefined
    isForgetful = true
  }
  return { client, server, streams, forget }
}

function isHandshake({ message }: SeenRequest): boolean {
  return message.method === 'initialize'
}

function ran(session: string, name: string): object {
  return { content: [{ type: 'text', text: `${name} in ${session}` }] }
}

async function sessionIdsAfterCalls({ url, seen }: ScriptedHttpServer): Promise<readonly unknown[]> {
  const client = new McpClient(new HttpTransport({ url }))
  opened.push(client)
  await client.connect()
  await client.callTool('first')
  await client.callTool('second')
  const calls = seen.filter(({ message }) => message.method === 'tools/call')
  return calls.map(({ headers }) => headers['mcp-session-id'])
}
