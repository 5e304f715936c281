/** What went wrong with the store itself, as opposed to a sealed value in it. */
export type LockboxErrorCode = 'lockbox_in_use' | 'version_conflict' | 'migration_failed' | 'unreachable'

/** The store refused or could not be reached; `data` holds the facts a program needs (never a value or a key). */
export class LockboxError extends Error {
  override readonly name = 'LockboxError'
  readonly code: LockboxErrorCode
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
 * Why a sealed value does not open. `wrong_key`: it was sealed with another key, so find that key. `damaged`: the key
 * is right and the row was changed or moved, so restore it. `unknown_version`: a newer program sealed it.
 */
export type SealErrorCode = 'wrong_key' | 'damaged' | 'unknown_version'

/** A sealed value will not open. The message names keys only by their id, which is a digest. */
export class SealError extends Error {
  override readonly name = 'SealError'
  readonly code: SealErrorCode

  constructor(code: SealErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
  }
}
