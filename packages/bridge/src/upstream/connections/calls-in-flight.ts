import type { CallToolResult, RequestOptions } from '@toolbridge/client'
import type { Answerer } from '../../elicitation/question.ts'
import type { Origin } from '../../origin.ts'
import type { CallInFlight } from '../../elicitation/router.ts'

/** A call that an upstream sends. The upstream ends it once, by `succeeded` or `failed`. */
export interface UpstreamCall extends CallInFlight {
  /** The server's own name for the tool. */
  readonly rawName: string
  readonly args: Readonly<Record<string, unknown>>
  readonly origin: Origin
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly requestOptions: RequestOptions
  isAnswered: boolean
  /** How many calls were made over the connection before this one. Set by `CallsInFlight`. */
  order: number
  /** Index in the calls of the connection. Set by `CallsInFlight`. */
  position: number
  succeeded(result: CallToolResult): void
  failed(error: unknown): void
}

/**
 * The calls of one connection, in an array where the last call fills the gap of a deleted one. A `Set` rebuilds its table
 * every few hundred calls, and old tables keep their entries alive until the next full garbage collection.
 */
export class CallsInFlight implements Iterable<UpstreamCall> {
  readonly #calls: UpstreamCall[] = []
  #latestAnswerer: Answerer | undefined
  #added = 0

  /** Answerer of the latest call that had one, even if that call has ended. */
  get latestAnswerer(): Answerer | undefined {
    return this.#latestAnswerer
  }

  add(call: UpstreamCall): void {
    if (call.answerer !== undefined) this.#latestAnswerer = call.answerer
    call.position = this.#calls.length
    call.order = this.#added++
    this.#calls.push(call)
  }

  delete(call: UpstreamCall): void {
    if (this.#calls[call.position] !== call) return
    const last = this.#calls.pop()
    if (last === undefined || last === call) return
    last.position = call.position
    this.#calls[call.position] = last
  }

  /** Oldest first. */
  [Symbol.iterator](): Iterator<UpstreamCall> {
    return this.#calls.toSorted((a, b) => a.order - b.order).values()
  }
}
