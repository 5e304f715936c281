import type { CodeFailureKind, ExceededLimit } from '../../journal/events/events.ts'
import type { Engine } from './engine.ts'
import type { CodeLimits } from './limits.ts'

/** What a worker is started with. */
export interface WorkerData {
  readonly engine: Engine
  readonly limits: CodeLimits
}

/** From the host to the worker. Values are JSON texts. */
export type ToWorker =
  | { readonly type: 'run'; readonly code: string; readonly functions: readonly string[] }
  | { readonly type: 'answer'; readonly call: number; readonly value: string }
  | { readonly type: 'refuse'; readonly call: number; readonly message: string }

/** From the worker to the host. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly call: number; readonly name: string; readonly args: string }
  | { readonly type: 'log'; readonly text: string }
  /** The code can only go on when a call is answered. `answers`: the number of answers that it has had. */
  | { readonly type: 'waiting'; readonly answers: number }
  /** `value` is undefined if the code returned nothing. */
  | { readonly type: 'returned'; readonly value: string | undefined }
  | { readonly type: 'failed'; readonly failure: CodeFailure }

/** Why a run ended without a result. */
export interface CodeFailure {
  readonly kind: CodeFailureKind
  /** May quote what the code read. */
  readonly message: string
  /** Line of the code, from 1, if known. */
  readonly line?: number
  /** The limit, if `kind` is `limit`. */
  readonly limit?: ExceededLimit
}

/** The failure of code that used more memory than it may. */
export const memoryFailure: CodeFailure = {
  kind: 'limit',
  limit: 'memory',
  message: 'the code used more memory than it may',
}
