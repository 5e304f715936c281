/**
 * Reads the clock once per run of the microtask queue, so that calls made together and answers that arrived together
 * share a reading. A reading per call would cost more than reporting it.
 */
export class CoarseClock {
  readonly #resolved = Promise.resolve()
  #now = 0
  #isRead = false
  readonly #forget = (): void => {
    this.#isRead = false
  }

  /** Milliseconds, by `performance.now()`. */
  now(): number {
    if (this.#isRead) return this.#now
    this.#now = performance.now()
    this.#isRead = true
    void this.#resolved.then(this.#forget)
    return this.#now
  }
}
