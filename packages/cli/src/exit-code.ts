import { McpError } from '@toolbridge/client'

/** What the command's exit status means. Stable: scripts depend on it. */
export const ExitCode = {
  Ok: 0,
  /** The tool ran and reported failure, or the server answered with an error. */
  ToolFailed: 1,
  /** The configuration or the command line is wrong. */
  Config: 2,
  /** A server could not be reached, or the link to it broke: the effect of a call is unknown. */
  Link: 3,
  /** A rule or a person said no. */
  Denied: 4,
  /** The stored settings cannot be opened. */
  Storage: 5,
  /** A defect of Toolbridge itself. */
  Bug: 70,
  /** What there was to say could not be written. */
  Output: 74,
  Cancelled: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** Families are told by name, so that a command loads only the packages it uses. */
const byFamily: Readonly<Record<string, ExitCode>> = {
  UsageError: ExitCode.Config,
  McpAuthError: ExitCode.Link,
  ConfigError: ExitCode.Config,
  DeniedError: ExitCode.Denied,
  LockboxError: ExitCode.Storage,
  SealError: ExitCode.Storage,
  AbortError: ExitCode.Cancelled,
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof McpError) return error.kind === 'peer' ? ExitCode.ToolFailed : ExitCode.Link
  return error instanceof Error ? (byFamily[error.name] ?? ExitCode.Bug) : ExitCode.Bug
}
