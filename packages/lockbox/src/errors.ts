/** Cause of a `LockboxError`. */
export type LockboxErrorCode =
  | 'lockbox_in_use'
  | 'version_conflict'
  | 'version_not_found'
  | 'limit_exceeded'
  | 'new_key_missing'
  | 'migration_failed'
  | 'unreachable'

/** The store rejected an operation or cannot be reached. */
export class LockboxError extends Error {
  override readonly name = 'LockboxError'
  /** Stable code. */
  readonly code: LockboxErrorCode
  /** Details for programs, such as the conflicting versions. Never contains a value or a key. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: LockboxErrorCode,
    message: string,
    options: { readonly data?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data ?? {}
  }
}

/**
 * Cause of a `SealError`. `wrong_key`: the value was encrypted with another key. `damaged`: the row was changed or moved;
 * restore it from a backup. `unknown_version`: a newer version of the program encrypted it.
 */
export type SealErrorCode = 'wrong_key' | 'damaged' | 'unknown_version'

/** A value cannot be decrypted. Messages name keys only by their id, which is a digest. */
export class SealError extends Error {
  override readonly name = 'SealError'
  /** Stable code. */
  readonly code: SealErrorCode

  constructor(code: SealErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
  }
}
