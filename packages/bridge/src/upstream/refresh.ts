const delayMs = 100
const maxDelayMs = 10_000
/** Asked for again within this time, it was asked for in a row. */
const calmMs = 1_000
/** So many in a row are nothing to worry about. */
const usualInARow = 5

/**
 * Does something again soon after it was asked for, however often it was asked for; one at a time. Where it is asked for
 * again each time it was done, as by a server that takes being read for a change, it is done less and less often.
 */
export class Refresh {
  readonly #work: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()
  #doneAt = Number.NEGATIVE_INFINITY
  #inARow = 0
  #isStopped = false

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  soon(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    const isInARow = performance.now() - this.#doneAt < Math.max(calmMs, this.#delayMs)
    this.#inARow = isInARow ? this.#inARow + 1 : 0
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#last = this.#last.then(() => this.#run())
    }, this.#delayMs)
    this.#timer.unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  get #delayMs(): number {
    return Math.min(delayMs * 2 ** Math.max(0, this.#inARow - usualInARow), maxDelayMs)
  }

  async #run(): Promise<void> {
    // Whoever asks while it is being done asks in a row.
    this.#doneAt = Number.POSITIVE_INFINITY
    await this.#work()
    this.#doneAt = performance.now()
  }
}
