import { once } from 'node:events'
import { connect } from 'node:net'
import { paths } from '@toolbridge/api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../src/http/listen.ts'
import { createTestGateway } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { childProcesses } from './support/processes.ts'
import { operatorServer, savedServer } from './support/specs.ts'
import { untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const mute = operatorServer('mute', 'hostile', '--silent')

test('a call that waits for a server to start is told that the gateway stops', async () => {
  await using gateway = createTestGateway({ lockbox, operatorServers: [mute] })
  const local = gateway.as('local')
  await untilServer(local, 'mute', 'starting')
  const call = local.post(paths.call, { tool: 'mcp://mute/echo' })
  gateway.stop()
  expect((await call).status).toBe(503)
})

test('a host that waits for a server to start is told that the gateway stops', async () => {
  await using listening = await listenTestGateway({ lockbox, operatorServers: [mute] })
  await untilServer(listening.gateway.as('local'), 'mute', 'starting')
  await using host = await connectHost(listening.url)
  const call = host.client.callTool({ name: 'mute__echo' }).catch((error: unknown) => error)
  await vi.waitFor(async () => expect(await childProcesses()).not.toEqual([]), untilHang)
  listening.gateway.stop()
  expect(await call).toMatchObject({ data: { code: 'stopping' } })
})

test('a workflow whose servers are starting ends with the gateway, and leaves no process', async () => {
  const gateway = createTestGateway({ lockbox })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { mute: savedServer('hostile', '--silent') } })
  const nodes = [{ kind: 'tool', id: 'one', tool: 'mcp://mute/echo' }]
  const run = ada.post(paths.invoke, { workflowId: 'w', nodes })
  await vi.waitFor(async () => expect(await childProcesses()).not.toEqual([]), untilHang)
  await gateway[Symbol.asyncDispose]()
  expect(await childProcesses()).toEqual([])
  expect((await run).status).toBe(503)
})

test('a connection that a browser opened in advance does not delay the end', async () => {
  // Without the limit on running requests, which would end the connection after 5 s.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const listening = await listen({ hostname: '127.0.0.1', port: 0, allowedHostHeaders: [] })
  listening.serve({ fetch: () => new Response() })
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
  await once(socket, 'connect')
  // Answered after the connection above was accepted.
  await fetch(listening.url)
  await Promise.all([once(socket, 'close'), listening.close()])
})
