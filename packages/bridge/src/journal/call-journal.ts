import { McpError } from '@toolbridge/client'
import { DeniedError } from '../errors.ts'
import type { Decision } from '../permission/decide.ts'
import type { InFlight } from '../upstream/in-flight.ts'
import { CallIds } from './call-ids.ts'
import type { BridgeEvent, CallOutcome, Journal } from './events.ts'
import { Timestamps } from './timestamps.ts'

/**
 * Tells the journal of calls. On the path of every call, so events are written out field by field: copying them to add
 * the time costs more than the rest of the path.
 */
export class CallJournal {
  readonly #journal: Journal
  readonly #ids = new CallIds()
  readonly #timestamps = new Timestamps()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** The call begins, and what was decided about it, unless somebody is to be asked. */
  started(call: InFlight, { verdict, reason }: Decision): void {
    const { tool, server, origin } = call
    const callId = this.#ids.next()
    const at = this.#timestamps.at(call.startedAt)
    call.id = callId
    this.#write({ type: 'call.started', callId, tool, server, origin, at })
    if (verdict !== 'ask') this.#write({ type: 'permission.decided', callId, tool, verdict, reason, at })
  }

  decided({ id: callId, tool }: InFlight, verdict: 'allow' | 'deny', reason: string): void {
    const at = this.#timestamps.at(performance.now())
    this.#write({ type: 'permission.decided', callId, tool, verdict, reason, at })
  }

  finished({ id: callId, tool, server, origin, startedAt }: InFlight, outcome: CallOutcome): void {
    const now = performance.now()
    const latencyMs = now - startedAt
    const at = this.#timestamps.at(now)
    this.#write({ type: 'call.finished', callId, tool, server, origin, latencyMs, outcome, at })
  }

  failed(call: InFlight, thrown: unknown, signal: AbortSignal | undefined): void {
    const { id: callId, tool, server, origin, startedAt } = call
    const now = performance.now()
    const latencyMs = now - startedAt
    const at = this.#timestamps.at(now)
    const outcome = outcomeOf(thrown, signal)
    const error = errorText(thrown)
    this.#write({ type: 'call.finished', callId, tool, server, origin, latencyMs, outcome, error, at })
  }

  #write(event: BridgeEvent): void {
    try {
      this.#journal(event)
    } catch {
      // As with every other event: a sink promises not to throw, and there is nobody left to tell.
    }
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
