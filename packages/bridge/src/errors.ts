import type { Issue } from './config/spec/issue.ts'

export type ConfigErrorCode = 'config_invalid' | 'secret_missing'

/** A configuration cannot be used. Carries every issue that was found, not only the first. */
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

  /** The error for issues that make a configuration unusable: its message is the first of them. */
  static of(issues: readonly Issue[]): ConfigError {
    const [first] = issues.filter((issue) => issue.severity === 'error')
    const message =
      first === undefined ? 'the configuration cannot be used' : `${first.message}; ${first.fix}`
    return new ConfigError(message, { code: 'config_invalid', issues })
  }
}

/** No server offers a tool of this name, and none that could is starting. */
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
 * Why a call was not made. `denied`: a rule says no. `approval_refused`: a person said no. `approval_expired`: the
 * question ended without an answer. `no_answerer`: nobody could be asked. `untrusted`: the server is one of a project
 * that nobody agreed to start. `quota_exceeded`: as many connections are open as may be.
 */
export type DeniedErrorCode =
  | 'denied'
  | 'approval_refused'
  | 'approval_expired'
  | 'no_answerer'
  | 'untrusted'
  | 'quota_exceeded'

/** A call was not made because it may not be, or because nobody agreed to it. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError'
  readonly code: DeniedErrorCode

  constructor(message: string, options: { readonly code: DeniedErrorCode; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
  }
}
