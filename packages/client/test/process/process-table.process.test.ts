import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { hasProcessTable, ProcessTable } from '../../src/process/process-table.ts'

const [earlier, first, later] = [startIdle(), startIdle(), startIdle()]

afterEach(() => {
  vi.useRealTimers()
})

afterAll(async () => {
  const processes = [earlier, first, later]
  const exits = processes.map((each) => once(each, 'exit'))
  for (const each of processes) each.kill('SIGKILL')
  await Promise.all(exits)
})

// Only Linux has the table.
describe.runIf(hasProcessTable())('the process table', () => {
  test('soon after the first server, only it and younger processes are read', async () => {
    const table = new ProcessTable('younger')
    expect(await found(table)).toEqual([earlier, first, later])
    table.started(first.pid ?? 0)
    table.started(later.pid ?? 0)
    expect(await found(table)).toEqual([first, later])
  })

  test('all are read when ids have begun again at small ones', async () => {
    const table = new ProcessTable('younger')
    // Larger than any id that Linux gives to a process.
    table.started(5_000_000)
    expect(await found(table)).toEqual([earlier, first, later])
  })

  test('all are read when ids may have been used up since', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const table = new ProcessTable('younger')
    table.started(first.pid ?? 0)
    vi.advanceTimersByTime(10_000)
    expect(await found(table)).toEqual([earlier, first, later])
  })
})

function startIdle(): ChildProcess {
  return spawn('sleep', ['600'], { stdio: 'ignore' })
}

/** Those of the three processes that are in the table. */
async function found(table: ProcessTable): Promise<readonly ChildProcess[]> {
  const ids = new Set((await table.read()).map(({ pid }) => pid))
  return [earlier, first, later].filter(({ pid = 0 }) => ids.has(pid))
}
