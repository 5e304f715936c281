import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Bridge, type BridgeEvent, openBridge, type ServerSpec, toText } from '@toolbridge/bridge'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '../servers/manual-clock.ts'
import { fixture, isRunning, nodeServer, permissive } from '../servers/specs.ts'

const good = fixture('hello', 'good')

let toClose: Bridge | undefined
afterEach(() => toClose?.close())

/** A bridge whose clock only the test moves, so that no restart comes early. */
async function openWithManualClock(...servers: readonly ServerSpec[]) {
  const clock = new ManualClock()
  const events: BridgeEvent[] = []
  const bridge = await openBridge({
    ...permissive(servers),
    clock,
    random: () => 1,
    journal: (event) => events.push(event),
  })
  toClose = bridge
  const states = (): readonly string[] =>
    events.flatMap((event) => (event.type === 'server.state' ? [event.state] : []))
  return { clock, bridge, states }
}

function kill({ pid }: { readonly pid?: number } = {}): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

test('a server that was killed is started again by itself, and its tools stay listed meanwhile [C8]', async () => {
  const { clock, bridge, states } = await openWithManualClock(good)
  const [before] = bridge.status()
  kill(before)
  await expect.poll(() => bridge.status()[0]?.state).toBe('down')
  expect(bridge.status()[0]).toMatchObject({ toolCount: 2, retryAt: new Date(clock.now()) })
  expect(bridge.tool('good__hello')).toBeDefined()
  clock.advance(0)
  await expect.poll(() => bridge.status()[0]?.state).toBe('ready')
  expect(bridge.status()[0]).toMatchObject({ restarts: 1 })
  expect(states()).toEqual(['starting', 'ready', 'down', 'starting', 'ready'])
  expect(isRunning(before?.pid)).toBe(false)
})

test('calls that come while a killed server is due start it, once for all of them', async () => {
  const { bridge, states } = await openWithManualClock(good)
  kill(bridge.status()[0])
  await expect.poll(() => bridge.status()[0]?.state).toBe('down')
  const answers = await Promise.all([bridge.call('good__hello'), bridge.call('good__repeat', { text: 'x' })])
  expect(answers.map(toText)).toEqual(['Hello, world!', 'x x'])
  expect(states()).toEqual(['starting', 'ready', 'down', 'starting', 'ready'])
})

test('a server that cannot be started again says with every call that it is down and when it is tried again [C8]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbridge-'))
  const program = join(folder, 'server.mjs')
  await writeFile(program, `await import(${JSON.stringify(pathToFileURL(fixtureServers.hello).href)})`)
  const { clock, bridge } = await openWithManualClock(nodeServer('gone', program))
  await rm(folder, { recursive: true })
  kill(bridge.status()[0])
  await expect.poll(() => bridge.status()[0]?.state).toBe('down')
  clock.advance(0)
  await expect.poll(() => bridge.status()[0]?.retryAt?.getTime()).toBe(clock.now() + 500)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(bridge.call('gone__hello')).rejects.toMatchObject({
      kind: 'closed',
      message: expect.stringMatching(/^server "gone" is down: .*; it is started again in 1 s$/s),
      data: { effect: 'none', retryAt: new Date(clock.now() + 500).toISOString() },
    })
  }
  expect(bridge.status()[0]).toMatchObject({ state: 'down', toolCount: 2, restarts: 0 })
})

test('closing while a server is down starts nothing any more', async () => {
  const { clock, bridge, states } = await openWithManualClock(good)
  kill(bridge.status()[0])
  await expect.poll(() => bridge.status()[0]?.state).toBe('down')
  await bridge.close()
  clock.advance(60_000)
  expect(states().at(-1)).toBe('stopped')
  expect(bridge.processes()).toEqual([])
})
