import type { CallToolResult, RequestOptions, SentRequest } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Origin } from '../../origin.ts'
import type { CallInFlight } from '../../elicitation/router.ts'

/** A request in flight: a call, or one for another feature. */
export interface RequestInFlight extends CallInFlight {
  readonly origin: Origin
  readonly timeoutMs: number
  /** The server's own name for the tool. */
  readonly rawName?: string
  readonly args?: Readonly<Record<string, unknown>>
  /** How many requests were made over the connection before this one. Set by `CallsInFlight`. */
  order: number
  /** Index in the requests of the connection. Set by `CallsInFlight`. */
  position: number
}

/** A call that an upstream sends. The upstream ends it once, by `succeeded` or `failed`. */
export interface UpstreamCall extends RequestInFlight {
  readonly rawName: string
  readonly args: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal | undefined
  readonly requestOptions: RequestOptions
  isAnswered: boolean
  succeeded(result: CallToolResult): void
  failed(error: unknown): void
}

/**
 * The calls of one connection, in an array where the last call fills the gap of a deleted one. A `Set` rebuilds its table
 * every few hundred calls, and old tables keep their entries alive until the next full garbage collection.
 */
export class CallsInFlight implements Iterable<RequestInFlight> {
  readonly #calls: RequestInFlight[] = []
  #added = 0

  add(call: RequestInFlight): void {
    call.position = this.#calls.length
    call.order = this.#added++
    this.#calls.push(call)
  }

  delete(call: RequestInFlight): void {
    if (this.#calls[call.position] !== call) return
    const last = this.#calls.pop()
    if (last === undefined || last === call) return
    last.position = call.position
    this.#calls[call.position] = last
  }

  /** Oldest first. */
  [Symbol.iterator](): Iterator<RequestInFlight> {
    return this.#calls.toSorted((a, b) => a.order - b.order).values()
  }

  /** Those that led to a request of the client. More than one only if they cannot be told apart. */
  thatSent({ method, params }: SentRequest): readonly RequestInFlight[] {
    if (method.startsWith('tasks/')) return [...this]
    const { name, arguments: args } = method === 'tools/call' && isJsonObject(params) ? params : {}
    return [...this].filter((call) => call.args === args && call.rawName === name)
  }
}
