/** The time by which servers are supervised. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Does `work` once after so many milliseconds, without holding the process open. Returns how to give that up. */
  after(delayMs: number, work: () => void): () => void
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
