/** Limits of one run of code. */
export interface CodeLimits {
  /** Time that the code itself may take, in milliseconds. Waiting for calls does not count. Default: 10 s. */
  readonly timeoutMs: number
  /** Memory of the code, in bytes. Default: 64 MiB. */
  readonly memoryBytes: number
  /** Number of calls. Default: 200. */
  readonly calls: number
  /** Calls in flight at once; further ones wait. Default: 8. */
  readonly parallelCalls: number
  /** Characters of the arguments of one call. Default: 1,000,000. */
  readonly argumentCharacters: number
  /** Characters of the returned value and all logs together. Default: 100,000. */
  readonly outputCharacters: number
}

/** The defaults of `CodeLimits`. */
export const defaultCodeLimits: CodeLimits = {
  timeoutMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  calls: 200,
  parallelCalls: 8,
  argumentCharacters: 1_000_000,
  outputCharacters: 100_000,
}

/** Completes limits with defaults. Throws a `RangeError` for a limit that is not a positive number. */
export function codeLimits(choices: Partial<CodeLimits> = {}): CodeLimits {
  const limits = { ...defaultCodeLimits, ...choices }
  for (const [name, value] of Object.entries(limits))
    if (!(value > 0)) throw new RangeError(`limit ${name} must be a positive number, but is ${value}`)
  return limits
}
