import type { Clock } from '../async/clock.ts'

const windowMs = 60_000

/** A sliding-window limit per party and minute. */
export class RateLimit {
  readonly #maxPerMinute: number
  readonly #clock: Clock
  readonly #times = new Map<string, number[]>()

  constructor(maxPerMinute: number, clock: Clock) {
    this.#maxPerMinute = maxPerMinute
    this.#clock = clock
  }

  /** Returns whether the party is below its limit, and counts the attempt if so. */
  admit(party: string): boolean {
    const now = this.#clock.now()
    const recent = (this.#times.get(party) ?? []).filter((time) => now - time < windowMs)
    const isAdmitted = recent.length < this.#maxPerMinute
    if (isAdmitted) recent.push(now)
    this.#times.set(party, recent)
    if (this.#times.size > maxParties) this.#forget(now)
    return isAdmitted
  }

  #forget(now: number): void {
    for (const [party, times] of this.#times)
      if (times.every((time) => now - time >= windowMs)) this.#times.delete(party)
  }
}

/** Above this size, parties without attempts in the last minute are dropped. */
const maxParties = 1_000
