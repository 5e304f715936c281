import { randomUUID } from 'node:crypto'
import type { TraceContext } from '@toolbridge/client'
import type { Origin } from '../../origin.ts'
import { withoutBaggage } from './call-journal.ts'
import type { Emit } from './emit.ts'
import type { CodeFailureKind, CodeRunOutcome, ExceededLimit } from './events.ts'

/** A run of code that begins. */
export interface CodeRunStart {
  /** Caller on whose behalf the code calls tools. Default: the bridge's own origin. */
  readonly origin?: Origin
  /** Id of what starts the run. Default: none. */
  readonly parent?: string
  /** Trace context of the caller. Default: none. */
  readonly trace?: TraceContext
}

/** How a run of code ended. */
export interface CodeRunEnd {
  readonly outcome: CodeRunOutcome
  /** Number of calls that were started. */
  readonly calls: number
  readonly failure?: CodeFailureKind | undefined
  readonly limit?: ExceededLimit | undefined
}

/** A run of code in the journal. */
export interface JournaledCodeRun {
  /** Id of the run: the `parent` of its calls. */
  readonly id: string
  /** Writes the end of the run. To be called once. */
  finished(end: CodeRunEnd): void
}

/** Writes the start of a run of code into the journal. */
export function startCodeRun(
  emit: Emit,
  { origin, parent, trace }: CodeRunStart & { readonly origin: Origin },
): JournaledCodeRun {
  const run = { runId: randomUUID(), origin, parent }
  const startedAt = performance.now()
  emit({ type: 'code.started', ...run, trace: withoutBaggage(trace) })
  return {
    id: run.runId,
    finished({ outcome, calls, failure, limit }) {
      emit({
        type: 'code.finished',
        ...run,
        durationMs: performance.now() - startedAt,
        calls,
        outcome,
        ...(failure === undefined ? {} : { failure }),
        ...(limit === undefined ? {} : { limit }),
      })
    },
  }
}
