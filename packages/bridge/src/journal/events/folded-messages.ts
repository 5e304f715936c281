import type { Clock } from '../../async/clock.ts'

const windowMs = 60_000

interface Window {
  readonly startedAt: number
  passed: number
  folded: number
}

/** Lets a few messages of one kind pass per minute and counts the others, so that nobody can flood the journal. */
export class FoldedMessages {
  readonly #clock: Clock
  readonly #maxPerMinute: number
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock, maxPerMinute: number) {
    this.#clock = clock
    this.#maxPerMinute = maxPerMinute
  }

  /** Returns the message to report, with the number of those left out before it, or undefined to leave it out. */
  next(kind: string, message: string): string | undefined {
    const window = this.#windowOf(kind)
    const folded = this.#windows.get(kind)?.folded ?? 0
    this.#windows.set(kind, window)
    if (window.passed >= this.#maxPerMinute) {
      window.folded += 1
      return undefined
    }
    window.passed += 1
    return folded === 0 || window.passed > 1 ? message : `${message} (and ${folded} more times before)`
  }

  #windowOf(kind: string): Window {
    const now = this.#clock.now()
    const window = this.#windows.get(kind)
    const isOver = window === undefined || now - window.startedAt >= windowMs
    return isOver ? { startedAt: now, passed: 0, folded: 0 } : window
  }
}
