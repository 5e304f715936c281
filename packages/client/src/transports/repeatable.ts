import type { RequestOptions } from '../transport.ts'
import type { ResponseHead } from './carrier.ts'

/** Requests that change nothing, or nothing more when they are made twice. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tools/list',
])

/** Whether a request may be sent again when nobody knows what became of it. */
export function mayRepeat(method: string, options: RequestOptions | undefined): boolean {
  return options?.idempotent ?? REPEATABLE.has(method)
}

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
