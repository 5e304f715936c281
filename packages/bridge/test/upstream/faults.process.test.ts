import { type Bridge, type BridgeEvent, openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { afterEach, expect, test } from 'vitest'
import { fixture, isRunning, permissive, plainServer } from '../servers/specs.ts'

/** How long the faults go on at least; on a busy machine until each of them has struck. */
const durationMs = process.env['TOOLBRIDGE_LONG'] === undefined ? 1_500 : 30_000

const callers = 8
const healthy = ['h0', 'h1', 'h2', 'h3']
const hastyStop = { policy: { stop: { closeStdin: true, graceMs: 20, termMs: 50 } } }

const killed = { ...plainServer('killed'), ...hastyStop }
const hung = { ...plainServer('hung'), ...hastyStop, timeouts: { callMs: 200 } }
const flapping = { ...plainServer('flapping', { LIVES_MS: '80' }), ...hastyStop }
const flooding: StdioServerSpec = {
  ...fixture('hostile', 'flooding', '--flood', '--huge-line', '100000', '--stderr-flood', '--grandchild'),
  ...hastyStop,
  timeouts: { callMs: 2_000 },
}

let bridge: Bridge
const events: BridgeEvent[] = []
const pids = new Set<number>()
afterEach(() => bridge.close())

function statesOf(server: string): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'server.state' && event.server === server ? [event.state] : [],
  )
}

function pidOf(server: string): number | undefined {
  return bridge.status().find(({ name }) => name === server)?.pid
}

/** The server may be gone a moment before the bridge hears of it. */
function signal(server: string, name: NodeJS.Signals): void {
  const pid = pidOf(server)
  if (pid !== undefined && isRunning(pid)) process.kill(pid, name)
}

/** Does something again and again until it is over. */
async function repeat(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await work()
}

/** Calls the healthy servers in turn and checks who answers. */
async function callHealthy(caller: number, calls: number[], isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const server = healthy[(caller + count) % healthy.length] ?? ''
    const text = `${caller}-${count}`
    expect(toText(await bridge.call(`${server}__echo`, { text }))).toBe(`${server} ${text}`)
    calls[caller] = count + 1
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 120))
}

function makeFaults(isOver: () => boolean): readonly Promise<void>[] {
  return [
    repeat(isOver, async () => {
      signal('killed', 'SIGKILL')
      await pause()
    }),
    repeat(isOver, async () => {
      signal('hung', 'SIGSTOP')
      await bridge.call('hung__echo', { text: 'x' }).catch(pause)
    }),
    repeat(isOver, () => bridge.call('flooding__echo', { text: 'x' }).catch(pause)),
    repeat(isOver, () => bridge.call('flapping__echo', { text: 'x' }).catch(pause)),
    repeat(isOver, async () => {
      for (const { pid } of bridge.processes()) pids.add(pid)
      await pause()
    }),
  ]
}

/** Every fault was seen for what it is. */
function haveAllStruck(): boolean {
  const isSeen = (server: string, state: string): boolean => statesOf(server).includes(state)
  const hasFlapped = statesOf('flapping').filter((state) => state === 'down').length > 1
  const restarts = bridge.status().find(({ name }) => name === 'flapping')?.restarts ?? 0
  return (
    isSeen('killed', 'down') &&
    isSeen('hung', 'degraded') &&
    isSeen('hung', 'down') &&
    hasFlapped &&
    restarts > 0
  )
}

test('servers that are killed, hang, flood and flap harm no call of the others, are told apart and leave nothing behind [C37]', async () => {
  bridge = await openBridge({
    ...permissive([...healthy.map((name) => plainServer(name)), killed, hung, flooding, flapping]),
    keepAliveMs: 100,
    restarts: { firstDelayMs: 50, maxDelayMs: 200, maxRestarts: 1_000 },
    journal: (event) => events.push(event),
  })
  const startedAt = performance.now()
  const calls = Array.from({ length: callers }, () => 0)
  const isOver = (): boolean => {
    const passedMs = performance.now() - startedAt
    return (
      passedMs > durationMs + 60_000 || (passedMs > durationMs && haveAllStruck() && Math.min(...calls) > 10)
    )
  }
  const faults = makeFaults(isOver)
  await Promise.all([...calls.map((_unused, caller) => callHealthy(caller, calls, isOver)), ...faults])

  expect(haveAllStruck()).toBe(true)
  expect(Math.min(...calls)).toBeGreaterThan(10)
  for (const name of healthy) expect(statesOf(name)).toEqual(['starting', 'ready'])
  const reasons = events.flatMap((event) =>
    event.type === 'server.state' && event.state === 'down' ? [`${event.server}: ${event.error}`] : [],
  )
  expect(reasons).toContainEqual(expect.stringContaining('killed: the server was ended by SIGKILL'))
  expect(reasons).toContainEqual(
    expect.stringMatching(/^flapping: the server exited with code 4.*time is up/),
  )
  expect(events).toContainEqual(expect.objectContaining({ code: 'server_misbehaves', server: 'flooding' }))

  await bridge.close()
  expect(bridge.processes()).toEqual([])
  expect([...pids].filter(isRunning)).toEqual([])
})
