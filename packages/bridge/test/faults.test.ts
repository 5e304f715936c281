import { type Bridge, type BridgeEvent, openBridge, type StdioServerSpec, toText } from '@toolbridge/bridge'
import { afterEach, expect, test } from 'vitest'
import { fixture, isRunning, permissive, plainServer } from './servers/specs.ts'

/** How long the faults go on. */
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

function signal(server: string, name: NodeJS.Signals): void {
  const pid = pidOf(server)
  if (pid !== undefined) process.kill(pid, name)
}

/** Does something again and again until the time is up. */
async function until(endsAt: number, work: () => Promise<unknown>): Promise<void> {
  while (performance.now() < endsAt) await work()
}

/** Calls the healthy servers in turn and checks who answers. */
async function callHealthy(caller: number, endsAt: number): Promise<number> {
  let calls = 0
  await until(endsAt, async () => {
    const server = healthy[(caller + calls) % healthy.length] ?? ''
    const text = `${caller}-${calls}`
    expect(toText(await bridge.call(`${server}__echo`, { text }))).toBe(`${server} ${text}`)
    calls += 1
  })
  return calls
}

function makeFaults(endsAt: number): readonly Promise<void>[] {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 120))
  return [
    until(endsAt, async () => {
      signal('killed', 'SIGKILL')
      await pause()
    }),
    until(endsAt, async () => {
      signal('hung', 'SIGSTOP')
      await bridge.call('hung__echo', { text: 'x' }).catch(pause)
    }),
    until(endsAt, () => bridge.call('flooding__echo', { text: 'x' }).catch(pause)),
    until(endsAt, () => bridge.call('flapping__echo', { text: 'x' }).catch(pause)),
    until(endsAt, async () => {
      for (const { pid } of bridge.processes()) pids.add(pid)
      await pause()
    }),
  ]
}

test('servers that are killed, hang, flood and flap harm no call of the others, are told apart and leave nothing behind', async () => {
  bridge = await openBridge({
    ...permissive([...healthy.map((name) => plainServer(name)), killed, hung, flooding, flapping]),
    keepAliveMs: 100,
    restarts: { firstDelayMs: 50, maxDelayMs: 200, maxRestarts: 1_000 },
    journal: (event) => events.push(event),
  })
  const endsAt = performance.now() + durationMs
  const faults = makeFaults(endsAt)
  const calls = await Promise.all(
    Array.from({ length: callers }, (_unused, index) => callHealthy(index, endsAt)),
  )
  await Promise.all(faults)

  expect(Math.min(...calls)).toBeGreaterThan(10)
  for (const name of healthy) expect(statesOf(name)).toEqual(['starting', 'ready'])
  expect(statesOf('killed')).toContain('down')
  expect(statesOf('hung')).toEqual(expect.arrayContaining(['degraded', 'down']))
  expect(statesOf('flapping').filter((state) => state === 'down').length).toBeGreaterThan(1)
  expect(bridge.status().find(({ name }) => name === 'flapping')?.restarts).toBeGreaterThan(0)
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
}, 90_000)
