import { printable } from '../../process/printable.ts'

/** What a server wrote to its standard output that could not be used, since its connection was made. */
export interface StdioDiagnostics {
  /** Lines that were no messages. */
  readonly badLines: number
  /** The beginning of the first of them, without control characters. */
  readonly firstBadLine: string | undefined
  /** Messages that were skipped because they were too large. */
  readonly oversized: number
}

const SAMPLE_LENGTH = 200

export const NOTHING_BAD: StdioDiagnostics = { badLines: 0, firstBadLine: undefined, oversized: 0 }

export function withBadLine(before: StdioDiagnostics, line: string): StdioDiagnostics {
  const { badLines, firstBadLine = printable(line, SAMPLE_LENGTH) } = before
  return { ...before, badLines: badLines + 1, firstBadLine }
}

export function withOversized(before: StdioDiagnostics): StdioDiagnostics {
  return { ...before, oversized: before.oversized + 1 }
}
