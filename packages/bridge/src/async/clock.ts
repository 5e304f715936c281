/** The time by which servers are supervised. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Does `work` once after so many milliseconds, without holding the process open. Returns how to give that up. */
  after(delayMs: number, work: () => void): () => void
}

/** The longest time that a timer of this platform takes: a longer one would be none at all. */
const maxDelayMs = 2 ** 31 - 1

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, Math.min(delayMs, maxDelayMs))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
