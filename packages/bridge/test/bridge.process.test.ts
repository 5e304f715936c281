import { type BridgeEvent, openBridge, toText, UnknownToolError } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { fixture, isRunning, ownServer, permissive } from './servers/specs.ts'

test.each([
  ['what stands in a file', { mcpServers: { a: { command: 'node' } } }],
  ['an entry of a file', [{ name: 'a', command: 'node' }]],
  ['nothing', undefined],
])('%s is no definition, and the error says what is', async (_what, servers: unknown) => {
  const opening = openBridge({ ...permissive([]), servers: servers as [] })
  await expect(opening).rejects.toThrow('servers are definitions by name or as readConfig returns them')
})

test('the tools of several servers are one list, and each call reaches its server [S1-4] [S3-46]', async () => {
  await using bridge = await openBridge(permissive([fixture('hello', 'b'), fixture('hello', 'a')]))
  expect(bridge.tools.map((tool) => tool.name)).toEqual(['a__hello', 'a__repeat', 'b__hello', 'b__repeat'])
  expect(toText(await bridge.call('b__hello', { name: 'Ada' }))).toBe('Hello, Ada!')
  expect(toText(await bridge.call('mcp://a/repeat', { text: 'x', count: 3 }))).toBe('x x x')
  expect(bridge.tool('mcp://a/repeat')).toBe(bridge.tool('a__repeat'))
})

test('the status says what each server is and where it was defined [S1-39]', async () => {
  const off = { ...fixture('hello', 'off'), enabled: false }
  await using bridge = await openBridge(permissive([off, fixture('hello', 'a')]))
  const [a, disabled] = bridge.status()
  expect(a).toMatchObject({
    name: 'a',
    transport: 'stdio',
    state: 'ready',
    toolCount: 2,
    tools: ['hello', 'repeat'],
    restarts: 0,
    startedInMs: expect.any(Number),
    serverInfo: { name: 'hello' },
    protocolVersion: '2025-11-25',
    source: { file: 'test', pointer: '/a' },
  })
  expect(isRunning(a?.pid)).toBe(true)
  expect(disabled).toEqual({
    name: 'off',
    transport: 'stdio',
    state: 'disabled',
    since: expect.any(Date),
    toolCount: 0,
    tools: [],
    restarts: 0,
    source: off.source,
  })
})

test('closing ends every process, and closing twice is closing once [S1-46]', async () => {
  const bridge = await openBridge(permissive([fixture('hello', 'a'), fixture('hello', 'b')]))
  const pids = bridge.status().map((status) => status.pid)
  await Promise.all([bridge.close(), bridge.close()])
  expect(pids.map(isRunning)).toEqual([false, false])
  await bridge.close()
  await expect(bridge.call('a__hello')).rejects.toMatchObject({ kind: 'closed' })
  expect(bridge.status().map((status) => status.state)).toEqual(['stopped', 'stopped'])
})

test('closing fails the calls in flight', async () => {
  const bridge = await openBridge(permissive([fixture('hostile')]))
  const call = expect(bridge.call('hostile__hang')).rejects.toMatchObject({ kind: 'closed' })
  await bridge.close()
  await call
})

test('a tool that is not there is an error that names it', async () => {
  await using bridge = await openBridge(permissive([]))
  const error = await bridge.call('nothing__here').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnknownToolError)
  expect(error).toMatchObject({ code: 'unknown_tool', message: 'there is no tool "nothing__here"' })
})

test('a cancelled call rejects with the reason of its signal', async () => {
  await using bridge = await openBridge(permissive([fixture('hostile')]))
  const controller = new AbortController()
  const reason = new Error('enough')
  const call = bridge.call('hostile__hang', {}, { signal: controller.signal })
  controller.abort(reason)
  await expect(call).rejects.toBe(reason)
  await expect(
    bridge.call('hostile__echo', { text: 'x' }, { signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason)
})

test('a server that is silent for too long fails its call only', async () => {
  await using bridge = await openBridge({ ...permissive([fixture('hostile')]), callTimeoutMs: 300 })
  await expect(bridge.call('hostile__hang')).rejects.toMatchObject({ kind: 'timeout' })
  expect(toText(await bridge.call('hostile__echo', { text: 'still here' }))).toBe('still here')
})

test('a list of tools that changes is refreshed in place', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([ownServer('changing')]),
    journal: (event) => events.push(event),
  })
  const { tools } = bridge
  await bridge.call('changing__grow')
  await expect.poll(() => tools.map((tool) => tool.name)).toEqual(['changing__grow', 'changing__grown_1'])
  expect(bridge.tools).toBe(tools)
  const counts = events.flatMap((event) => (event.type === 'tools.changed' ? [event.count] : []))
  expect(counts).toEqual([1, 2])
})
