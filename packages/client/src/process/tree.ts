import { nodeBuiltin } from '../node-builtins.ts'
import { settlesWithin } from './settles-within.ts'
import type { ServerProcess } from './spawn.ts'

export interface StopTimes {
  /** From the end of its input to SIGTERM. */
  readonly graceMs: number
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number
}

/** The kernel needs a moment to take a killed process away; one that stays longer is stuck in the kernel. */
const KILL_MS = 2_000

/**
 * Ends a server and every process of its group: end of input, then SIGTERM, then SIGKILL. Resolves when all are gone,
 * with the ids of those that even SIGKILL did not end.
 */
export async function stopTree(server: ServerProcess, times: StopTimes): Promise<readonly number[]> {
  server.stdin.end()
  if (await isGoneWithin(server, times.graceMs)) return []
  sendSignal(server.pid, 'SIGTERM')
  if (await isGoneWithin(server, times.termMs)) return []
  sendSignal(server.pid, 'SIGKILL')
  return (await isGoneWithin(server, KILL_MS)) ? [] : livingMembers(server.pid)
}

async function isGoneWithin(server: ServerProcess, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  if (!(await settlesWithin(server.exited, milliseconds))) return false
  for (let pauseMs = 5; (await livingMembers(server.pid)).length > 0; pauseMs = Math.min(pauseMs * 2, 100)) {
    if (performance.now() >= deadline) return false
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return true
}

/** On POSIX to the whole group; Windows has no groups, there the process itself is ended. */
function sendSignal(leader: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(process.platform === 'win32' ? leader : -leader, signal)
  } catch (error) {
    // Without permission to signal it, a process is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function livingMembers(leader: number): Promise<readonly number[]> {
  if (!sendSignal(leader, 0)) return []
  return process.platform === 'linux' ? livingMembersOnLinux(leader) : [leader]
}

/**
 * A process whose parent died is taken away by the first process of the system, which in a container may take its time.
 * Until then it can be signalled, though it is dead: only its state tells.
 */
async function livingMembersOnLinux(leader: number): Promise<readonly number[]> {
  const fs = nodeBuiltin('node:fs').promises
  const names = await fs.readdir('/proc').catch(() => undefined)
  if (names === undefined) return [leader]
  const pids = names.filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.flatMap((stat) => {
    // pid (name) state parent group …; the name may hold blanks and parentheses.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isAlive = Number(group) === leader && state !== 'Z' && state !== 'X'
    return isAlive ? [Number.parseInt(stat, 10)] : []
  })
}
