/** What Ctrl-C and the signals of a process do. */
export class Interruptions {
  readonly #ending = new AbortController()
  readonly #exit: () => void
  #onInterrupt: (() => void) | undefined

  /** `exit` ends the process at once. */
  constructor(exit: () => void) {
    this.#exit = exit
  }

  /** Aborted when everything has to stop. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Ctrl-C: calls what has taken it, or ends everything. */
  interrupt(): void {
    const onInterrupt = this.#onInterrupt
    this.#onInterrupt = undefined
    if (onInterrupt === undefined) this.end()
    else onInterrupt()
  }

  /** The first time, stops everything in order; the second time, exits at once. */
  end(): void {
    if (this.signal.aborted) return this.#exit()
    this.#ending.abort(new DOMException('interrupted', 'AbortError'))
  }

  /** Takes the next Ctrl-C, until disposed. The one after it ends everything. */
  take(onInterrupt: () => void): Disposable {
    this.#onInterrupt = onInterrupt
    return {
      [Symbol.dispose]: () => {
        if (this.#onInterrupt === onInterrupt) this.#onInterrupt = undefined
      },
    }
  }
}
