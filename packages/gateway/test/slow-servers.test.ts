import { paths } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { connectHost } from './support/host.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer, savedInMemory, savedServer } from './support/specs.ts'
import { serversOf, textOf, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

test('a server that never answers holds up nobody else: not a call, not a list, not a host', async () => {
  await using listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), operatorServer('mute', 'hostile', '--silent')],
  })
  const local = listening.gateway.as('local')
  expect(await textOf(await local.post(paths.call, { tool: 'hello__hello' }))).toBe('Hello, world!')
  await using host = await connectHost(listening.url)
  expect((await host.client.listTools()).tools.map(({ name }) => name)).toContain('hello__hello')
  expect(await host.client.callTool({ name: 'hello__hello' })).toMatchObject({
    content: [{ text: 'Hello, world!' }],
  })
  expect((await serversOf(local)).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'hello ready',
    'mute starting',
  ])
})

test('a newer save takes effect while servers of an older one are still starting, and ends those', async () => {
  await using listening = await listenTestGateway({ lockbox })
  const ada = listening.gateway.as('ada')
  await serversOf(ada)
  await ada.post(paths.config, { mcpServers: { mute: savedServer('hostile', '--silent') } })
  await untilServer(ada, 'mute', 'starting')
  await ada.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  expect(await textOf(await ada.post(paths.call, { tool: 'mcp://hello/hello' }))).toBe('Hello, world!')
  expect((await serversOf(ada)).map(({ name, state }) => `${name} ${state}`)).toEqual(['hello ready'])
})

test('a call waits for its own server as soon as that is saved', async () => {
  await using listening = await listenTestGateway({ lockbox })
  const bob = listening.gateway.as('bob')
  await serversOf(bob)
  const slow = savedServer('hostile', '--slow-start=500')
  await bob.post(paths.config, { mcpServers: { slow, mute: savedServer('hostile', '--silent') } })
  expect(
    await textOf(await bob.post(paths.call, { tool: 'mcp://slow/echo', arguments: { text: 'hi' } })),
  ).toBe('hi')
})
