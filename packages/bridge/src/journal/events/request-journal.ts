import { randomUUID } from 'node:crypto'
import type { RequestOptions } from '@toolbridge/client'
import type { Origin } from '../../origin.ts'
import type { Emit } from './emit.ts'
import type { ObservedMethod } from './events.ts'
import { failureOf } from './failure-of.ts'
import type { Telemetry } from './telemetry-port.ts'

/** A request other than the call of a tool. */
export interface ObservedRequest {
  readonly method: ObservedMethod
  readonly server: string
  /** The address of a resource, or the name of a prompt. */
  readonly item: string
  readonly origin: Origin
}

/** Tells the journal of requests that are no calls of tools. */
export class RequestJournal {
  readonly #emit: Emit
  readonly #telemetry: Telemetry | undefined

  constructor(emit: Emit, telemetry: Telemetry | undefined) {
    this.#emit = emit
    this.#telemetry = telemetry
  }

  /** Does the work, which sends the request with the options that it is given, and tells what became of it. */
  async follow<T>(
    request: ObservedRequest,
    signal: AbortSignal | undefined,
    work: (options: Pick<RequestOptions, 'trace'>) => Promise<T>,
  ): Promise<T> {
    const told = { ...request, requestId: randomUUID() }
    const startedAt = performance.now()
    this.#emit({ type: 'request.started', ...told })
    const trace = this.#telemetry?.traceOf(told.requestId)
    try {
      const result = await work(trace === undefined ? {} : { trace })
      this.#emit({ type: 'request.finished', ...told, latencyMs: performance.now() - startedAt })
      return result
    } catch (error) {
      this.#emit({
        type: 'request.finished',
        ...told,
        latencyMs: performance.now() - startedAt,
        error: error instanceof Error ? error.message : String(error),
        failure: failureOf(error, signal),
      })
      throw error
    }
  }
}
