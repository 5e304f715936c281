/** How long the offset between the two clocks is reused. */
const trustedMs = 1_000

/**
 * Converts readings of the monotonic clock to dates. Every call reads that clock anyway; another reading and a new date
 * per event would cost more than looking up the tool, so events of one millisecond share a date.
 */
export class Timestamps {
  #distance = 0
  #trustedUntil = -1
  #millisecond = 0
  #date = new Date(0)

  at(now: number): Date {
    if (now > this.#trustedUntil) {
      this.#distance = Date.now() - now
      this.#trustedUntil = now + trustedMs
    }
    const millisecond = Math.floor(now + this.#distance)
    if (millisecond !== this.#millisecond) {
      this.#millisecond = millisecond
      this.#date = new Date(millisecond)
    }
    return this.#date
  }
}
