import { abortable } from './abortable.ts'

/** A mutex per key: work of the same key runs one after another, in the order it was submitted. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` after all earlier work of the key. An abort while it waits rejects with the signal's reason. */
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(() => {
      signal.throwIfAborted()
      return work()
    })
    const done = result.then(nothing, nothing).then(() => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    })
    this.#last.set(key, done)
    return abortable(result, signal)
  }

  /** Resolves when all work of the key submitted so far has ended. */
  async idle(key: string): Promise<void> {
    await this.#last.get(key)
  }
}

function nothing(): void {}
