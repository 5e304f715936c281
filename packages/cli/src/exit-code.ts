import { ConfigError, DeniedError } from '@toolbridge/bridge'
import { McpError } from '@toolbridge/client'
import { LockboxError, SealError } from '@toolbridge/lockbox'
import { UsageError } from './usage-error.ts'

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
  Cancelled: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof ConfigError) return ExitCode.Config
  if (error instanceof DeniedError) return ExitCode.Denied
  if (error instanceof LockboxError || error instanceof SealError) return ExitCode.Storage
  if (error instanceof McpError) return error.kind === 'peer' ? ExitCode.ToolFailed : ExitCode.Link
  if (error instanceof Error && error.name === 'AbortError') return ExitCode.Cancelled
  return ExitCode.Bug
}
