import { type Bridge, openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixture, isRunning, permissive } from '../servers/specs.ts'

const silent = fixture('hostile', 'silent', '--silent')
const good = fixture('hello', 'good')

let bridge: Bridge
beforeEach(async () => {
  bridge = await openBridge(permissive([]))
})
afterEach(() => bridge.close())

function changed(spec: StdioServerSpec): StdioServerSpec {
  return { ...spec, env: { CHANGED: 'yes' } }
}

/** Begins a change that the test does not wait for; the end of the bridge may be its end. */
function begin(servers: readonly StdioServerSpec[]): void {
  void bridge.apply(servers).catch(() => {})
}

function states(): Readonly<Record<string, string>> {
  return Object.fromEntries(bridge.status().map(({ name, state }) => [name, state]))
}

test('a server that never answers keeps nobody from the others [S1-33]', async () => {
  const change = bridge.apply([silent, good])
  expect(states()).toEqual({ good: 'starting', silent: 'starting' })
  const tool = await bridge.findTool('good__hello')
  expect(toText(await bridge.call(tool?.uri ?? ''))).toBe('Hello, world!')
  expect(states()).toEqual({ good: 'ready', silent: 'starting' })
  expect(await bridge.apply([good])).toMatchObject({ kept: ['good'], stopped: ['silent'] })
  expect(await change).toMatchObject({ started: ['silent', 'good'], failed: [], superseded: true })
})

test('a tool is waited for while a server that could have it is starting, and no longer', async () => {
  begin([silent, good])
  expect(await bridge.findTool('other__tool')).toBeUndefined()
  expect(await bridge.findTool('good__nothing')).toBeUndefined()
  expect(await bridge.findTool('mcp://good/hello')).toMatchObject({ name: 'good__hello' })
  const leaving = new AbortController()
  const waiting = expect(bridge.findTool('silent__x', leaving)).rejects.toBe('left')
  leaving.abort('left')
  await waiting
  const unserved = bridge.findTool('silent__x')
  await bridge.apply([good])
  expect(await unserved).toBeUndefined()
})

test('the wait for a tool ends with the bridge', async () => {
  begin([silent])
  const waiting = expect(bridge.findTool('silent__x')).rejects.toMatchObject({ kind: 'closed' })
  await bridge.close()
  await waiting
})

test('a replaced server works until its successor is ready', async () => {
  await bridge.apply([good])
  const before = bridge.status()[0]?.pid
  const broken = { ...good, args: silent.args }
  begin([broken])
  expect(states()).toEqual({ good: 'ready' })
  expect(toText(await bridge.call('good__hello'))).toBe('Hello, world!')
  expect(await bridge.apply([changed(good)])).toMatchObject({ started: ['good'], stopped: ['good'] })
  expect(bridge.status()[0]?.pid).not.toBe(before)
  expect(isRunning(before)).toBe(false)
})

test('going back to the definition that is running gives up its successor', async () => {
  await bridge.apply([good])
  const { pid } = bridge.status()[0] ?? {}
  const change = bridge.apply([{ ...good, args: silent.args }])
  expect(await bridge.apply([good])).toMatchObject({ kept: ['good'], started: [], stopped: [] })
  expect(await change).toMatchObject({ superseded: true })
  expect(bridge.status()[0]).toMatchObject({ state: 'ready', pid })
})

test('a newer change goes on with a start that is still wanted', async () => {
  const slow = fixture('hostile', 'slow', '--slow-start', '500')
  const older = bridge.apply([slow, silent])
  const newer = bridge.apply([slow])
  expect(await older).toMatchObject({ superseded: true })
  expect(await newer).toMatchObject({ started: ['slow'], failed: [], superseded: false })
  expect(states()).toEqual({ slow: 'ready' })
})

test('nothing changes before the servers that are required are ready, and others are not waited for', async () => {
  await bridge.apply([good])
  const required = { ...fixture('hello', 'must'), required: true }
  begin([silent, required])
  expect(states()).toEqual({ good: 'ready' })
  expect(await bridge.findTool('must__hello')).toBeDefined()
  expect(states()).toEqual({ must: 'ready', silent: 'starting' })
})

test('giving up a change stops what was starting and keeps what is ready', async () => {
  const leaving = new AbortController()
  const change = expect(bridge.apply([good, silent], leaving)).rejects.toBe('enough')
  await bridge.findTool('good__hello')
  await expect.poll(states).toEqual({ good: 'ready', silent: 'starting' })
  leaving.abort('enough')
  await change
  expect(states()).toEqual({ good: 'ready' })
})

test('giving up while a bridge opens stops what was started', async () => {
  const leaving = new AbortController()
  const ended: string[] = []
  const opening = openBridge({
    ...permissive([silent]),
    signal: leaving.signal,
    journal: (event) => {
      if (event.type === 'server.state') ended.push(event.state)
      if (event.type === 'server.state' && event.state === 'starting') leaving.abort('enough')
    },
  })
  await expect(opening).rejects.toBe('enough')
  expect(ended).toEqual(['starting', 'stopped'])
})
