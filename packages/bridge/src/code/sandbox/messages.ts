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

/** Which limit a run exceeded. */
export type ExceededLimit = 'time' | 'memory' | 'calls' | 'arguments' | 'output'

/**
 * Why a run ended without a result. `syntax`: the code does not parse. `error`: it threw. `stuck`: it waits for a promise that
 * nothing settles. `limit`: it exceeded a limit.
 */
export interface CodeFailure {
  readonly kind: 'syntax' | 'error' | 'stuck' | 'limit'
  readonly message: string
  /** Line of the code, from 1, if known. */
  readonly line?: number
  readonly limit?: ExceededLimit
}
