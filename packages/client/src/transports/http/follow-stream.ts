import type { delayUnref } from '../../timing/delay.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'

/**
 * How one attempt to read a stream ended. `failed`: another attempt may succeed. `refused`: the server does not have the
 * stream. The status is 0 if there was no response. `stalled`: too many attempts ended without a new event.
 */
export type StreamResult =
  | { readonly kind: 'ended' | 'stalled' }
  | { readonly kind: 'failed' | 'refused'; readonly status: number; readonly reason: unknown }

export interface FollowOptions {
  readonly cursor: StreamCursor
  /** Waits between two attempts; decides whether that keeps the process alive. */
  readonly wait: typeof delayUnref
  readonly attempt: () => Promise<StreamResult>
  readonly isWanted: () => boolean
  /** Consecutive failures after which the stream is abandoned. */
  readonly maxFailures: number
  /** Consecutive attempts without a new event id after which the stream is abandoned as `stalled`. Default: no limit. */
  readonly maxStalls?: number
  readonly signal: AbortSignal
  /** Called with the first of consecutive failures. */
  readonly onFailure?: (reason: unknown) => void
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** A stream that ends sooner was quick. A server may want frequent polls, but not an endless loop without a pause. */
const QUICK_MS = 1_000
const FIRST_QUICK_PAUSE_MS = 10
const MAX_QUICK_PAUSE_MS = 1_000

/** The maximum of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Reads a stream repeatedly while `isWanted`. A server may end it at any time and say when to reconnect. Resolves with
 * the result of the last attempt.
 */
export async function followStream(options: FollowOptions): Promise<StreamResult> {
  const {
    cursor,
    wait: rest,
    attempt,
    isWanted,
    maxFailures,
    maxStalls = Infinity,
    signal,
    onFailure,
  } = options
  let failures = 0
  let stalls = 0
  let quickEnds = 0
  let result: StreamResult = { kind: 'ended' }
  while (!signal.aborted && isWanted()) {
    const startedAt = performance.now()
    const { lastEventId } = cursor
    result = await attempt()
    stalls = cursor.lastEventId === lastEventId ? stalls + 1 : 0
    quickEnds = performance.now() - startedAt < QUICK_MS ? quickEnds + 1 : 0
    failures = result.kind === 'failed' ? failures + 1 : 0
    if (result.kind === 'refused' || failures > maxFailures || signal.aborted || !isWanted()) return result
    if (stalls >= maxStalls) return { kind: 'stalled' }
    if (result.kind === 'failed' && failures === 1) onFailure?.(result.reason)
    await rest(Math.max(retryDelayMs(cursor, failures), leastPauseMs(quickEnds)), signal)
  }
  return result
}

/** The delay that the server requested; otherwise one that grows with each failure. */
export function retryDelayMs({ retryMs }: StreamCursor, failures: number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 1.5 ** Math.max(failures - 1, 0), MAX_BACKOFF_MS)
  return Math.min(retryMs ?? backoffMs, MAX_DELAY_MS)
}

/** The least pause after that many consecutive streams that ended quickly. */
function leastPauseMs(quickEnds: number): number {
  return quickEnds === 0 ? 0 : Math.min(FIRST_QUICK_PAUSE_MS * 2 ** (quickEnds - 1), MAX_QUICK_PAUSE_MS)
}
