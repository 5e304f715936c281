/** Counts the work that must be over before something may be closed. */
export class UseCount {
  #count = 0
  #waiting: (() => void)[] = []

  get isInUse(): boolean {
    return this.#count > 0
  }

  /** Whoever takes a hold gives it back. */
  retain(): void {
    this.#count += 1
  }

  release(): void {
    this.#count -= 1
    if (this.#count === 0 && this.#waiting.length > 0)
      for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when nothing holds any more. */
  async unused(): Promise<void> {
    if (this.isInUse) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
