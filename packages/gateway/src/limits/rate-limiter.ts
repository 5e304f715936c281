/** Options of `RateLimiter`. */
export interface RateLimiterOptions {
  /** What a key may do per second, on average. */
  readonly perSecond: number
  /** What a key that did nothing for long may do at once. */
  readonly burst: number
  /** Default: a clock that is never set back. */
  readonly now?: () => number
}

/** Anyone can invent keys, such as addresses, so the least recently used ones are forgotten. */
const maxKeys = 10_000

/** Limits how often each key does something (GCRA, a token bucket that stores one number per key). */
export class RateLimiter {
  readonly #intervalMs: number
  readonly #toleranceMs: number
  readonly #now: () => number
  /** When the bucket of a key is full again. Ordered by last use, oldest first. */
  readonly #fullAtMs = new Map<string, number>()

  constructor({ perSecond, burst, now = () => performance.now() }: RateLimiterOptions) {
    this.#intervalMs = 1_000 / perSecond
    this.#toleranceMs = (burst - 1) * this.#intervalMs
    this.#now = now
  }

  /** Returns the milliseconds until the key may act; 0 if it may now. */
  waitMs(key: string): number {
    const fullAtMs = this.#fullAtMs.get(key) ?? 0
    return Math.max(0, fullAtMs - this.#now() - this.#toleranceMs)
  }

  /** Counts an action of the key, unless it has to wait. Returns the milliseconds until it may act; 0 if it was counted. */
  take(key: string): number {
    const waitMs = this.waitMs(key)
    if (waitMs > 0) return waitMs
    const fullAtMs = Math.max(this.#now(), this.#fullAtMs.get(key) ?? 0) + this.#intervalMs
    this.#fullAtMs.delete(key)
    this.#fullAtMs.set(key, fullAtMs)
    if (this.#fullAtMs.size > maxKeys) this.#forgetOldest()
    return 0
  }

  #forgetOldest(): void {
    for (const key of this.#fullAtMs.keys()) {
      this.#fullAtMs.delete(key)
      return
    }
  }
}
