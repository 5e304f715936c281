import type { HttpResponseHead } from '../../http/http-sender.ts'

/** The longest wait that is accepted. */
const MAX_RETRY_AFTER_MS = 30_000

/** The wait that a busy server requests; undefined if it requests none, or too long a one. */
export function retryAfterMs(head: HttpResponseHead, now: number): number | undefined {
  if (head.status !== 429 && head.status !== 503) return undefined
  const milliseconds = waitOf(head.header('retry-after') ?? '', now)
  return milliseconds <= MAX_RETRY_AFTER_MS ? milliseconds : undefined
}

/** Seconds or an HTTP date; NaN for anything else. */
function waitOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  return value.endsWith(' GMT') ? Math.max(Date.parse(value) - now, 0) : Number.NaN
}
