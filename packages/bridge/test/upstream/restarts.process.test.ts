import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Bridge, type BridgeEvent, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { defaultRestarts, Restarts } from '../../src/upstream/restarts.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import { fixture, isRunning, nodeServer, permissive } from '../servers/specs.ts'

const good = fixture('hello', 'good')

let bridge: Bridge | undefined
afterEach(() => bridge?.close())

/** A bridge whose clock stands still unless it is moved, so that no restart comes before it is wanted. */
async function supervised(...servers: readonly ServerSpec[]) {
  const clock = new ManualClock()
  const events: BridgeEvent[] = []
  const opened = await openBridge({
    ...permissive(servers),
    clock,
    random: () => 1,
    journal: (event) => events.push(event),
  })
  bridge = opened
  const states = (): readonly string[] =>
    events.flatMap((event) => (event.type === 'server.state' ? [event.state] : []))
  return { clock, bridge: opened, states }
}

function kill({ pid }: { readonly pid?: number } = {}): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

test('a server that was killed is started again by itself, and its tools stay listed meanwhile', async () => {
  const { clock, bridge: supervisor, states } = await supervised(good)
  const [before] = supervisor.status()
  kill(before)
  await expect.poll(() => supervisor.status()[0]?.state).toBe('down')
  expect(supervisor.status()[0]).toMatchObject({ toolCount: 2, retryAt: new Date(clock.now()) })
  expect(supervisor.tool('good__hello')).toBeDefined()
  clock.advance(0)
  await expect.poll(() => supervisor.status()[0]?.state).toBe('ready')
  expect(supervisor.status()[0]).toMatchObject({ restarts: 1 })
  expect(states()).toEqual(['starting', 'ready', 'down', 'starting', 'ready'])
  expect(isRunning(before?.pid)).toBe(false)
})

test('calls that come while a killed server is due start it, once for all of them', async () => {
  const { bridge: supervisor, states } = await supervised(good)
  kill(supervisor.status()[0])
  await expect.poll(() => supervisor.status()[0]?.state).toBe('down')
  const answers = await Promise.all([
    supervisor.call('good__hello'),
    supervisor.call('good__repeat', { text: 'x' }),
  ])
  expect(answers.map(toText)).toEqual(['Hello, world!', 'x x'])
  expect(states()).toEqual(['starting', 'ready', 'down', 'starting', 'ready'])
})

test('a server that cannot be started again says with every call that it is down and when it is tried again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-'))
  const program = join(folder, 'server.mjs')
  await writeFile(program, `await import(${JSON.stringify(pathToFileURL(fixtureServers.hello).href)})`)
  const { clock, bridge: supervisor } = await supervised(nodeServer('gone', program))
  await rm(folder, { recursive: true })
  kill(supervisor.status()[0])
  await expect.poll(() => supervisor.status()[0]?.state).toBe('down')
  clock.advance(0)
  await expect.poll(() => supervisor.status()[0]?.retryAt?.getTime()).toBe(clock.now() + 500)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(supervisor.call('gone__hello')).rejects.toMatchObject({
      kind: 'closed',
      message: expect.stringMatching(/^server "gone" is down: .*; it is started again in 1 s$/s),
      data: { effect: 'none', retryAt: new Date(clock.now() + 500).toISOString() },
    })
  }
  expect(supervisor.status()[0]).toMatchObject({ state: 'down', toolCount: 2, restarts: 0 })
})

test('a server that keeps dying is tried ever more rarely, then not by itself, and anew once it was healthy', () => {
  const clock = new ManualClock()
  let starts = 0
  const restarts = new Restarts({
    policy: { ...defaultRestarts, maxRestarts: 4, maxDelayMs: 1_500 },
    clock,
    random: () => 1,
    restart: () => (starts += 1),
  })
  const waits: number[] = []
  for (let death = 0; death < 4; death += 1) {
    restarts.ready()
    const { at, isAutomatic } = restarts.ended()
    expect(isAutomatic).toBe(true)
    waits.push(at - clock.now())
    clock.advance(at - clock.now())
  }
  expect(waits).toEqual([0, 500, 1_000, 1_500])
  expect(starts).toBe(4)
  restarts.ready()
  expect(restarts.ended()).toEqual({ at: clock.now() + 1_500, isAutomatic: false })
  clock.advance(10_000)
  expect(starts).toBe(4)
  restarts.ready()
  clock.advance(defaultRestarts.healthyAfterMs)
  expect(restarts.ended()).toEqual({ at: clock.now(), isAutomatic: true })
})

test('waits are spread over half their length', () => {
  const clock = new ManualClock()
  const waits = [0, 0.5, 1].map((random) => {
    const restarts = new Restarts({ policy: defaultRestarts, clock, random: () => random, restart: () => {} })
    restarts.ended()
    return restarts.ended().at - clock.now()
  })
  expect(waits).toEqual([250, 375, 500])
})

test('closing while a server is down starts nothing any more', async () => {
  const { clock, bridge: supervisor, states } = await supervised(good)
  kill(supervisor.status()[0])
  await expect.poll(() => supervisor.status()[0]?.state).toBe('down')
  await supervisor.close()
  clock.advance(60_000)
  expect(states().at(-1)).toBe('stopped')
  expect(supervisor.processes()).toEqual([])
})
