import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test, vi } from 'vitest'
import { Watchdog } from '../../src/process/watchdog.ts'
import { isRunning } from '../processes.ts'

const sleepers: ChildProcess[] = []

afterEach(() => {
  for (const sleeper of sleepers.splice(0)) sleeper.kill('SIGKILL')
})

test('one watchdog serves all groups and ends with the last of them, which it leaves alone', async () => {
  const watchdog = new Watchdog('no-such-tag')
  const [first, second] = [await sleepingGroup(), await sleepingGroup()]
  watchdog.add(first, failed)
  const pid = watchdog.pid ?? 0
  watchdog.add(second, failed)
  expect(watchdog.pid).toBe(pid)
  watchdog.remove(first)
  expect(isRunning(pid)).toBe(true)
  watchdog.remove(second)
  watchdog.remove(second)
  await expect.poll(() => isRunning(pid)).toBe(false)
  expect([first, second].map(isRunning)).toEqual([true, true])
})

test('a watchdog that was killed is told of, and the next server brings one that knows all groups', async () => {
  const watchdog = new Watchdog('no-such-tag')
  const [first, second] = [await sleepingGroup(), await sleepingGroup()]
  const unguarded = vi.fn()
  watchdog.add(first, unguarded)
  process.kill(watchdog.pid ?? 0, 'SIGKILL')
  await expect.poll(() => unguarded.mock.calls).toEqual([['the watchdog ended']])
  watchdog.add(second, failed)
  expect(watchdog.pid).toBeGreaterThan(0)
  watchdog.remove(second)
  expect(watchdog.pid).toBeGreaterThan(0)
  watchdog.remove(first)
  expect(watchdog.pid).toBeUndefined()
})

test('a host that leaves its servers open and exits is not held up, and they end', async () => {
  const program = fileURLToPath(new URL('../programs/leave-open.mjs', import.meta.url))
  const args = [program, fixtureServers.hostile, '--ignore-stop']
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 })
  const { pid } = JSON.parse(stdout)
  await expect.poll(() => isRunning(pid)).toBe(false)
})

/** The id of a group that lives until the end of the test. */
async function sleepingGroup(): Promise<number> {
  const sleeper = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  sleepers.push(sleeper)
  await once(sleeper, 'spawn')
  return sleeper.pid ?? 0
}

function failed(reason: string): void {
  throw new Error(reason)
}
