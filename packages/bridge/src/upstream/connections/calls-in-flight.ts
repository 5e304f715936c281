import type { RequestOptions, TraceContext } from '@toolbridge/client'
import type { Answerer } from '../../elicitation/question.ts'
import type { Origin } from '../../origin.ts'
import type { CallInFlight } from '../../elicitation/router.ts'
import type { Connection } from './connection.ts'
import type { Slot } from './connection-pool.ts'

/** One call, from the moment it is begun until it is over. */
export interface UpstreamCall extends CallInFlight {
  /** The server's own name for the tool. */
  readonly rawName: string
  readonly server: string
  readonly origin: Origin
  /** How long the server may be silent. */
  readonly timeoutMs: number
  /** In milliseconds of the process's clock. */
  readonly startedAt: number
  /** What the journal knows it by; empty where there is none. */
  id: string
  /** What it belongs to, as the server is told. */
  readonly trace: TraceContext | undefined
  /** Where it is made, once that is known. */
  slot: Slot<Connection> | undefined
  connection: Connection | undefined
  /** What it was sent with. */
  sent: RequestOptions | undefined
  /** How many calls were made over its connection before it. */
  order: number
  /** Its place among the calls of its connection; below 0 before it is made. */
  position: number
  isAnswered: boolean
  end(): void
}

/**
 * The calls of one connection. An array in which the last one fills a gap: a set would have its table made anew every few
 * hundred calls, and the old tables keep what was in them alive until the next full collection.
 */
export class CallsInFlight implements Iterable<UpstreamCall> {
  readonly #calls: UpstreamCall[] = []
  #latestAnswerer: Answerer | undefined
  #added = 0

  /** Where the latest call that said so had its questions brought, whether it is over or not. */
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
