import { setMaxListeners } from 'node:events'
import { McpError, McpErrorCode } from '@toolbridge/client'

/** A time limit as a signal. Whoever starts it stops it. */
export interface Deadline {
  /** Aborted with a timeout error when the time is up, or as `within` is. */
  readonly signal: AbortSignal
  /** Lets no time pass until what it returns is called. */
  pause(): () => void
  stop(): void
}

/** Starts the time limit of something that may also be given up from outside. */
export function startDeadline(message: string, timeoutMs: number, within: AbortSignal): Deadline {
  // Any number of things may start at the same time; Node takes more than ten listeners for a leak.
  setMaxListeners(0, within)
  const controller = new AbortController()
  const giveUp = (): void => controller.abort(within.reason)
  const timer = new PausableTimer(timeoutMs, () => controller.abort(timeoutError(message)))
  if (within.aborted) giveUp()
  within.addEventListener('abort', giveUp, { once: true })
  return {
    signal: controller.signal,
    pause: () => timer.pause(),
    stop: () => {
      timer.stop()
      within.removeEventListener('abort', giveUp)
    },
  }
}

/** Several may pause it at once; it goes on when none does any more. */
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

  /** For good. */
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
