import { McpError, McpErrorCode } from '@toolbridge/client'
import { abortable } from '@toolbridge/client/internal'
import type { Clock } from '../../async/clock.ts'
import { type Origin, originKey } from '../../origin.ts'
import { FairQueue } from './fair-queue.ts'

/** A call that may have to wait. */
interface LimitedCall {
  readonly origin: Origin
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  failed(error: unknown): void
}

export interface CallLimitOptions<Call> {
  readonly server: () => string
  /** Calls in flight at once; `Infinity` for no limit. */
  readonly max: number
  readonly clock: Clock
  /** Sends a call that had to wait. */
  readonly send: (call: Call) => void
}

/**
 * Bounds the calls in flight of one server. Calls beyond the limit wait, at most for their own timeout: origins are served
 * in turn, each in order of its calls. A call that is cancelled while it waits is not sent.
 */
export class CallLimit<Call extends LimitedCall> {
  readonly #options: CallLimitOptions<Call>
  readonly #waiting = new FairQueue<Call, void>()
  #running = 0

  constructor(options: CallLimitOptions<Call>) {
    this.#options = options
  }

  /** Returns whether the call may be sent now. Otherwise it is sent, or fails, later. */
  admits(call: Call): boolean {
    if (this.#running < this.#options.max && this.#waiting.isEmpty) {
      this.#running++
      return true
    }
    void this.#sendLater(call)
    return false
  }

  /** To be called once for each call that was sent, when it has ended. */
  ended(): void {
    this.#running--
    while (this.#running < this.#options.max && !this.#waiting.isEmpty) {
      const next = this.#waiting.next(() => true)
      if (next === undefined) return
      this.#running++
      next.resolve()
    }
  }

  async #sendLater(call: Call): Promise<void> {
    const { clock, send } = this.#options
    const queued = this.#waiting.add(originKey(call.origin), call)
    const stopWaiting = clock.after(call.timeoutMs, () => queued.reject(this.#timeoutError(call)))
    try {
      await abortable(queued.promise, call.signal)
    } catch (error) {
      // It may have been its turn at the same moment.
      if (!this.#waiting.delete(queued)) this.ended()
      return call.failed(error)
    } finally {
      stopWaiting()
    }
    send(call)
  }

  #timeoutError({ timeoutMs }: Call): McpError {
    const { server, max } = this.#options
    const limit = `server "${server()}" is at its limit of concurrent calls (maxConcurrency: ${max})`
    const message = `${limit}, and the call was not sent within ${timeoutMs} ms`
    return new McpError(message, { kind: 'timeout', code: McpErrorCode.RequestTimeout })
  }
}
