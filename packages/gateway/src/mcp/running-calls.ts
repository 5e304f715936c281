import { setImmediate as nextTurn } from 'node:timers/promises'

/** The calls that hosts wait for, so that each can be answered before its session is closed. */
export class RunningCalls {
  readonly #calls = new Set<Promise<unknown>>()

  track<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call)
    const forget = (): void => void this.#calls.delete(call)
    call.then(forget, forget)
    return call
  }

  /** Resolves when every call has ended and the SDK, which answers in the same turn, has sent what became of it. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.#calls)
    await nextTurn()
  }
}
