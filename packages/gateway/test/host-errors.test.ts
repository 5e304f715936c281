import { ConfigError } from '@toolbridge/bridge'
import { LockboxError } from '@toolbridge/lockbox'
import { expect, test, vi } from 'vitest'
import { hostError } from '../src/mcp/call-failure.ts'
import { connectHost } from './support/host.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { operatorServer } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

test('what a server wrote to stderr reaches no host', async () => {
  await using listening = await listenTestGateway({
    lockbox,
    operatorServers: [operatorServer('odd', 'hostile', '--crash-mid-call')],
  })
  await untilServer(listening.gateway.as('local'), 'odd', 'ready')
  await using host = await connectHost(listening.url)
  const error = await host.client.callTool({ name: 'odd__echo' }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: -32_603, data: { code: 'connection_lost' } })
  expect(JSON.stringify(error) + String(error)).not.toContain('out of luck')
})

test('what goes wrong inside the gateway is an id to a host, whatever it asked for', async () => {
  await using listening = await listenTestGateway({ lockbox })
  const { gateway } = listening
  const broken = new LockboxError('unreachable', 'cannot connect to the database db.internal/secrets')
  vi.spyOn(gateway.services.owners, 'open').mockRejectedValue(broken)
  await using host = await connectHost(listening.url)
  for (const request of [host.client.listTools(), host.client.callTool({ name: 'hello__hello' })]) {
    const error = await request.catch((reason: unknown) => reason)
    expect(String(error)).not.toContain('db.internal')
    const [id] = /[0-9a-f-]{36}/.exec(String(error)) ?? []
    expect(gateway.logged.find((line) => line.includes(String(id)))).toContain('db.internal')
  }
})

test('a definition that cannot be used is told by its kind alone', () => {
  const issue = {
    code: 'x',
    severity: 'error',
    file: '/home/ann/mcp.json',
    path: '',
    message: 'm',
    fix: 'f',
  } as const
  const error = hostError(ConfigError.of([issue]), () => undefined)
  expect(error.message).toBe("The settings are invalid; see the gateway's console for details")
})
