import { fixtureServers, startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { HttpTransport, McpClient, type McpClientOptions, type McpTransport } from '../../src/index.ts'
import { StdioTransport } from '../../src/stdio.ts'

interface Case {
  readonly name: string
  readonly open: () => Promise<McpTransport>
  readonly era: NonNullable<McpClientOptions['era']>
  readonly version: string
  /** A server that serves each request of the handshake era by itself cannot ask back or tell of changes. */
  readonly isStateless?: boolean
}

const opened: { close(): Promise<void> }[] = []
const fixtures = new Map<string, ReturnType<typeof startHttpFixture>>()

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

afterAll(async () => {
  for (const fixture of fixtures.values()) await (await fixture).close()
})

describe.each<Case>([
  { name: 'both eras over stdio', open: stdio('dual'), era: 'auto', version: '2026-07-28' },
  { name: 'both eras over stdio', open: stdio('dual'), era: 'legacy', version: '2025-11-25' },
  { name: 'only the newer era over stdio', open: stdio('modern'), era: 'auto', version: '2026-07-28' },
  { name: 'only the older era over stdio', open: stdio('legacy'), era: 'auto', version: '2025-11-25' },
  { name: 'both eras over HTTP', open: http('dual'), era: 'auto', version: '2026-07-28' },
  {
    name: 'both eras over HTTP',
    open: http('dual'),
    era: 'legacy',
    version: '2025-11-25',
    isStateless: true,
  },
  { name: 'only the newer era over HTTP', open: http('modern'), era: '2026-07-28', version: '2026-07-28' },
  {
    name: 'only the older era over HTTP',
    open: http('legacy'),
    era: 'auto',
    version: '2025-11-25',
    isStateless: true,
  },
])('the official SDK, serving $name, in the mode $era', ({ open, era, version, isStateless = false }) => {
  test('opens, lists, calls, cancels, asks a person, tells of changes and closes', async () => {
    const onElicitation = vi.fn(async () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
    const client = await connected(open, { era, onElicitation })
    expect(client.info).toMatchObject({ protocolVersion: version, serverInfo: { name: 'modern' } })
    expect((await client.listTools()).map(({ name }) => name)).toContain('weather')
    expect(await textOf(client, 'weather', { region: 'Zürich', days: 3 })).toBe('Rain in Zürich')
    await cancelSlowCall(client)
    if (!isStateless) {
      expect(await textOf(client, 'greet_me')).toBe('Hello, Ada!')
      await hearOfChanges(client)
    }
    await client.ping()
  })
})

test.each([
  ['auto', stdio('dual')],
  ['legacy', stdio('dual')],
] as const)(
  'a server that wants to be asked again gets its state back, in the mode %s',
  async (era, open) => {
    const client = await connected(open, { era })
    expect(await textOf(client, 'patience')).toBe('ready after 2 rounds')
  },
)

test('a server without the revision that was pinned is not spoken to', async () => {
  const client = new McpClient(await stdio('legacy')(), { era: '2026-07-28' })
  await expect(client.connect()).rejects.toMatchObject({ kind: 'unsupported' })
})

async function connected(open: Case['open'], options: McpClientOptions): Promise<McpClient> {
  const client = new McpClient(await open(), options)
  opened.push(client)
  await client.connect()
  return client
}

async function textOf(client: McpClient, name: string, args = {}): Promise<unknown> {
  const [block] = (await client.callTool(name, args)).content
  return block?.type === 'text' ? block.text : block
}

async function cancelSlowCall(client: McpClient): Promise<void> {
  const slow = client.callTool('slow', { delayMs: 10_000 }, { signal: AbortSignal.timeout(50) })
  await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' })
}

async function hearOfChanges(client: McpClient): Promise<void> {
  const heard = vi.fn()
  const subscription = await client.subscribe({ toolsListChanged: true, promptsListChanged: true }, heard)
  expect(subscription.honoured).toEqual({ toolsListChanged: true })
  await client.callTool('touch')
  await expect.poll(() => heard).toHaveBeenCalledOnce()
  await subscription.close()
  await client.callTool('touch')
  expect(heard).toHaveBeenCalledOnce()
}

function stdio(era: 'dual' | 'modern' | 'legacy'): Case['open'] {
  const args = [fixtureServers.modern, '--era', era]
  return async () => new StdioTransport({ command: process.execPath, args })
}

function http(era: 'dual' | 'modern' | 'legacy'): Case['open'] {
  return async () => {
    const started = fixtures.get(era) ?? startHttpFixture('modern', era === 'dual' ? {} : { era })
    fixtures.set(era, started)
    return new HttpTransport({ url: (await started).url })
  }
}
