const delayMs = 100

/** Does something again soon after it was asked for, however often it was asked for; one at a time. */
export class Refresh {
  readonly #work: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()
  #isStopped = false

  /** `work` must not reject. */
  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  soon(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#last = this.#last.then(this.#work)
    }, delayMs)
    this.#timer.unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
