import { settlesWithin } from './settles-within.ts'
import type { ServerProcess } from './server-process.ts'

/** Times to wait before a server is forced to stop. */
export interface StopTimes {
  /** Whether its input is closed first. */
  readonly closeStdin: boolean
  /** Time until SIGTERM. */
  readonly graceMs: number
  /** Time from SIGTERM to SIGKILL. */
  readonly termMs: number
}

export type StopSignal = 'SIGTERM' | 'SIGKILL'

/** The processes of one server, as far as the platform can find them. */
export interface ProcessTree {
  /** Called once, before the stop. */
  prepare(): Promise<void>
  /** Ids of the running processes. */
  living(): Promise<readonly number[]>
  signal(signal: StopSignal): Promise<void>
  /** Ids of running processes that `signal` does not reach. */
  strays(): readonly number[]
}

/** The part of a server process that `stopTree` uses. */
export type Stoppable = Pick<ServerProcess, 'tree' | 'whenExited'> & {
  readonly child: { readonly stdin: { end(): unknown } }
}

/** Time for the kernel to remove killed processes; one that stays longer is stuck in the kernel. */
const KILL_MS = 2_000

/** SIGKILL is repeated: a process may have been started after the tree was read. */
const REPEAT_KILL_MS = 100

/**
 * Stops a server and all processes of its tree: closes its input, then sends SIGTERM, then SIGKILL. Resolves with the
 * ids of processes that are still running.
 */
export async function stopTree(server: Stoppable, times: StopTimes): Promise<readonly number[]> {
  const { tree } = server
  await tree.prepare()
  if (times.closeStdin) server.child.stdin.end()
  const ending = { tree, exited: server.whenExited() }
  if (await isGoneWithin(ending, times.graceMs)) return tree.strays()
  await tree.signal('SIGTERM')
  if (await isGoneWithin(ending, times.termMs)) return tree.strays()
  if (await isKilled(ending)) return tree.strays()
  return [...(await tree.living()), ...tree.strays()]
}

interface Ending {
  readonly tree: ProcessTree
  readonly exited: Promise<void>
}

async function isKilled(ending: Ending): Promise<boolean> {
  for (const deadline = performance.now() + KILL_MS; performance.now() < deadline; ) {
    await ending.tree.signal('SIGKILL')
    if (await isGoneWithin(ending, REPEAT_KILL_MS)) return true
  }
  return false
}

async function isGoneWithin({ tree, exited }: Ending, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  if (!(await settlesWithin(exited, milliseconds))) return false
  for (let pauseMs = 5; (await tree.living()).length > 0; pauseMs = Math.min(pauseMs * 2, 100)) {
    if (performance.now() >= deadline) return false
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return true
}

/** Signals a process, or a group for a negative id. Returns whether it exists. */
export function sendSignal(target: number, signal: StopSignal | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    // Without the permission to signal it, the process still exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
