import { pause } from '../timers.ts'
import type { StreamCursor } from './event-stream.ts'

/** How an attempt to read a stream went. `refused`: the server does not offer it, and asking again is pointless. */
export type StreamOutcome = 'ended' | 'failed' | 'refused'

export interface FollowOptions {
  readonly cursor: StreamCursor
  readonly attempt: () => Promise<StreamOutcome>
  readonly isWanted: () => boolean
  /** Failures in a row after which the stream is given up. */
  readonly maxFailures: number
  readonly signal: AbortSignal
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Reads a stream again and again as long as it is wanted. Servers may drop it at will and say when to come back. */
export async function followStream(options: FollowOptions): Promise<void> {
  const { cursor, attempt, isWanted, maxFailures, signal } = options
  let failures = 0
  while (!signal.aborted && isWanted()) {
    const outcome = await attempt()
    failures = outcome === 'failed' ? failures + 1 : 0
    if (outcome === 'refused' || failures > maxFailures || !isWanted()) return
    await pause(pauseBefore(cursor, failures), signal)
  }
}

/** The server's own wish counts; without one the pause grows with each failure. */
export function pauseBefore({ retryMs }: StreamCursor, failures: number): number {
  return retryMs ?? Math.min(FIRST_BACKOFF_MS * 1.5 ** Math.max(failures - 1, 0), MAX_BACKOFF_MS)
}
