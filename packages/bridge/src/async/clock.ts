/** The clock of a bridge, replaceable in tests. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
  /** Runs `work` once after a delay, without keeping the process alive. Returns a function that cancels it. */
  after(delayMs: number, work: () => void): () => void
}

/** The maximum delay of `setTimeout`; a longer one would fire at once. */
const maxDelayMs = 2 ** 31 - 1

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, Math.min(delayMs, maxDelayMs))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
