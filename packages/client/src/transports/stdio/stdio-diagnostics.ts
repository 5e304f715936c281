import { printable } from '../../text/printable.ts'

/** Unusable output of a server, since its transport was created. */
export interface StdioDiagnostics {
  /** Number of lines that were not messages. */
  readonly badLines: number
  /** Beginning of the first such line, without control characters. */
  readonly firstBadLine: string | undefined
  /** Number of messages that were skipped because they were too large. */
  readonly oversized: number
}

const EXCERPT_LENGTH = 200

export const NO_DIAGNOSTICS: StdioDiagnostics = { badLines: 0, firstBadLine: undefined, oversized: 0 }

export function withBadLine(before: StdioDiagnostics, line: string): StdioDiagnostics {
  const { badLines, firstBadLine = printable(line.slice(0, EXCERPT_LENGTH)).trimEnd() } = before
  return { ...before, badLines: badLines + 1, firstBadLine }
}

export function withOversized(before: StdioDiagnostics): StdioDiagnostics {
  return { ...before, oversized: before.oversized + 1 }
}
