/** How long the distance between the two clocks is trusted. */
const trustedMs = 1_000

/**
 * Turns readings of the process's clock into dates. Every call reads that clock anyway, and a second reading and a date
 * of its own for each event would cost more than finding the tool: so events of one millisecond share a date.
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
