import {
  ConfigError,
  type BridgeEvent,
  type InlineServers,
  openBridge,
  readConfig,
  toText,
} from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { permissive } from './servers/specs.ts'

const hello = { command: 'in-memory', args: ['hello'] }

test('servers are defined in code as in a file, with the same defaults [D6]', async () => {
  const servers = { a: hello, off: { url: 'https://mcp.example.com/mcp', enabled: false } }
  await using bridge = await openBridge(permissive(servers))
  expect(toText(await bridge.call('a__hello', { name: 'Ada' }))).toBe('Hello, Ada!')
  expect(bridge.status()).toMatchObject([
    { name: 'a', transport: 'stdio', source: { file: 'code', pointer: '/mcpServers/a', kind: 'code' } },
    { name: 'off', transport: 'http', state: 'disabled' },
  ])
  expect(bridge.status()[0]?.source).not.toHaveProperty('line')
})

test.each([
  ['neither a program nor an address', { a: { args: ['x'] } }],
  ['both', { a: { command: 'node', url: 'https://mcp.example.com' } }],
  ['a value of another kind', { a: { command: 5 } }],
  ['a restriction with a typing error', { a: { command: 'node', tools: { denny: ['x'] } } }],
])('%s is refused as in a file, before any server starts', async (_what, entries: unknown) => {
  const servers = entries as InlineServers
  const inFile = readConfig(JSON.stringify({ mcpServers: servers }), { file: 'mcp.json' }).issues
  const failure: unknown = await openBridge(permissive(servers)).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConfigError)
  const { issues } = failure as ConfigError
  const wordsOf = ({ code, path, message, fix }: (typeof inFile)[number]) => ({ code, path, message, fix })
  expect(issues.map(wordsOf)).toEqual(inFile.map(wordsOf))
  expect(issues[0]).toMatchObject({ file: 'code', severity: 'error' })
  expect(issues[0]).not.toHaveProperty('line')
})

test('a field that is ignored leaves a diagnostic', async () => {
  const events: BridgeEvent[] = []
  const servers = { a: { ...hello, timeout: 5 } }
  await using _bridge = await openBridge({
    ...permissive(servers),
    journal: (event) => events.push(event),
  })
  const [diagnostic] = events.filter(({ type }) => type === 'diagnostic')
  expect(diagnostic).toMatchObject({ message: expect.stringContaining('"timeouts": { "callMs": … }') })
})

test('a server may be called "read", and definitions in code cannot be watched', async () => {
  await using bridge = await openBridge(permissive({ read: hello }))
  expect(bridge.tools.map(({ name }) => name)).toEqual(['read__hello', 'read__repeat'])
  expect(() => bridge.watch()).toThrow('definitions in code do not change')
  expect(await bridge.reload()).toMatchObject({ superseded: false })
})
