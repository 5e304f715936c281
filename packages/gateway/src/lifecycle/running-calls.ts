import { setImmediate as nextTurn } from 'node:timers/promises'

/** Tracks running calls, so that each is answered before the resources it uses are closed. */
export class RunningCalls {
  readonly #calls = new Set<Promise<unknown>>()

  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  get size(): number {
    return this.#calls.size
  }

  track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call)
    const forget = (): void => void this.#calls.delete(call)
    call.then(forget, forget)
    return call
  }

  /** Resolves when every call has ended and the responses sent in the same turn of the event loop are out. */
  async allAnswered(): Promise<void> {
    await Promise.allSettled(this.#calls)
    await nextTurn()
  }
}
