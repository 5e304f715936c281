import { setImmediate as nextTurn } from 'node:timers/promises'

/** Calls under way, so that each can be answered before what it runs on is closed. */
export class RunningCalls {
  readonly #calls = new Set<Promise<unknown>>()

  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call)
    const forget = (): void => void this.#calls.delete(call)
    call.then(forget, forget)
    return call
  }

  /** Resolves when every call has ended and whoever answers in the same turn has sent what became of it. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.#calls)
    await nextTurn()
  }
}
