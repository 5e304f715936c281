import { fixtureServers, startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { connectMcp, mcpToolset } from '../../src/index.ts'
import { distinctNamespaces, namespaceOf } from '../../src/naming/server-namespace.ts'
import { isRunning } from '../processes.ts'
import { notedProgram } from '../support/noted-pid.ts'

const hello = { command: process.execPath, args: [fixtureServers.hello] }

test('an address that is none is a failure of its server alone, and says so', async () => {
  const set = await mcpToolset([{ url: 'nonsense' }, hello])
  expect(set.connections).toHaveLength(1)
  const message = 'the URL must be http or https'
  expect(set.failures).toMatchObject([{ config: { url: 'nonsense' }, error: { message } }])
  await set.close()
  await expect(connectMcp({ url: 'nonsense' })).rejects.toThrow(message)
})

test('the tools of several servers are one list, and those that fail neither reject nor leak the others [S4-2] [S4-81] [S4-128] [d.6-13]', async () => {
  const fixture = await startHttpFixture('hello')
  const broken = { command: 'no-such-program-at-all' }
  const toolset = await mcpToolset([
    { ...hello, name: 'local' },
    broken,
    { url: fixture.url, name: 'remote' },
  ])
  expect(toolset.tools.map(({ name }) => name)).toEqual([
    'local__hello',
    'local__repeat',
    'remote__hello',
    'remote__repeat',
  ])
  expect(toolset.connections).toHaveLength(2)
  const error = expect.objectContaining({ kind: 'unreachable' })
  expect(toolset.failures).toEqual([{ namespace: 'no_such_program_at_all', config: broken, error }])
  expect(await toolset.tools[3]?.execute({ text: 'ho', count: 2 })).toBe('ho ho')
  await toolset.close()
  await toolset.close()
  await fixture.close()
})

test('the list changes in place when a server’s does [S4-123] [S4-136] [d.6-13]', async () => {
  const toolset = await mcpToolset([hello, hello])
  const held = toolset.tools
  expect(held.map(({ name }) => name)).toEqual([
    'node__hello',
    'node__repeat',
    'node_2__hello',
    'node_2__repeat',
  ])
  const [first] = held
  await toolset.connections[0]?.listTools()
  expect(toolset.tools).toBe(held)
  expect(held).toHaveLength(4)
  expect(held[0]).not.toBe(first)
  await toolset.close()
})

test('giving up closes what was opened already', async () => {
  const abort = new AbortController()
  const connected: string[] = []
  using open = notedProgram(serverOf(['any']))
  using silent = notedProgram('setInterval(() => {}, 1000)')
  const opening = mcpToolset(
    [
      { command: open.command, args: open.args, name: 'open' },
      { command: silent.command, args: silent.args, name: 'silent' },
    ],
    { signal: abort.signal, hooks: { onMcpConnect: ({ server }) => void connected.push(server) } },
  )
  const running = (): readonly number[] =>
    [open, silent].flatMap(({ pid }) => pid() ?? []).filter((pid) => isRunning(pid))
  await expect.poll(() => [connected, running().length]).toEqual([['open'], 2])
  abort.abort('no time')
  await expect(opening).rejects.toBe('no time')
  expect(running()).toEqual([])
})

test('tools are listed again, in place, when the server says that they changed [S4-123] [F16]', async () => {
  const connection = await connectMcp(
    { command: process.execPath, args: [fixtureServers.modern, '--era', 'legacy'] },
    { autoRefreshTools: true },
  )
  const { tools, client } = connection
  const [before] = tools
  await client.callTool('touch')
  await expect.poll(() => tools[0]).not.toBe(before)
  expect(tools[0]?.definition).toEqual(before?.definition)
  await connection.close()
})

test('without a handshake too, where the server has to be asked to say so [F16]', async () => {
  const fixture = await startHttpFixture('modern', { era: 'modern' })
  const readings: number[] = []
  const connection = await connectMcp(
    { url: fixture.url },
    { autoRefreshTools: true, onTools: ({ length }) => readings.push(length) },
  )
  await connection.client.callTool('touch')
  await expect.poll(() => readings.length).toBeGreaterThan(0)
  expect(readings[0]).toBe(connection.tools.length)
  await connection.close()
  await fixture.close()
})

test.each([
  [{ name: 'My server!', url: 'https://mcp.example.com' }, 'My_server_'],
  [{ url: 'https://mcp.example.com/mcp' }, 'mcp'],
  [{ url: 'http://127.0.0.1:8080/mcp' }, '127_0_0_1'],
  [{ url: 'http://[::1]/mcp' }, '___1_'],
  [{ command: '/usr/local/bin/my-server.sh' }, 'my_server'],
  [{ name: '-' }, 'server'],
  [{ command: 'C:\\Programs\\server.cmd' }, 'server'],
  [{ command: 'npx' }, 'npx'],
])('the namespace of %j is %s [S4-124] [D5]', (config, namespace) => {
  expect(namespaceOf(config)).toBe(namespace)
})

test('every tool has a name of its own, within 64 characters, and is called by the server’s name for it [C13]', async () => {
  const long = 'x'.repeat(80)
  const colliding = [
    { name: 'a', tools: ['b', `${long}1`, `${long}2`, '_c', 'b'] },
    { name: 'a_', tools: ['c'] },
  ]
  const set = await mcpToolset(
    colliding.map(({ name, tools }) => ({ name, command: process.execPath, args: ['-e', serverOf(tools)] })),
  )
  const names = set.tools.map(({ name }) => name)
  expect(names).toEqual([
    'a__b',
    expect.stringMatching(/^a__x{52}_[0-9a-f]{8}$/),
    expect.stringMatching(/^a__x{52}_[0-9a-f]{8}$/),
    expect.stringMatching(/^a___c_[0-9a-f]{8}$/),
    expect.stringMatching(/^a___c_[0-9a-f]{8}$/),
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(await set.tools[2]?.execute({})).toBe(`${long}2`)
  const own = set.connections.map(({ tools }) => tools.map(({ name }) => name))
  expect(own).toEqual([['a__b', names[1], names[2], 'a___c'], ['a___c']])
  await set.close()
})

/** A server with these tools, each of which answers with its own name. */
function serverOf(names: readonly string[]): string {
  return `
const tools = ${JSON.stringify(names)}.map((name) => ({ name, inputSchema: { type: 'object' } }))
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown method' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
})`
}

test('namespaces that would be the same are numbered [d.6-17] [C13]', () => {
  expect(distinctNamespaces(['mcp', 'a', 'mcp', 'mcp_2', 'mcp'])).toEqual([
    'mcp',
    'a',
    'mcp_2',
    'mcp_2_2',
    'mcp_3',
  ])
})
