import { randomUUID } from 'node:crypto'
import type { RequestOptions } from '@toolbridge/client'
import type { Origin } from '../../origin.ts'
import type { Emit } from './emit.ts'
import type { ObservedMethod } from './events.ts'
import { messageOf, shortened } from '../../text/message-of.ts'
import { failureOf } from './failure-of.ts'
import type { Telemetry } from './telemetry-port.ts'

/** A request other than a tool call. */
export interface ObservedRequest {
  readonly method: ObservedMethod
  readonly server: string
  /** URI of the resource or name of the prompt. */
  readonly item: string
  readonly origin: Origin
}

/** Writes the events of requests other than tool calls. */
export class RequestJournal {
  readonly #emit: Emit
  readonly #telemetry: Telemetry | undefined

  constructor(emit: Emit, telemetry: Telemetry | undefined) {
    this.#emit = emit
    this.#telemetry = telemetry
  }

  /** Runs `work`, which sends the request with the given options, and writes its start and end. */
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
        error: shortened(messageOf(error)),
        failure: failureOf(error, signal),
      })
      throw error
    }
  }
}
