import { settlesWithin } from './settles-within.ts'
import type { ServerProcess } from './server-process.ts'

export interface StopTimes {
  /** From the end of its input to SIGTERM. */
  readonly graceMs: number
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number
}

export type StopSignal = 'SIGTERM' | 'SIGKILL'

/** The processes of one server, as far as the platform lets them be found. */
export interface ProcessTree {
  /** Called once, before the end begins. */
  prepare(): Promise<void>
  /** Those that live and can be signalled. */
  living(): Promise<readonly number[]>
  signal(signal: StopSignal): Promise<void>
  /** Those that were seen to leave the tree's reach and still live. */
  strays(): readonly number[]
}

/** What has to be known of a server to end it. */
export type Stoppable = Pick<ServerProcess, 'tree' | 'whenExited'> & {
  readonly child: { readonly stdin: { end(): unknown } }
}

/** The kernel needs a moment to take a killed process away; one that stays longer is stuck in the kernel. */
const KILL_MS = 2_000

/** A process may have been started between the look at the tree and the signal. */
const REPEAT_KILL_MS = 100

/**
 * Ends a server and every process of its tree: end of input, then SIGTERM, then SIGKILL. Resolves when all are gone,
 * with the ids of those that are not.
 */
export async function stopTree(server: Stoppable, times: StopTimes): Promise<readonly number[]> {
  const { tree } = server
  await tree.prepare()
  server.child.stdin.end()
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

/** Signals a process, or with a negative id a group; whether there is one. */
export function sendSignal(target: number, signal: StopSignal | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    // Without permission to signal it, a process is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
