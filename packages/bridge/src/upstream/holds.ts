/** Counts the work that must be over before something may be closed. */
export class Holds {
  #count = 0
  #waiting: (() => void)[] = []

  get isHeld(): boolean {
    return this.#count > 0
  }

  /** Whoever takes a hold gives it back. */
  take(): void {
    this.#count += 1
  }

  giveBack(): void {
    this.#count -= 1
    if (this.#count === 0 && this.#waiting.length > 0)
      for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when nothing holds any more. */
  async released(): Promise<void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
