import type { delayUnref } from '../../timing/delay.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'

/**
 * How an attempt to read a stream went. `failed`: another attempt may succeed. `refused`: the server does not offer it,
 * and asking again is pointless. The status is 0 if there was no response.
 */
export type StreamResult =
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed' | 'refused'; readonly status: number; readonly reason: unknown }

export interface FollowOptions {
  readonly cursor: StreamCursor
  /** How the time between two attempts passes: whether the process stays for it. */
  readonly wait: typeof delayUnref
  readonly attempt: () => Promise<StreamResult>
  readonly isWanted: () => boolean
  /** Failures in a row after which the stream is given up. */
  readonly maxFailures: number
  readonly signal: AbortSignal
  /** Told of the first failure after the stream worked, or did not yet. */
  readonly onFailure?: (reason: unknown) => void
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** The longest that a timer can wait. */
const MAX_PAUSE_MS = 2 ** 31 - 1

/**
 * Reads a stream again and again as long as it is wanted. Servers may drop it at will and say when to come back.
 * Resolves with how the last attempt went.
 */
export async function followStream(options: FollowOptions): Promise<StreamResult> {
  const { cursor, wait: rest, attempt, isWanted, maxFailures, signal, onFailure } = options
  let failures = 0
  let outcome: StreamResult = { kind: 'ended' }
  while (!signal.aborted && isWanted()) {
    outcome = await attempt()
    failures = outcome.kind === 'failed' ? failures + 1 : 0
    if (outcome.kind === 'refused' || failures > maxFailures || signal.aborted || !isWanted()) return outcome
    if (outcome.kind === 'failed' && failures === 1) onFailure?.(outcome.reason)
    await rest(retryDelayMs(cursor, failures), signal)
  }
  return outcome
}

/** The server's own wish counts; without one the pause grows with each failure. */
export function retryDelayMs({ retryMs }: StreamCursor, failures: number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 1.5 ** Math.max(failures - 1, 0), MAX_BACKOFF_MS)
  return Math.min(retryMs ?? backoffMs, MAX_PAUSE_MS)
}
