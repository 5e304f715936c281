import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test, vi } from 'vitest'
import { listProcesses, descendantsOutsideGroup, posixTree } from '../../src/process/posix-tree.ts'
import { SharedReading } from '../../src/process/shared-reading.ts'
import { type ProcessTree, type Stoppable, stopTree } from '../../src/process/process-tree.ts'
import { windowsTree } from '../../src/process/windows-tree.ts'
import { isRunning } from '../processes.ts'

test('what left the group is told where it cannot be ended for certain', async () => {
  const server = spawn(process.execPath, [fixtureServers.hostile, '--setsid'], { detached: true })
  const leader = server.pid ?? 0
  const exited = once(server, 'exit')
  const tree = posixTree(leader)
  await expect.poll(async () => descendantsOutsideGroup(await listProcesses(), leader).length).toBe(2)
  await tree.prepare()
  expect(await tree.living()).toEqual([leader])
  await tree.signal('SIGKILL')
  await exited
  expect(await tree.living()).toEqual([])
  const strays = tree.strays()
  expect(strays).toHaveLength(2)
  for (const pid of strays) process.kill(pid, 'SIGKILL')
  await expect.poll(() => strays.filter(isRunning)).toEqual([])
})

test('descendants are found in any order, and those of others are not', () => {
  const processes = [
    [7, 6, 6],
    [2, 1, 2],
    [6, 3, 6],
    [3, 2, 2],
    [4, 2, 2],
    [8, 9, 9],
  ] as const
  expect(descendantsOutsideGroup(processes, 2)).toEqual([7, 6])
})

test('on Windows the tree is ended by force, and an end that was reached already is no failure [C33]', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  const { pid = 0 } = child
  const run = vi.fn(async () => undefined)
  const tree = windowsTree(child, 0, run)
  expect(await tree.living()).toEqual([pid])
  await tree.signal('SIGTERM')
  expect(run.mock.calls).toEqual([['taskkill.exe', ['/pid', String(pid), '/T', '/F']]])
  await once(child, 'exit')
  expect(await tree.living()).toEqual([])
  // There is no such program here, which is as good as one that fails.
  await windowsTree(child, 0).signal('SIGKILL')
})

// Nothing that a test can start survives SIGKILL: the tree has to be made up.
test('the end is bounded, and names the processes that even SIGKILL did not end', async () => {
  const signals: string[] = []
  const stuck: ProcessTree = {
    prepare: async () => undefined,
    living: async () => [11, 12],
    signal: async (signal) => void signals.push(signal),
    strays: () => [13],
  }
  const survivors = await stopTree(exitedServer(stuck), { closeStdin: true, graceMs: 20, termMs: 20 })
  expect(survivors).toEqual([11, 12, 13])
  expect(signals[0]).toBe('SIGTERM')
  expect(new Set(signals.slice(1))).toEqual(new Set(['SIGKILL']))
})

test('those who ask during a reading share the next one', async () => {
  let readings = 0
  const finish: (() => void)[] = []
  const shared = new SharedReading(() => {
    const number = ++readings
    return new Promise<number>((resolve) => finish.push(() => resolve(number)))
  })
  const [first, second, third] = [shared.get(), shared.get(), shared.get()]
  finish.shift()?.()
  expect(await first).toBe(1)
  await expect.poll(() => finish).toHaveLength(1)
  const fourth = shared.get()
  finish.shift()?.()
  expect(await Promise.all([second, third])).toEqual([2, 2])
  await expect.poll(() => finish).toHaveLength(1)
  finish.shift()?.()
  expect(await fourth).toBe(3)
})

function exitedServer(tree: ProcessTree): Stoppable {
  return { tree, child: { stdin: { end: () => undefined } }, whenExited: async () => undefined }
}
