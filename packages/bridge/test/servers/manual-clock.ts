import type { Clock } from '@toolbridge/bridge'

/** A clock that stands still unless it is moved. */
export class ManualClock implements Clock {
  #now = 1_000_000
  #due: { readonly at: number; readonly work: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(delayMs: number, work: () => void): () => void {
    const entry = { at: this.#now + delayMs, work }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((each) => each !== entry)
    }
  }

  /** Moves on, and does what is due on the way, in order. */
  advance(byMs: number): void {
    const until = this.#now + byMs
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#due = this.#due.filter((each) => each !== next)
      this.#now = Math.max(this.#now, next.at)
      next.work()
    }
    this.#now = until
  }
}
