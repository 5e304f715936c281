import {
  type BridgeEvent,
  type BridgeOptions,
  ConfigError,
  type ConfigSource,
  type Issue,
  openBridge,
  type SourceReading,
  toText,
} from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { type Behaviour, Machine } from '../servers/machine.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { permissive } from '../servers/specs.ts'

const stopFirst = { replace: 'stop-first' } as const

async function setUp(behaviour: Behaviour = { version: 1 }, options: Partial<BridgeOptions> = {}) {
  const machine = new Machine()
  const events: BridgeEvent[] = []
  const first = machine.define('a', behaviour)
  const bridge = await openBridge({
    ...permissive([first]),
    transportOf: machine.transportOf,
    journal: (event) => events.push(event),
    ...options,
  })
  const answer = async (): Promise<string> => toText(await bridge.call('a__echo'))
  const noticeOf = (): string | undefined => bridge.status()[0]?.failedReplacement?.error
  return { machine, events, first, bridge, answer, noticeOf }
}

test('a changed definition that does not start leaves the old server running, and every status says so [S1-45]', async () => {
  const { machine, events, first, bridge, answer } = await setUp()
  await using _closed = bridge
  const broken = machine.define('a', { version: 2, isBroken: true })
  const report = await bridge.apply([broken])
  expect(report).toMatchObject({ started: ['a'], stopped: [], notReplaced: ['a'] })
  expect(report.failed).toMatchObject([{ name: 'a', error: expect.stringContaining('broken') }])
  expect(await answer()).toBe('a@1')
  expect(bridge.tools.map(({ name }) => name)).toEqual(['a__echo', 'a__wait'])
  const [status] = bridge.status()
  expect(status).toMatchObject({ state: 'ready', source: first.source })
  expect(status?.failedReplacement).toMatchObject({ error: expect.stringContaining('broken') })
  expect(status?.failedReplacement?.error).not.toContain('stop-first')
  expect(machine.running).toEqual(['a@1'])
  const diagnostics = events.filter((event) => event.type === 'diagnostic')
  expect(diagnostics).toMatchObject([
    {
      code: 'replacement_failed',
      server: 'a',
      message: expect.stringContaining('runs the previous definition'),
    },
  ])
  expect(events.filter((event) => event.type === 'server.state').at(-1)).toMatchObject({ state: 'ready' })
})

test('a later definition that starts replaces the server and clears the notice [S1-45]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp()
  await using _closed = bridge
  await bridge.apply([machine.define('a', { version: 2, isBroken: true })])
  expect(noticeOf()).toContain('broken')
  expect(await bridge.apply([machine.define('a', { version: 3 })])).toMatchObject({
    stopped: ['a'],
    failed: [],
    notReplaced: [],
  })
  expect([await answer(), noticeOf(), machine.running]).toEqual(['a@3', undefined, ['a@3']])
})

test('applying the definition that is running clears the notice and restarts nothing [S1-45]', async () => {
  const { machine, first, bridge, noticeOf } = await setUp()
  await using _closed = bridge
  const { since } = bridge.status()[0] ?? {}
  await bridge.apply([machine.define('a', { version: 2, isBroken: true })])
  expect(await bridge.apply([first])).toMatchObject({ kept: ['a'], started: [] })
  expect(noticeOf()).toBeUndefined()
  expect(bridge.status()[0]?.since).toBe(since)
})

test('removing a server whose replacement failed stops it [S1-47]', async () => {
  const { machine, bridge } = await setUp()
  await using _closed = bridge
  await bridge.apply([machine.define('a', { version: 2, isBroken: true })])
  expect(await bridge.apply([])).toMatchObject({ stopped: ['a'] })
  expect([machine.running, bridge.status(), bridge.tools]).toEqual([[], [], []])
})

test('restarting a server whose replacement failed tries the changed definition again [S1-45]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const b = machine.define('b', { version: 1, port: '81' })
  await bridge.apply([machine.define('a', { version: 1, port: '80' }), b])
  const wanted = machine.define('a', { version: 2, port: '81' })
  await bridge.apply([wanted, b])
  expect(await answer()).toBe('a@1')
  await bridge.restart('b')
  expect(bridge.status()[0]?.failedReplacement?.error).toContain('81')
  expect(await bridge.restart('a')).toMatchObject({
    failedReplacement: { error: expect.stringContaining('81') },
  })
  await bridge.apply([wanted])
  expect(await answer()).toBe('a@2')
})

test('a definition that allows less replaces the server even if it does not start [S1-45]', async () => {
  const { machine, bridge, noticeOf } = await setUp()
  await using _closed = bridge
  const narrower = machine.define('a', { version: 2, isBroken: true }, { tools: { deny: ['wait'] } })
  expect(await bridge.apply([narrower])).toMatchObject({ stopped: ['a'], notReplaced: [] })
  expect(bridge.status()).toMatchObject([{ state: 'failed' }])
  expect([noticeOf(), bridge.tools, machine.running]).toEqual([undefined, [], []])
})

test('a lazy server that is in use is replaced only by one that starts [S1-45]', async () => {
  const { machine, bridge, answer } = await setUp()
  await using _closed = bridge
  const lazy = { start: 'lazy' } as const
  await bridge.apply([machine.define('a', { version: 2 }, lazy)])
  expect(await answer()).toBe('a@2')
  await bridge.apply([machine.define('a', { version: 3, isBroken: true }, lazy)])
  expect(await answer()).toBe('a@2')
})

test('a port that is in use is a reason to suggest stop-first, and not to do it [S1-47]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  await bridge.apply([machine.define('a', { version: 2, port: '80' })])
  expect(noticeOf()).toMatch(/EADDRINUSE.*set "replace": "stop-first"/)
  expect(await answer()).toBe('a@1')
  await bridge.apply([machine.define('a', { version: 2, port: '80' }, stopFirst)])
  expect([await answer(), noticeOf()]).toEqual(['a@2', undefined])
})

test('with stop-first the old server is stopped before the new one starts, and calls wait [S1-47]', async () => {
  const { machine, bridge } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const running = bridge.call('a__wait', { gate: 'call' })
  const applied = bridge.apply([machine.define('a', { version: 2, port: '80', gate: 'start' }, stopFirst)])
  const whileDraining = bridge.call('a__echo')
  expect(machine.running).toEqual(['a@1'])
  machine.open('call')
  expect(toText(await running)).toBe('a@1')
  await expect.poll(() => machine.running).toEqual(['a@2'])
  expect(bridge.status()).toMatchObject([{ state: 'starting' }])
  expect(bridge.tools).toHaveLength(2)
  const whileStarting = bridge.call('a__echo')
  const reading = bridge.resources.read('a', 'memo://a')
  machine.open('start')
  expect(await applied).toMatchObject({ started: ['a'], stopped: ['a'], failed: [] })
  expect([toText(await whileDraining), toText(await whileStarting)]).toEqual(['a@2', 'a@2'])
  expect(await reading).toMatchObject({ contents: [{ text: 'a@2' }] })
  expect(machine.most).toBe(1)
})

test('a dialect can preset stop-first, and the definition overrides it [S1-47]', async () => {
  const { machine, bridge } = await setUp()
  await using _closed = bridge
  const policy = { replace: 'stop-first' } as const
  await bridge.apply([machine.define('a', { version: 2 }, { policy })])
  expect(machine.most).toBe(1)
  await bridge.apply([machine.define('a', { version: 3 }, { policy, replace: 'start-first' })])
  expect(machine.most).toBe(2)
})

test('a stop-first replacement that does not start brings the old definition back, and no call fails [S1-47]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const broken = machine.define('a', { version: 2, isBroken: true, gate: 'start' }, stopFirst)
  const applied = bridge.apply([broken])
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = answer()
  machine.open('start')
  expect(await applied).toMatchObject({ failed: [{ name: 'a' }], notReplaced: ['a'], stopped: [] })
  expect([await waiting, machine.running]).toEqual(['a@1', ['a@1']])
  expect(noticeOf()).toContain('broken')
  expect(bridge.status()).toMatchObject([{ state: 'ready' }])
  expect(machine.most).toBe(1)
})

test('a server whose calls do not end is not stopped, and stays in use [S1-47]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp({ version: 1 })
  await using _closed = bridge
  const timeouts = { startMs: 20 }
  await bridge.apply([machine.define('a', { version: 1 }, { timeouts })])
  const running = bridge.call('a__wait', { gate: 'call' })
  const applied = bridge.apply([machine.define('a', { version: 2 }, { ...stopFirst, timeouts })])
  expect(await applied).toMatchObject({ notReplaced: ['a'] })
  expect(noticeOf()).toContain('calls in flight on server "a" did not end within 20 ms')
  expect(await answer()).toBe('a@1')
  machine.open('call')
  expect(toText(await running)).toBe('a@1')
})

test('a call that waits longer than the start timeout fails without having been sent [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1 })
  await using _closed = bridge
  await bridge.apply([machine.define('a', { version: 1 }, { timeouts: { startMs: 20 } })])
  const slow = machine.define(
    'a',
    { version: 2, gate: 'start' },
    { ...stopFirst, timeouts: { startMs: 60_000 } },
  )
  const applied = bridge.apply([slow])
  await expect(answer()).rejects.toMatchObject({
    kind: 'timeout',
    message: 'server "a" is being replaced and was not ready within 20 ms (timeouts.startMs)',
  })
  machine.open('start')
  await applied
  expect(await answer()).toBe('a@2')
})

test('changing only how a server is replaced restarts nothing [S1-47]', async () => {
  const { machine, bridge } = await setUp()
  await using _closed = bridge
  expect(await bridge.apply([machine.define('a', { version: 1 }, stopFirst)])).toMatchObject({ kept: ['a'] })
})

test('a stop-first replacement that is given up brings the old definition back [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const abort = new AbortController()
  const slow = machine.define('a', { version: 2, port: '80', gate: 'never' }, stopFirst)
  const applied = bridge.apply([slow], { signal: abort.signal })
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = answer()
  abort.abort(new Error('enough'))
  await expect(applied).rejects.toThrow('enough')
  expect([await waiting, machine.running]).toEqual(['a@1', ['a@1']])
})

test.for([
  { next: 'the old definition', version: 1 },
  { next: 'another definition', version: 3 },
])('when $next supersedes a stop-first replacement, waiting calls go to it [S1-47]', async ({ version }) => {
  const { machine, bridge, answer, noticeOf } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const slow = machine.define('a', { version: 2, port: '80', gate: 'never' }, stopFirst)
  const superseded = bridge.apply([slow])
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = answer()
  expect(await bridge.apply([machine.define('a', { version, port: '80' })])).toMatchObject({ failed: [] })
  expect(await superseded).toMatchObject({ superseded: true })
  expect([await waiting, machine.running, machine.most]).toEqual([`a@${version}`, [`a@${version}`], 1])
  expect(noticeOf()).toBeUndefined()
})

test('a definition that supersedes a stop-first replacement and fails brings the old one back [S1-47]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  void bridge.apply([machine.define('a', { version: 2, port: '80', gate: 'never' }, stopFirst)])
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = answer()
  await bridge.apply([machine.define('a', { version: 3, isBroken: true })])
  expect([await waiting, machine.running, machine.most]).toEqual(['a@1', ['a@1'], 1])
  expect(noticeOf()).toContain('broken')
})

test('a server that is removed during a stop-first replacement is gone, and waiting calls say so [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  void bridge.apply([machine.define('a', { version: 2, port: '80', gate: 'never' }, stopFirst)])
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = expect(answer()).rejects.toMatchObject({ code: 'unknown_tool' })
  await bridge.apply([])
  await waiting
  await expect.poll(() => machine.running).toEqual([])
})

test('closing during a stop-first replacement starts nothing and ends waiting calls [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  const slow = machine.define('a', { version: 2, port: '80', gate: 'never' }, stopFirst)
  const applied = expect(bridge.apply([slow])).rejects.toMatchObject({ kind: 'closed' })
  await expect.poll(() => machine.running).toEqual(['a@2'])
  const waiting = expect(answer()).rejects.toMatchObject({ kind: 'closed' })
  await bridge.close()
  await Promise.all([applied, waiting])
  expect(machine.running).toEqual([])
})

test('a required server that is replaced stop-first and fails rejects the change, and the old one runs [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const required = machine.define('a', { version: 2, isBroken: true }, { ...stopFirst, required: true })
  await expect(bridge.apply([required])).rejects.toThrow('server "a" is required and did not start')
  expect([await answer(), machine.running, machine.most]).toEqual(['a@1', ['a@1'], 1])
})

test('nothing is stopped before a required server has started [S1-47]', async () => {
  const { machine, bridge, answer } = await setUp({ version: 1, port: '80' })
  await using _closed = bridge
  const must = machine.define('must', { version: 1, isBroken: true }, { required: true })
  const changed = machine.define('a', { version: 2, port: '80' }, stopFirst)
  await expect(bridge.apply([changed, must])).rejects.toThrow('server "must" is required')
  expect([await answer(), machine.running]).toEqual(['a@1', ['a@1']])
})

test('a running server whose entry becomes invalid keeps its definition, and the diagnostic has the position [S1-45]', async () => {
  const events: BridgeEvent[] = []
  const machine = new Machine()
  const [a, b] = [machine.define('a', { version: 1 }), machine.define('b', { version: 1 })]
  const readings: Partial<SourceReading>[] = [
    { servers: [a, b] },
    { servers: [a], refused: ['b', 'c'], issues: [issueAt(7)] },
  ]
  const source: ConfigSource = { read: async () => ({ servers: [], ...readings.shift() }) }
  const journal = (event: BridgeEvent): unknown => events.push(event)
  await using bridge = await openBridge({
    ...permissive([]),
    servers: source,
    transportOf: machine.transportOf,
    journal,
  })
  expect(await bridge.reload()).toMatchObject({ kept: ['a', 'b'], started: [], stopped: [] })
  const [diagnostic] = events.filter((event) => event.type === 'diagnostic')
  expect(diagnostic).toMatchObject({
    code: 'field_invalid',
    message: '/app/mcp.json:7:3: no command; add one',
  })
  await bridge.reload()
  expect(machine.running).toEqual([])
})

test('a file that cannot be read changes nothing, and a watch reports file, line and column [S1-45]', async () => {
  const events: BridgeEvent[] = []
  const machine = new Machine()
  const clock = new ManualClock()
  let isBroken = false
  let changed = (): void => {}
  const source: ConfigSource = {
    read: async () => {
      if (isBroken) throw ConfigError.of([issueAt(2), issueAt(9)])
      return { servers: [machine.define('a', { version: 1 })] }
    },
    watch: (onChange) => {
      changed = onChange
      return { [Symbol.dispose]: () => {} }
    },
  }
  await using bridge = await openBridge({
    ...permissive([]),
    servers: source,
    transportOf: machine.transportOf,
    journal: (event) => events.push(event),
    clock,
  })
  bridge.watch()
  isBroken = true
  changed()
  clock.advance(200)
  await expect
    .poll(() => events.filter((event) => event.type === 'diagnostic'))
    .toMatchObject([
      {
        code: 'reload_failed',
        message:
          'the changed definitions are not in force: /app/mcp.json:2:3: no command; add one. /app/mcp.json:9:3: no command; add one',
      },
    ])
  expect(bridge.status()).toMatchObject([{ name: 'a', state: 'ready' }])
})

test('a server is not stopped for an entry of a project that is not trusted [S1-47]', async () => {
  const { machine, bridge, answer, noticeOf } = await setUp()
  await using _closed = bridge
  const source = { file: '/app/mcp.json', pointer: '/mcpServers/a', kind: 'project' } as const
  const { since } = bridge.status()[0] ?? {}
  const changed = machine.define('a', { version: 2 }, { ...stopFirst, source })
  expect(await bridge.apply([changed])).toMatchObject({ notReplaced: ['a'] })
  expect([await answer(), bridge.status()[0]?.since]).toEqual(['a@1', since])
  expect(noticeOf()).toContain('not trusted')
})

test('a call that times out names the setting', async () => {
  const machine = new Machine()
  const spec = machine.define('a', { version: 1 }, { timeouts: { callMs: 10 } })
  await using bridge = await openBridge({ ...permissive([spec]), transportOf: machine.transportOf })
  await expect(bridge.call('a__wait', { gate: 'never' })).rejects.toMatchObject({
    kind: 'timeout',
    message: 'the server did not answer tools/call in time (10 ms, timeouts.callMs)',
  })
})

function issueAt(line: number): Issue {
  const position = { file: '/app/mcp.json', path: '/mcpServers/b', line, column: 3 }
  return { code: 'field_invalid', severity: 'error', ...position, message: 'no command', fix: 'add one' }
}
