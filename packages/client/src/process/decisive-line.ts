/** Lines that name an error, most telling first: `TypeError: …`, `Error [ERR_MODULE_NOT_FOUND]: …`, `panic: …`. */
const DECISIVE: readonly RegExp[] = [
  /(?<!\w)[A-Za-z]*(?:Error|Exception)(?: \[[A-Z0-9_]+\])?:(?: |$)/,
  /\bpanic(?:ked at)?\b|^fatal(?: error)?:/i,
  /command not found|No such file or directory|Permission denied/,
]

/** The last line of a server's standard error that says what went wrong, if there is one. */
export function decisiveLine(stderr: readonly string[]): string | undefined {
  for (const pattern of DECISIVE) {
    const found = stderr.findLast((line) => pattern.test(line))
    if (found !== undefined) return found
  }
  return undefined
}

/** The last lines of a server's standard error, at most `count`, always with the line that says what went wrong. */
export function decisiveLines(stderr: readonly string[], count: number): readonly string[] {
  const last = stderr.slice(-count)
  const reason = decisiveLine(stderr)
  return reason === undefined || last.includes(reason) ? last : [reason, '…', ...last.slice(2)]
}
