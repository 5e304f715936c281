import { abortable } from '@toolbridge/client/internal'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { startDeadline } from '../upstream/connections/deadline.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { failureOf, launch, type Start } from './start.ts'

/** What a replacement needs of the fleet. */
export interface ReplacedFleet {
  readonly find: (name: string) => Upstream | undefined
  /** Closings of earlier servers of this name. */
  readonly closings: (name: string) => readonly Promise<void>[]
  /** Rejects if the definition must not be started. */
  readonly requireTrust: (spec: ServerSpec) => Promise<void>
  readonly startMsOf: (spec: ServerSpec) => number
  /** Closes a server. Never rejects. */
  readonly stop: (upstream: Upstream) => Promise<void>
  /** Whether the stopped server is to run again, since its replacement does not. */
  readonly isStillNeeded: (stopped: Upstream, start: Start) => boolean
  /** Starts a definition and lists the server in the position of the stopped one. */
  readonly startAgain: (stopped: Upstream) => Promise<void>
  /** Lists the new server, or refuses it if it failed and another one serves. */
  readonly conclude: (start: Start) => Promise<void>
}

/**
 * Stops the running server when its calls have ended, then starts the new one. If that fails or is cancelled, starts the
 * previous definition again.
 */
export async function stopAndStart(start: Start, fleet: ReplacedFleet): Promise<void> {
  const old = fleet.find(start.name)
  if (!start.isCancelled && old?.isServing === true && start.upstream.isStopFirst)
    await stopOld(old, start, fleet)
  if (!start.isCancelled && start.error === undefined) await startNew(start, old)
  if (start.isCancelled) await fleet.stop(start.upstream)
  const isRunning = !start.isCancelled && start.error === undefined
  if (!isRunning && old?.isClosed === true && fleet.isStillNeeded(old, start)) await fleet.startAgain(old)
  if (!start.isCancelled) await fleet.conclude(start)
}

/** Nothing is stopped for a definition that is not trusted. */
async function stopOld(old: Upstream, start: Start, fleet: ReplacedFleet): Promise<void> {
  const refusal = fleet.requireTrust(start.upstream.spec)
  start.error = await refusal.then(
    () => drain(old, start, fleet),
    (error: unknown) => error,
  )
  if (!start.isCancelled && start.error === undefined) await fleet.stop(old)
}

async function startNew(start: Start, old: Upstream | undefined): Promise<void> {
  await launch(start.upstream, old)
  start.error = failureOf(start.upstream)
}

/** Resolves when all calls have ended, with an error if that takes longer than a start may. */
async function drain(old: Upstream, { name, cancelled }: Start, fleet: ReplacedFleet): Promise<unknown> {
  const limitMs = fleet.startMsOf(old.spec)
  const message = `calls in flight on server "${name}" did not end within ${limitMs} ms (timeouts.startMs)`
  const deadline = startDeadline(message, limitMs, cancelled.signal)
  try {
    await abortable(Promise.all([old.drained(), ...fleet.closings(name)]), deadline.signal)
    return undefined
  } catch (error) {
    return error
  } finally {
    deadline.stop()
  }
}
