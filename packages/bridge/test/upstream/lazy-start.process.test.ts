import { type Bridge, type BridgeEvent, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { fixture, permissive, plainServer } from '../servers/specs.ts'

let bridge: Bridge
afterEach(() => bridge.close())

function lazy(spec: ServerSpec): ServerSpec {
  return { ...spec, start: 'lazy' }
}

function states(): Readonly<Record<string, string>> {
  return Object.fromEntries(bridge.status().map(({ name, state }) => [name, state]))
}

test('a lazy server is stopped until somebody calls one of its tools, and nobody else is started for that [D17]', async () => {
  bridge = await openBridge(permissive([lazy(plainServer('a')), lazy(plainServer('b'))]))
  expect(states()).toEqual({ a: 'stopped', b: 'stopped' })
  expect(bridge.tools).toEqual([])
  expect(toText(await bridge.call('b__echo', { text: 'x' }))).toBe('b x')
  expect(states()).toEqual({ a: 'stopped', b: 'ready' })
})

test('any number of first calls start it once', async () => {
  const events: BridgeEvent[] = []
  bridge = await openBridge({
    ...permissive([lazy(plainServer('a'))]),
    journal: (event) => events.push(event),
  })
  const calls = Array.from({ length: 8 }, (_unused, index) => bridge.call('a__echo', { text: index }))
  expect((await Promise.all(calls)).map(toText)).toEqual(calls.map((_unused, index) => `a ${index}`))
  const starts = events.filter((event) => event.type === 'server.state' && event.state === 'starting')
  expect(starts).toHaveLength(1)
})

test('looking for a tool starts who may have it, and finds nothing once they have all been asked', async () => {
  bridge = await openBridge(permissive([lazy(plainServer('a')), lazy(plainServer('b'))]))
  expect(await bridge.findTool('mcp://a/echo')).toMatchObject({ name: 'a__echo' })
  await expect.poll(states).toEqual({ a: 'ready', b: 'stopped' })
  expect(await bridge.findTool('b__nothing')).toBeUndefined()
  expect(states()).toEqual({ a: 'ready', b: 'ready' })
  expect(await bridge.findTool('c__nothing')).toBeUndefined()
})

test('a lazy server that does not start says so in its state, and the next who needs it tries again', async () => {
  const events: BridgeEvent[] = []
  bridge = await openBridge({
    ...permissive([lazy(fixture('hostile', 'bad', '--crash-before-initialize'))]),
    journal: (event) => events.push(event),
  })
  await expect(bridge.call('bad__echo')).rejects.toThrow('server "bad" is not running: ')
  expect(bridge.status()[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('code 3') })
  expect(await bridge.findTool('bad__echo')).toBeUndefined()
  expect(events.filter((event) => event.type === 'server.state' && event.state === 'starting')).toHaveLength(
    2,
  )
})

test('a lazy server that nobody uses is stopped, keeps its tools listed and comes back with the next call', async () => {
  const clock = new ManualClock()
  bridge = await openBridge({ ...permissive([lazy(plainServer('a'))]), clock, idleMs: 1_000, keepAliveMs: 0 })
  await bridge.call('a__echo', { text: 'x' })
  clock.advance(999)
  expect(states()).toEqual({ a: 'ready' })
  clock.advance(1)
  expect(states()).toEqual({ a: 'stopped' })
  expect(bridge.tool('a__echo')).toBeDefined()
  expect(toText(await bridge.call('a__echo', { text: 'y' }))).toBe('a y')
})

test('a lazy server that is required is started at once', async () => {
  bridge = await openBridge(permissive([{ ...lazy(plainServer('a')), required: true }]))
  expect(states()).toEqual({ a: 'ready' })
})

test('a definition has deadlines of its own', async () => {
  const slow = { ...fixture('hostile', 'slow', '--silent'), timeouts: { startMs: 150 } }
  const hasty = { ...plainServer('hasty'), timeouts: { callMs: 150 } }
  bridge = await openBridge(permissive([slow, hasty]))
  expect(bridge.status()[1]?.error).toContain('within 150 ms')
  await expect(bridge.call('hasty__hang')).rejects.toMatchObject({ kind: 'timeout' })
  expect(toText(await bridge.call('hasty__wait', { text: 'x', delayMs: 400 }, { timeoutMs: 5_000 }))).toBe(
    'hasty x',
  )
})
