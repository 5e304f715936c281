import type { UpstreamStatus } from '@toolbridge/bridge'
import { decisiveLines, printable } from '@toolbridge/client/internal'
import { ExitCode } from './exit-code.ts'
import { namingOption } from './timeouts.ts'

const maxLines = 10

/** Whether a server should have started and is not available. */
export function hasNotStarted({ state }: UpstreamStatus): boolean {
  return state === 'failed' || state === 'untrusted' || state === 'unauthorized'
}

/** Exit status for these failed servers: `Denied` if all of them only lack trust. */
export function failureCode(failed: readonly UpstreamStatus[]): ExitCode {
  return failed.every(({ state }) => state === 'untrusted') ? ExitCode.Denied : ExitCode.Link
}

/** Why a server is not available: one line, followed by the last lines of its stderr. */
export function describeFailure(status: UpstreamStatus): readonly string[] {
  const { name, error = 'did not start', stderr = [] } = status
  // How to trust it has been said, or the user has declined.
  if (status.state === 'untrusted') return [`${printable(name)}: not trusted, and not started`]
  return [
    `${printable(name)}: ${printable(withoutQuote(namingOption(error), stderr))}`,
    ...stderrLines(stderr),
  ]
}

/** The last lines of a server's stderr, including the line that names the error. */
export function stderrLines(stderr: readonly string[]): readonly string[] {
  return decisiveLines(stderr, maxLines).map((line) => `    | ${printable(line)}`)
}

/** Removes the quoted stderr from an error message, where stderr is printed below it. */
export function withoutQuote(error: string, stderr: readonly string[]): string {
  const quote = error.lastIndexOf('; it wrote: ')
  return stderr.length === 0 || quote === -1 ? error : error.slice(0, quote)
}
