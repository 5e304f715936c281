/** Counts uses that must end before something is closed. */
export class UseCount {
  #count = 0
  #waiting: (() => void)[] = []

  get isInUse(): boolean {
    return this.#count > 0
  }

  /** To be followed by one `release`. */
  retain(): void {
    this.#count += 1
  }

  release(): void {
    this.#count -= 1
    if (this.#count === 0 && this.#waiting.length > 0)
      for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when the count is zero. */
  async unused(): Promise<void> {
    if (this.isInUse) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
