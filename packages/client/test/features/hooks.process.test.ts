import { setImmediate } from 'node:timers/promises'
import {
  fixtureServers,
  nodeWebSocket,
  startHttpFixture,
  startWebSocketFixture,
} from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { connectMcp, HttpTransport, McpClient, type McpHooks } from '../../src/index.ts'
import { connectedTo } from '../support/both-eras.ts'
import { fakeTime } from '../support/fake-time.ts'
import { answer, json, scriptedHttpServer } from '../support/http-server.ts'
import { Refusal, silence } from '../support/scripted-server.ts'

const trace = { traceparent: '00-1-2-01', sessionId: 's', requestId: 'r', callId: 'c' }

test('hooks hear of a connection and of each call, with the trace that the caller gave [S4-75] [S4-77] [S4-127]', async () => {
  const { hooks, events } = recorder()
  const connection = await connectMcp(
    { command: process.execPath, args: [fixtureServers.hello], name: 'greeter' },
    { hooks },
  )
  await connection.client.callTool('hello', {}, { trace })
  await connection.close()
  expect(events).toEqual([
    {
      kind: 'onMcpConnect',
      server: 'greeter',
      transport: 'stdio',
      serverName: 'hello',
      serverVersion: '1.0.0',
      toolCount: 2,
    },
    {
      kind: 'onMcpToolCall',
      server: 'greeter',
      tool: 'hello',
      latencyMs: expect.any(Number),
      isError: false,
      trace,
    },
  ])
})

test('hooks are told which transport a connection uses [S4-127]', async () => {
  const http = await startHttpFixture('hello')
  const webSocket = await startWebSocketFixture()
  const { hooks, events } = recorder()
  for (const { url } of [http, webSocket]) {
    const connection = await connectMcp({ url, WebSocket: await nodeWebSocket() }, { hooks })
    await connection.close()
  }
  expect(events).toMatchObject([{ transport: 'http' }, { transport: 'websocket' }])
  await http.close()
  await webSocket.close()
})

test('hooks are told how long a call took [S4-75]', async () => {
  const { hooks, events } = recorder()
  const { client, server } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    { 'tools/call': () => silence },
    { hooks },
  )
  const pass = fakeTime()
  const calling = client.callTool('slow')
  const { id } = await server.message('tools/call')
  await pass(50)
  await server.end.send({ jsonrpc: '2.0', id: Number(id), result: { content: [] } })
  await calling
  expect(events).toMatchObject([{ latencyMs: 50 }])
})

test('hooks hear of a failed call, which rejects all the same [S4-76] [S4-77]', async () => {
  const { hooks, events } = recorder()
  const { client } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    { 'tools/call': () => new Refusal(-32050) },
    { hooks, server: 'scripted' },
  )
  await expect(client.callTool('x', {}, { trace })).rejects.toMatchObject({ code: -32050 })
  const error = expect.objectContaining({ code: -32050 })
  expect(events).toEqual([{ kind: 'onMcpError', server: 'scripted', phase: 'request', error, trace }])
})

test('a tool’s own failure is a call that hooks are told is one [S4-75]', async () => {
  const { hooks, events } = recorder()
  const result = { content: [], isError: true }
  const { client } = await connectedTo('2026-07-28', { tools: {} }, { 'tools/call': () => result }, { hooks })
  await client.callTool('x')
  expect(events).toMatchObject([{ kind: 'onMcpToolCall', isError: true }])
})

test('hooks hear of a connection that could not be opened [S4-127]', async () => {
  const { hooks, events } = recorder()
  const connecting = connectMcp({ command: 'no-such-program-at-all' }, { hooks })
  await expect(connecting).rejects.toMatchObject({ kind: 'unreachable' })
  const error = expect.objectContaining({ kind: 'unreachable' })
  expect(events).toEqual([{ kind: 'onMcpError', server: 'no_such_program_at_all', phase: 'connect', error }])
})

test('only W3C trace context goes to the server', async () => {
  const { client, server } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    {
      'tools/call': () => ({ content: [] }),
    },
  )
  await client.callTool('x', {}, { trace })
  const { params } = await server.message('tools/call')
  expect(params).toMatchObject({ _meta: { traceparent: '00-1-2-01' } })
  expect(JSON.stringify(params)).not.toMatch(/sessionId|requestId|callId/)
})

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('broken hook')
    },
  ],
  ['fails later', () => Promise.reject(new Error('broken hook'))],
])('a hook that %s changes nothing and is reported', async (_how, hook) => {
  const { client, warnings } = await connectedTo(
    '2025-11-25',
    { tools: {} },
    { 'tools/call': () => ({ content: [] }) },
    { hooks: { onMcpToolCall: hook, onMcpError: hook } },
  )
  expect(await client.callTool('x')).toEqual({ content: [] })
  await expect(client.callTool('x', {}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  await setImmediate()
  expect(warnings).toEqual(['the hook onMcpToolCall failed', 'the hook onMcpError failed'])
})

test('hooks hear that the channel of the server’s own words fails [S4-135] [d.6-14]', async () => {
  const { hooks, events } = recorder()
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 's', version: '1' },
  }
  const server = await scriptedHttpServer(
    (request, response) => {
      if (request.method === 'GET') response.writeHead(503).end()
      else if (request.message.method === 'initialize') json(response, answer(request, initialized))
      else response.writeHead(202).end()
    },
    { takesAll: true },
  )
  const client = new McpClient(new HttpTransport({ url: server.url }), { hooks, era: 'legacy' })
  await client.connect()
  await expect.poll(() => events).toMatchObject([{ kind: 'onMcpError', phase: 'listen' }])
  await client.close()
  await server.close()
})

function recorder(): { hooks: McpHooks; events: object[] } {
  const events: object[] = []
  const note =
    (kind: string) =>
    (event: object): void =>
      void events.push({ kind, ...event })
  const hooks = {
    onMcpConnect: note('onMcpConnect'),
    onMcpToolCall: note('onMcpToolCall'),
    onMcpError: note('onMcpError'),
  }
  return { hooks, events }
}
