import {
  type ActivityResponse,
  type ConnectResponse,
  type GatewayEvent,
  type HostsResponse,
  paths,
} from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { bearerOf } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { sendModern } from './support/modern.ts'
import { savedInMemory } from './support/specs.ts'
import { untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway
beforeAll(async () => {
  listening = await listenTestGateway({ lockbox, principals: ['ada', 'bob', 'cleo'] })
  for (const name of ['ada', 'cleo']) {
    const person = listening.gateway.as(name)
    await person.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
    await untilServer(person, 'hello', 'ready')
  }
})
afterAll(() => listening[Symbol.asyncDispose]())

const hello = { name: 'hello__hello', arguments: { name: 'Ada' } }

function hostEventsOf(principal: string): GatewayEvent[] {
  const events: GatewayEvent[] = []
  listening.gateway.services.events.subscribe(principal, (event) => {
    if (event.type === 'host') events.push(event)
  })
  return events
}

async function latestCallOf(principal: string): Promise<ActivityResponse['entries'][number] | undefined> {
  const response: ActivityResponse = await (await listening.gateway.as(principal).get(paths.activity)).json()
  return response.entries[0]
}

async function hostsOf(principal: string): Promise<readonly string[]> {
  const { hosts }: HostsResponse = await (await listening.gateway.as(principal).get(paths.hosts)).json()
  return hosts.map(({ name }) => name)
}

test('a host that opens a session is announced by its name to its person only, and named in the activity', async () => {
  const [ofAda, ofBob] = [hostEventsOf('ada'), hostEventsOf('bob')]
  await using host = await connectHost(listening.url, { token: canary('ada') })
  await vi.waitFor(() => expect(ofAda).toHaveLength(1), untilHang)
  expect(ofAda[0]).toMatchObject({ host: { name: 'test-host', lastSeenAt: expect.any(String) } })
  await host.client.callTool(hello)
  expect(await latestCallOf('ada')).toMatchObject({ tool: 'hello__hello', host: 'test-host' })
  expect(ofAda).toHaveLength(1)
  expect(await hostsOf('ada')).toEqual(['test-host'])
  expect(await hostsOf('bob')).toEqual([])
  expect(ofBob).toEqual([])

  // Only a new session is announced again, however long the host was silent.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  await host.client.callTool(hello)
  expect(ofAda).toHaveLength(1)
  await using other = await connectHost(listening.url, { token: canary('ada'), name: 'other-host' })
  await other.client.listTools()
  expect(await hostsOf('ada')).toEqual(['other-host', 'test-host'])
  await host.client.callTool(hello)
  expect(await hostsOf('ada')).toEqual(['test-host', 'other-host'])
})

test('a host of the modern era is announced with its first request and after a pause, and named in the activity', async () => {
  const events = hostEventsOf('cleo')
  await sendModern(listening.url + paths.mcp, 'tools/list', {}, null, bearerOf('cleo'))
  expect(events).toHaveLength(1)
  await sendModern(listening.url + paths.mcp, 'tools/call', hello, null, bearerOf('cleo'))
  expect(events).toHaveLength(1)
  expect(await latestCallOf('cleo')).toMatchObject({ tool: 'hello__hello', host: 'test-host' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  await sendModern(listening.url + paths.mcp, 'tools/list', {}, null, bearerOf('cleo'))
  expect(events).toHaveLength(2)
})

test('a URL with characters of a shell is quoted in commands', async () => {
  const query = new URLSearchParams({ url: 'https://tools.example/mcp?tools=code&x=1' })
  const response = await listening.gateway.as('ada').get(`${paths.connect}?${query}`)
  const { guides }: ConnectResponse = await response.json()
  expect(guides.find(({ id }) => id === 'claude-code')?.command).toContain(
    "toolbridge 'https://tools.example/mcp?tools=code&x=1' --header",
  )
})

test('every host gets its own dialect and file, with a place for a key; one that cannot use a URL starts Toolbridge', async () => {
  const url = 'https://tools.example/mcp'
  const ada = listening.gateway.as('ada')
  const response = await ada.get(`${paths.connect}?${new URLSearchParams({ url })}`)
  const { keyPlaceholder, guides }: ConnectResponse = await response.json()
  const guideOf = (id: string) => guides.find((guide) => guide.id === id)
  expect(guides.map(({ id }) => id).slice(0, 5)).toEqual([
    'claude-code',
    'cursor',
    'vscode',
    'codex',
    'gemini-cli',
  ])
  for (const { text, usesKey } of guides) expect(text.includes(`Bearer ${keyPlaceholder}`)).toBe(usesKey)
  expect(guideOf('codex')?.text).toContain('[mcp_servers.toolbridge]')
  expect(guideOf('zed')?.text).toContain('"context_servers"')
  expect(guideOf('vscode')?.files).toEqual({
    linux: '~/.config/Code/User/mcp.json',
    darwin: '~/Library/Application Support/Code/User/mcp.json',
    win32: '~\\AppData\\Roaming\\Code\\User\\mcp.json',
  })
  expect(guideOf('claude-code')?.command).toContain(`toolbridge ${url} --header`)
  expect(guideOf('claude-desktop')).toMatchObject({
    usesKey: false,
    text: expect.stringContaining('"--stdio"'),
    command: 'npx -y toolbridge connect claude-desktop',
  })
  expect((await ada.get(paths.connect)).status).toBe(422)
  expect((await ada.get(`${paths.connect}?url=javascript:alert(1)`)).status).toBe(422)
})
