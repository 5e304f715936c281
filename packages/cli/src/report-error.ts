import { ConfigError } from '@toolbridge/bridge'
import { McpError } from '@toolbridge/client'
import { isDiskFull, printable } from '@toolbridge/client/internal'
import { printIssues } from './configuration.ts'
import { printResult } from './display/print-result.ts'
import { ExitCode } from './exit-code.ts'
import { missingApproval } from './missing-approval.ts'
import { NoConfigurationError } from './no-configuration-error.ts'
import { describeSearch, jsonSearch } from './nothing-found.ts'
import { namingOption } from './timeouts.ts'
import { printError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** By name: importing the classes would load every package. */
const exitCodes: Readonly<Record<string, ExitCode>> = {
  UsageError: ExitCode.Config,
  McpAuthError: ExitCode.Link,
  RegistryError: ExitCode.Link,
  ConfigError: ExitCode.Config,
  CassetteError: ExitCode.Config,
  UnknownToolError: ExitCode.Config,
  NoConfigurationError: ExitCode.NoConfiguration,
  DeniedError: ExitCode.Denied,
  LockboxError: ExitCode.Storage,
  SealError: ExitCode.Storage,
  FileError: ExitCode.Storage,
  OutputError: ExitCode.Output,
  AbortError: ExitCode.Cancelled,
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof McpError) return error.kind === 'peer' ? ExitCode.ToolFailed : ExitCode.Link
  if (isDiskFull(error)) return ExitCode.Storage
  if (isModelError(error)) return error.code === 'failed' ? ExitCode.Link : ExitCode.Config
  if (isScriptError(error)) return error.exitCode
  return error instanceof Error ? (exitCodes[error.name] ?? ExitCode.Bug) : ExitCode.Bug
}

function isModelError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === 'ModelError' && 'code' in error
}

type ScriptErrorShape = Error & { readonly exitCode: ExitCode; readonly lines: readonly string[] }

function isScriptError(error: unknown): error is ScriptErrorShape {
  return error instanceof Error && error.name === 'ScriptError' && 'exitCode' in error && 'lines' in error
}

/** Prints an error on stderr, except an interruption, and returns the exit status for it. */
export function reportError(error: unknown, terminal: Terminal): ExitCode {
  const code = exitCodeOf(error)
  if (error instanceof ConfigError) printIssues(terminal, error.issues)
  else if (error instanceof NoConfigurationError) {
    for (const line of describeSearch(error.search)) printError(terminal, line)
    printResult({ options: error.options, terminal }, jsonSearch(error.search), () => {})
  } else if (!terminal.signal.aborted || code !== ExitCode.Cancelled || isScriptError(error)) {
    printError(terminal, `toolbridge: ${printable(namingOption(describeError(error, code)))}`)
    for (const line of furtherLines(error, code)) printError(terminal, printable(line))
  }
  return code
}

/** What an error tells below its message: the stack if it is a defect. */
function furtherLines(error: unknown, code: ExitCode): readonly string[] {
  if (error instanceof UsageError || isScriptError(error)) return error.lines
  return code === ExitCode.Bug && error instanceof Error ? framesOf(error) : []
}

function framesOf({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').filter((line) => /^ {4}at /.test(line))
}

/** The message of an error with its code. */
export function describeError(error: unknown, code: ExitCode): string {
  if (!(error instanceof Error)) return String(error)
  // Providers write what they like into their errors.
  if (isModelError(error))
    return `${error.code}: ${printable(error.message).replace('set a base URL or', 'use --base-url or set')}`
  if (isDiskFull(error)) return 'storage_full: the disk is full; free disk space and try again'
  if (code === ExitCode.Bug) return `unexpected error: ${error.name}: ${error.message}`
  if (!('code' in error) || typeof error.code !== 'string') return error.message
  if (error.code === 'lockbox_in_use')
    return `${error.code}: ${error.message.replace(/the gateway it runs$/, '$&: toolbridge open')}`
  return `${error.code}: ${error.code === 'no_answerer' ? missingApproval(error.message) : error.message}`
}
