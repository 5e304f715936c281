import { abortable } from './abortable.ts'

/** Lets work of the same key run one after another, in the order it came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` when its turn comes. Aborting while it waits gives the turn up and rejects with the signal's reason. */
  take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(() => {
      signal.throwIfAborted()
      return work()
    })
    const done = turn.then(nothing, nothing).then(() => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    })
    this.#last.set(key, done)
    return abortable(turn, signal)
  }

  /** Resolves when all work of the key that was given so far is over. */
  async idle(key: string): Promise<void> {
    await this.#last.get(key)
  }
}

function nothing(): void {}
