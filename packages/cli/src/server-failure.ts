import type { UpstreamStatus } from '@toolbridge/bridge'
import { ExitCode } from './exit-code.ts'
import { printable } from './printable.ts'

const maxLines = 10

/** Whether a server was to be started and is not there. */
export function hasNotStarted({ state }: UpstreamStatus): boolean {
  return state === 'failed' || state === 'untrusted' || state === 'unauthorized'
}

/** How a command ends for want of these servers: by a no where nobody agreed to any of them. */
export function failureCode(failed: readonly UpstreamStatus[]): ExitCode {
  return failed.every(({ state }) => state === 'untrusted') ? ExitCode.Denied : ExitCode.Link
}

/** Why a server is not there: one line, and below it the last lines it wrote. */
export function describeFailure(status: UpstreamStatus): readonly string[] {
  const { name, error = 'it did not start', stderr = [] } = status
  return [`${printable(name)}: ${printable(withoutQuote(error, stderr))}`, ...lastWords(stderr)]
}

/** The last lines that a server wrote, with the one that says what was wrong, fit to be printed. */
export function lastWords(stderr: readonly string[]): readonly string[] {
  const last = stderr.slice(-maxLines)
  const reason = stderr.findLast((line) => /\b[A-Za-z]*Error:/.test(line))
  const lines = reason === undefined || last.includes(reason) ? last : [reason, '…', ...last.slice(2)]
  return lines.map((line) => `    | ${printable(line)}`)
}

/** An error quotes the last lines of stderr; where all of them follow, that would be said twice. */
export function withoutQuote(error: string, stderr: readonly string[]): string {
  const quote = error.lastIndexOf('; it wrote: ')
  return stderr.length === 0 || quote === -1 ? error : error.slice(0, quote)
}
