import { settlesWithin } from './settles-within.ts'
import type { ServerProcess } from './spawn.ts'

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

/** The kernel needs a moment to take a killed process away; one that stays longer is stuck in the kernel. */
const KILL_MS = 2_000

/** A process may have been started between the look at the tree and the signal. */
const REPEAT_KILL_MS = 100

/**
 * Ends a server and every process of its tree: end of input, then SIGTERM, then SIGKILL. Resolves when all are gone,
 * with the ids of those that are not.
 */
export async function stopTree(server: ServerProcess, times: StopTimes): Promise<readonly number[]> {
  const { tree } = server
  await tree.prepare()
  server.stdin.end()
  if (await isGoneWithin(server, times.graceMs)) return tree.strays()
  await tree.signal('SIGTERM')
  if (await isGoneWithin(server, times.termMs)) return tree.strays()
  if (await isKilled(server)) return tree.strays()
  return [...(await tree.living()), ...tree.strays()]
}

async function isKilled(server: ServerProcess): Promise<boolean> {
  for (const deadline = performance.now() + KILL_MS; performance.now() < deadline; ) {
    await server.tree.signal('SIGKILL')
    if (await isGoneWithin(server, REPEAT_KILL_MS)) return true
  }
  return false
}

async function isGoneWithin(server: ServerProcess, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  if (!(await settlesWithin(server.exited, milliseconds))) return false
  for (let pauseMs = 5; (await server.tree.living()).length > 0; pauseMs = Math.min(pauseMs * 2, 100)) {
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
