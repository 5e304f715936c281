/** Tells whoever waits that something may be different now. */
export class Changes {
  #waiting: (() => void)[] = []

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves with the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
