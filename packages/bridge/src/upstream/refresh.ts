const delayMs = 100
const maxDelayMs = 10_000
/** Requests within this time count as consecutive. */
const calmMs = 1_000
/** This many consecutive requests are not delayed. */
const usualInARow = 5

/**
 * Debounces work: runs soon after a request, one run at a time. Requests that follow each run immediately, as by a server
 * that reports a change on every read, are delayed more and more.
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
    // Requests during the work are consecutive.
    this.#doneAt = Number.POSITIVE_INFINITY
    await this.#work()
    this.#doneAt = performance.now()
  }
}
