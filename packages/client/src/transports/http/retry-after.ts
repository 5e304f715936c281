import type { ResponseHead } from '../../http/http-sender.ts'

/** A server that wants to be left alone for longer is not waited for. */
const MAX_RETRY_AFTER_MS = 30_000

/** How long a server that is too busy for a request asks to wait; undefined if it is not, or asks for too much. */
export function retryAfterMs(head: ResponseHead, now: number): number | undefined {
  if (head.status !== 429 && head.status !== 503) return undefined
  const milliseconds = waitOf(head.header('retry-after') ?? '', now)
  return milliseconds <= MAX_RETRY_AFTER_MS ? milliseconds : undefined
}

/** Seconds or a date of HTTP; what is neither is no number. */
function waitOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  return value.endsWith(' GMT') ? Math.max(Date.parse(value) - now, 0) : Number.NaN
}
