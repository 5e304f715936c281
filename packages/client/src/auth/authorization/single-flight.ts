import { abortable } from '../../async/abortable.ts'

interface Flight {
  readonly what: string
  readonly done: Promise<void>
  readonly abort: AbortController
  waiting: number
}

function isJoinable(flight: Flight, what: string): boolean {
  return flight.what === what && !flight.abort.signal.aborted
}

/** Runs one task at a time and shares it among all callers. Aborts it when no caller waits any more. */
export class SingleFlight {
  #flight: Flight | undefined

  /** Joins the same task if it is running; first waits for another task, or an aborted one, to end. */
  async run(
    what: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    while (this.#flight !== undefined && !isJoinable(this.#flight, what)) {
      const settled = this.#flight.done.catch(() => undefined)
      await abortable(settled, signal)
    }
    const flight = (this.#flight ??= this.#start(what, work))
    flight.waiting++
    try {
      await abortable(flight.done, signal)
    } finally {
      if (--flight.waiting === 0) flight.abort.abort(signal?.reason)
    }
  }

  #start(what: string, work: (signal: AbortSignal) => Promise<void>): Flight {
    const abort = new AbortController()
    const done = work(abort.signal).finally(() => {
      this.#flight = undefined
    })
    return { what, done, abort, waiting: 0 }
  }
}
