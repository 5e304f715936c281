import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that can be interrupted: it yields now and then, and returns its result. */
export type Steps<T> = Generator<undefined, T>

/** Does all of the work at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Does the work in turns of a few milliseconds, so that others are served between. Rejects with the signal's reason. */
export async function finishedInTurns<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  let startedAt = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - startedAt < turnMs) continue
    await nextTurn()
    signal?.throwIfAborted()
    startedAt = performance.now()
  }
}

const turnMs = 8

/** Says after how many small pieces of work to yield. */
export class Pace {
  #count = 0

  get isOver(): boolean {
    this.#count = (this.#count + 1) % piecesPerStep
    return this.#count === 0
  }
}

const piecesPerStep = 128
