import { McpError, type TraceContext } from '@toolbridge/client'
import type { CoarseClock } from '@toolbridge/client/internal'
import { isAuthError } from '../../auth-error.ts'
import { DeniedError } from '../../errors.ts'
import type { Origin } from '../../origin.ts'
import { CallIds } from './call-ids.ts'
import type { CallOutcome, EventFailure, Journal } from './events.ts'
import { messageOf, shortened } from '../../text/message-of.ts'
import { failureOf } from './failure-of.ts'
import { Timestamps } from './timestamps.ts'

/** The part of a call in flight that is written to the journal. */
export interface JournaledCall {
  /** Public name. */
  readonly tool: string
  readonly server: string
  readonly rawName: string
  readonly origin: Origin
  /** In milliseconds of the clock of this process. */
  readonly startedAt: number
  readonly trace: TraceContext | undefined
  readonly parent: string | undefined
  /** The id of the call in the journal, assigned when the call starts. */
  id: string
}

interface JournaledDecision {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly reason: string
}

/**
 * Writes the events of tool calls. It runs on every call, so events are written out field by field: copying them to add
 * the time costs more than the rest of the path.
 */
export class CallJournal {
  readonly #journal: Journal
  readonly #coarseClock: CoarseClock
  readonly #ids = new CallIds()
  readonly #timestamps = new Timestamps()

  constructor(journal: Journal, coarseClock: CoarseClock) {
    this.#journal = journal
    this.#coarseClock = coarseClock
  }

  /** Assigns the id, and writes the start of the call and the decision about it, if that is final. */
  started(call: JournaledCall, decision: JournaledDecision | undefined): void {
    const { tool, server, rawName, origin, parent } = call
    const callId = this.#ids.next()
    const at = this.#timestamps.at(call.startedAt)
    call.id = callId
    const trace = withoutBaggage(call.trace)
    this.#journal({ type: 'call.started', callId, tool, server, rawName, origin, trace, parent, at })
    if (decision === undefined || decision.verdict === 'ask') return
    const { verdict, reason } = decision
    this.#journal({ type: 'permission.decided', callId, tool, verdict, reason, at })
  }

  decided({ id: callId, tool }: JournaledCall, verdict: 'allow' | 'deny', reason: string): void {
    const at = this.#timestamps.at(this.#coarseClock.now())
    this.#journal({ type: 'permission.decided', callId, tool, verdict, reason, at })
  }

  finished(call: JournaledCall, outcome: CallOutcome): void {
    const { id: callId, tool, server, rawName, origin, parent, startedAt } = call
    const now = this.#coarseClock.now()
    const latencyMs = now - startedAt
    const at = this.#timestamps.at(now)
    const trace = withoutBaggage(call.trace)
    this.#journal({
      type: 'call.finished',
      callId,
      tool,
      server,
      rawName,
      origin,
      latencyMs,
      outcome,
      trace,
      parent,
      at,
    })
  }

  failed(call: JournaledCall, thrown: unknown, signal: AbortSignal | undefined): void {
    const { id: callId, tool, server, rawName, origin, parent, startedAt } = call
    const now = this.#coarseClock.now()
    const latencyMs = now - startedAt
    const at = this.#timestamps.at(now)
    const failure = failureOf(thrown, signal)
    const outcome = outcomeOf(failure)
    const error = shortened(errorText(thrown))
    this.#journal({
      type: 'call.finished',
      callId,
      tool,
      server,
      rawName,
      origin,
      latencyMs,
      outcome,
      error,
      failure,
      trace: withoutBaggage(call.trace),
      parent,
      at,
    })
  }
}

/** Baggage is for the services of the host and does not belong in the journal. */
export function withoutBaggage(trace: TraceContext | undefined): TraceContext | undefined {
  if (trace?.baggage === undefined) return trace
  const { baggage: _baggage, ...rest } = trace
  return rest
}

function outcomeOf({ kind }: EventFailure): CallOutcome {
  return kind === 'denied' || kind === 'cancelled' ? kind : 'failed'
}

function errorText(error: unknown): string {
  if (error instanceof DeniedError) return `${error.code}: ${error.message}`
  if (error instanceof McpError) return `${error.kind} ${error.code}: ${error.message}`
  if (isAuthError(error)) return `unauthorized ${error.code}: ${error.message}`
  return messageOf(error)
}
