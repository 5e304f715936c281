import { randomUUID } from 'node:crypto'
import { McpError } from '@toolbridge/client'
import type { BridgeTool } from '../catalog/catalog.ts'
import type { Origin } from '../elicitation/question.ts'
import { DeniedError } from '../errors.ts'
import type { Emit } from './emit.ts'
import type { CallOutcome } from './events.ts'

/** What the journal is told about one call. */
export class CallRecord {
  readonly #emit: Emit
  readonly #callId = randomUUID()
  readonly #tool: BridgeTool
  readonly #origin: Origin
  readonly #startedAt = performance.now()

  constructor(emit: Emit, tool: BridgeTool, origin: Origin) {
    this.#emit = emit
    this.#tool = tool
    this.#origin = origin
    const { name, server } = tool
    emit({ type: 'call.started', callId: this.#callId, tool: name, server, origin })
  }

  decided(verdict: 'allow' | 'deny', reason: string): void {
    const { name: tool } = this.#tool
    this.#emit({ type: 'permission.decided', callId: this.#callId, tool, verdict, reason })
  }

  finished(outcome: CallOutcome, error?: string): void {
    const { name: tool, server } = this.#tool
    const latencyMs = performance.now() - this.#startedAt
    const commons = { callId: this.#callId, tool, server, origin: this.#origin, latencyMs, outcome }
    this.#emit(
      error === undefined
        ? { type: 'call.finished', ...commons }
        : { type: 'call.finished', ...commons, error },
    )
  }

  failed(error: unknown, signal: AbortSignal | undefined): void {
    this.finished(outcomeOf(error, signal), errorText(error))
  }
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  if (error instanceof DeniedError) return 'denied'
  return signal?.aborted === true && error === signal.reason ? 'cancelled' : 'failed'
}

function errorText(error: unknown): string {
  if (error instanceof DeniedError) return `${error.code}: ${error.message}`
  if (error instanceof McpError) return `${error.kind} ${error.code}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
