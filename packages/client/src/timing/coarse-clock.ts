/**
 * Reads the process's clock once for all that happens in one go: the calls of one tick, the answers that arrived
 * together. A reading of its own for each would cost more than what is told of it.
 */
export class CoarseClock {
  readonly #resolved = Promise.resolve()
  #now = 0
  #isRead = false
  readonly #forget = (): void => {
    this.#isRead = false
  }

  /** In milliseconds of the process's clock. */
  now(): number {
    if (this.#isRead) return this.#now
    this.#now = performance.now()
    this.#isRead = true
    void this.#resolved.then(this.#forget)
    return this.#now
  }
}
