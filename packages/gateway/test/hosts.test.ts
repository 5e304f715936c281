import {
  type ActivityResponse,
  type ConnectResponse,
  type GatewayEvent,
  type HostsResponse,
  paths,
} from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

test('a host that opens a session is announced by its name to its person only, and named in the activity', async () => {
  const [ofAda, ofBob] = [hostEventsOf('ada'), hostEventsOf('bob')]
  await using host = await connectHost(listening.url, { token: canary('ada') })
  await vi.waitFor(() => expect(ofAda).toHaveLength(1), untilHang)
  expect(ofAda[0]).toMatchObject({ host: { name: 'test-host', lastSeenAt: expect.any(String) } })
  await host.client.callTool(hello)
  expect(await latestCallOf('ada')).toMatchObject({ tool: 'hello__hello', host: 'test-host' })
  expect(ofAda).toHaveLength(1)
  const seen: HostsResponse = await (await listening.gateway.as('ada').get(paths.hosts)).json()
  expect(seen.hosts.map(({ name }) => name)).toEqual(['test-host'])
  expect(await (await listening.gateway.as('bob').get(paths.hosts)).json()).toEqual({ hosts: [] })
  expect(ofBob).toEqual([])
})

test('a host of the modern era is announced with its first request, and named in the activity', async () => {
  const events = hostEventsOf('cleo')
  await sendModern(listening.url + paths.mcp, 'tools/list', {}, null, bearerOf('cleo'))
  expect(events).toHaveLength(1)
  await sendModern(listening.url + paths.mcp, 'tools/call', hello, null, bearerOf('cleo'))
  expect(events).toHaveLength(1)
  expect(await latestCallOf('cleo')).toMatchObject({ tool: 'hello__hello', host: 'test-host' })
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
