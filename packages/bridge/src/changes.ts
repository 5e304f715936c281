/** Notifies waiters of a change. */
export class Changes {
  #waiting: (() => void)[] = []

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves on the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
