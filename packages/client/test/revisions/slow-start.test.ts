import { expect, test } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { fakeTime } from '../support/fake-time.ts'
import { discovery, scriptedServer, silence } from '../support/scripted-server.ts'

test('a modern server that takes long to start is not taken for a legacy one [N2]', async () => {
  const pass = fakeTime()
  const server = scriptedServer({ 'server/discover': () => silence })
  const client = new McpClient(server.transport)
  const connecting = client.connect({ timeoutMs: 30_000 })
  await server.message('server/discover')
  await pass(14_000)
  await server.end.send({ jsonrpc: '2.0', id: 'discover-1', result: discovery })
  expect((await connecting).protocolVersion).toBe('2026-07-28')
  expect(server.received).toHaveLength(1)
  await client.close()
})

test('a silent server gets the handshake after half of the timeout [N2]', async () => {
  const pass = fakeTime()
  const server = scriptedServer({ 'server/discover': () => silence })
  const client = new McpClient(server.transport)
  const connecting = client.connect({ timeoutMs: 30_000 })
  await server.message('server/discover')
  await pass(14_900)
  expect(server.received).toHaveLength(1)
  await pass(400)
  expect((await connecting).protocolVersion).toBe('2025-11-25')
  await client.close()
})

test('a server that sends something else but no answer gets the handshake 3 s later [N2]', async () => {
  const pass = fakeTime()
  const server = scriptedServer({ 'server/discover': () => silence })
  const client = new McpClient(server.transport)
  const connecting = client.connect({ timeoutMs: 60_000 })
  await server.message('server/discover')
  await pass(5_000)
  await server.end.send({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'up' },
  })
  await pass(2_900)
  expect(server.received).toHaveLength(1)
  await pass(200)
  expect((await connecting).protocolVersion).toBe('2025-11-25')
  await client.close()
})
