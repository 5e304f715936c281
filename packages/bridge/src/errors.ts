import type { InputDestination } from './config/spec/input-spec.ts'
import type { Issue } from './config/spec/issue.ts'

/** Code of a `ConfigError`. */
export type ConfigErrorCode = 'config_invalid' | 'secret_missing'

/** A configuration cannot be used. Carries all issues. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code: ConfigErrorCode
  readonly issues: readonly Issue[]

  constructor(
    message: string,
    options: { readonly code: ConfigErrorCode; readonly issues: readonly Issue[] },
  ) {
    super(message)
    this.code = options.code
    this.issues = options.issues
  }

  /** Creates the error for issues. Its message is the first error. */
  static of(issues: readonly Issue[]): ConfigError {
    const [first] = issues.filter((issue) => issue.severity === 'error')
    const message =
      first === undefined ? 'the configuration cannot be used' : `${first.message}; ${first.fix}`
    return new ConfigError(message, { code: 'config_invalid', issues })
  }
}

/** No server has a tool of this name, and none that could have it is starting, failed or down. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError'
  readonly code = 'unknown_tool'
  readonly tool: string

  constructor(tool: string) {
    super(`there is no tool "${tool}"`)
    this.tool = tool
  }
}

/**
 * Why a call was not made. `denied`: denied by a rule. `approval_refused`: refused by a person. `approval_expired`: not
 * approved in time. `no_answerer`: nobody to ask. `untrusted`: the server's entry in a project file is not approved.
 * `quota_exceeded`: connection limit reached. `destination_changed`: a stored value was entered for another destination.
 */
export type DeniedErrorCode =
  | 'denied'
  | 'approval_refused'
  | 'approval_expired'
  | 'no_answerer'
  | 'untrusted'
  | 'quota_exceeded'
  | 'destination_changed'

/** A call was not made because of a rule, a missing approval or a limit. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError'
  readonly code: DeniedErrorCode

  constructor(message: string, options: { readonly code: DeniedErrorCode; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
  }
}

/** A stored value was not used, because the definition would send it elsewhere than where it was entered for. */
export class DestinationChangedError extends DeniedError {
  /** The destination that the value was entered for. */
  readonly stored: InputDestination
  /** The destination that it was requested for. */
  readonly requested: InputDestination

  constructor(what: string, stored: InputDestination, requested: InputDestination) {
    const message =
      `the stored value of ${what} was entered for ${describeDestination(stored)}, and would now be sent to ` +
      `${describeDestination(requested)}; enter it again`
    super(message, { code: 'destination_changed' })
    this.stored = stored
    this.requested = requested
  }
}

function describeDestination({ target, fields }: InputDestination): string {
  return `${target} (${fields.join(', ')})`
}
