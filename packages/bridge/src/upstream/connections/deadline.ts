import { setMaxListeners } from 'node:events'
import { McpError, McpErrorCode } from '@toolbridge/client'

/** A timeout as a signal. Stopped by its creator. */
export interface Deadline {
  /** Aborted with a timeout error, or when `within` is. */
  readonly signal: AbortSignal
  /** The timeout as it was set. */
  readonly timeoutMs: number
  /** Pauses the timeout until the returned function is called. */
  pause(): () => void
  stop(): void
}

/** Starts a timeout that is also aborted from outside. */
export function startDeadline(message: string, timeoutMs: number, within: AbortSignal): Deadline {
  // Many servers may start at once; Node warns about more than ten listeners.
  setMaxListeners(0, within)
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(within.reason)
  const timer = new PausableTimer(timeoutMs, () => controller.abort(timeoutError(message)))
  if (within.aborted) giveUp()
  within.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    timeoutMs,
    pause: () => timer.pause(),
    stop: () => {
      timer.stop()
      within.removeEventListener('abort', giveUp)
    },
  }
}

/** Pauses nest: the timeout runs again when all have ended. */
class PausableTimer {
  readonly #work: () => void
  #leftMs: number
  #startedAt = 0
  #pauses = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(delayMs: number, work: () => void) {
    this.#work = work
    this.#leftMs = delayMs
    this.#start()
  }

  pause(): () => void {
    this.#pauses += 1
    if (this.#pauses === 1) this.#leftMs -= performance.now() - this.#startedAt
    clearTimeout(this.#timer)
    return () => {
      this.#pauses -= 1
      if (this.#pauses === 0) this.#start()
    }
  }

  /** Stops the timeout permanently. */
  stop(): void {
    this.#pauses = Infinity
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#work, this.#leftMs)
  }
}

function timeoutError(message: string): McpError {
  return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
}
