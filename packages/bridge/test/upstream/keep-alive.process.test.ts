import { type Bridge, type BridgeEvent, openBridge, toText } from '@toolbridge/bridge'
import { McpError, McpErrorCode } from '@toolbridge/client'
import { afterEach, expect, test } from 'vitest'
import { Heartbeat } from '../../src/upstream/heartbeat.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { isRunning, permissive, plainServer } from '../servers/specs.ts'

let bridge: Bridge | undefined
afterEach(() => bridge?.close())

/** A heartbeat whose pings end as the test says. */
function beating(options: { readonly longestCallMs?: number; readonly hasAnswered?: boolean } = {}) {
  const clock = new ManualClock()
  const told: string[] = []
  const ends: ((error?: unknown) => void)[] = []
  const heartbeat = new Heartbeat({
    clock,
    intervalMs: 100,
    ping: () =>
      new Promise((resolve, reject) =>
        ends.push((error) => (error === undefined ? resolve() : reject(error))),
      ),
    onAnswered: () => told.push('answered'),
    onMissed: () => told.push('missed'),
    onLost: () => told.push('lost'),
    longestCallMs: () => options.longestCallMs ?? 0,
    hasAnswered: () => options.hasAnswered ?? false,
  })
  const beat = async (error?: unknown): Promise<void> => {
    clock.advance(100)
    ends.pop()?.(error)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { heartbeat, clock, told, ends, beat }
}

const noAnswer = new McpError('too late', { kind: 'timeout', code: McpErrorCode.RequestTimeout })

test('a server that misses three pings in a row is taken for gone; one answer forgives', async () => {
  const { told, beat, ends } = beating()
  for (const error of [noAnswer, noAnswer, undefined, noAnswer, noAnswer, noAnswer]) await beat(error)
  expect(told).toEqual(['missed', 'missed', 'answered', 'missed', 'missed', 'missed', 'lost'])
  await beat()
  expect(ends).toEqual([])
})

test('an error that the server sends is a sign of life', async () => {
  const { told, beat } = beating()
  await beat(new McpError('unknown method', { kind: 'peer', code: McpErrorCode.MethodNotFound }))
  expect(told).toEqual(['answered'])
})

test('a server that may just be busy is not taken for gone before the longest of its calls is over', async () => {
  const { told, beat } = beating({ longestCallMs: 500 })
  for (let misses = 0; misses < 4; misses += 1) await beat(noAnswer)
  expect(told).not.toContain('lost')
  await beat(noAnswer)
  expect(told.at(-1)).toBe('lost')
})

test('a server that answers calls is there, though it may not answer pings', async () => {
  const { told, beat } = beating({ hasAnswered: true })
  await beat(noAnswer)
  expect(told).toEqual(['answered'])
})

test('one ping is out at a time, and none after the end', async () => {
  const { heartbeat, clock, ends, told } = beating()
  clock.advance(1_000)
  heartbeat.now()
  expect(ends).toHaveLength(1)
  heartbeat.stop()
  ends.pop()?.()
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(1_000)
  expect([ends, told]).toEqual([[], []])
})

test('a server that hangs is degraded, then down, and then there again', async () => {
  const events: BridgeEvent[] = []
  const stop = { closeStdin: true, graceMs: 20, termMs: 20 }
  bridge = await openBridge({
    ...permissive([{ ...plainServer('a'), policy: { stop } }]),
    keepAliveMs: 60,
    journal: (event) => events.push(event),
  })
  const { pid } = bridge.status()[0] ?? {}
  if (pid !== undefined) process.kill(pid, 'SIGSTOP')
  const states = (): readonly string[] =>
    events.flatMap((event) => (event.type === 'server.state' ? [event.state] : []))
  await expect.poll(states).toEqual(['starting', 'ready', 'degraded', 'down', 'starting', 'ready'])
  expect(isRunning(pid)).toBe(false)
  expect(toText(await bridge.call('a__echo', { text: 'x' }))).toBe('a x')
})

test('a server that answers again after a while is ready again', async () => {
  bridge = await openBridge({ ...permissive([plainServer('a')]), keepAliveMs: 250 })
  const { pid = 0 } = bridge.status()[0] ?? {}
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => bridge?.status()[0]?.state, { interval: 5 }).toBe('degraded')
  expect(bridge.status()[0]).toMatchObject({ error: expect.stringContaining('did not answer'), pid })
  process.kill(pid, 'SIGCONT')
  await expect.poll(() => bridge?.status()[0]).toMatchObject({ state: 'ready', pid })
})
