import { setMaxListeners } from 'node:events'
import { McpError, McpErrorCode } from '@toolbridge/client'

/** A time limit as a signal. Whoever starts it stops it. */
export interface Deadline {
  /** Aborted with a timeout error when the time is up, or as `within` is. */
  readonly signal: AbortSignal
  stop(): void
}

/** Starts the time limit of something that may also be given up from outside. */
export function startDeadline(message: string, timeoutMs: number, within: AbortSignal): Deadline {
  // Any number of things may start at the same time; Node takes more than ten listeners for a leak.
  setMaxListeners(0, within)
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(within.reason)
  const timer = setTimeout(() => controller.abort(timeoutError(message)), timeoutMs)
  if (within.aborted) giveUp()
  within.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer)
      within.removeEventListener('abort', giveUp)
    },
  }
}

function timeoutError(message: string): McpError {
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
