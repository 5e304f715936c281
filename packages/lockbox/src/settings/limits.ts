import { LockboxError } from '../errors.ts'

/** Limits of the settings of each owner. */
export type SettingLimits = {
  /** Number of settings of an owner. Default: 1,000. */
  readonly settings: number
  /** Size of a value as JSON in bytes. Default: 1,048,576. */
  readonly valueBytes: number
  /** Number of versions that are kept of a setting. A save deletes older ones. Default: 100. */
  readonly versions: number
}

const defaults: SettingLimits = { settings: 1_000, valueBytes: 1_048_576, versions: 100 }

/** Adds the defaults. Throws a `RangeError` for a limit that is not a positive integer. */
export function completeLimits(given: Partial<SettingLimits> = {}): SettingLimits {
  const limits = { ...defaults, ...given }
  for (const [name, limit] of Object.entries(limits))
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new RangeError(`the limit "${name}" must be a positive integer`)
  return limits
}

/** Error of a save that would exceed a limit. */
export function limitExceeded(limit: keyof SettingLimits, maximum: number, message: string): LockboxError {
  return new LockboxError('limit_exceeded', message, { data: { limit, maximum } })
}
