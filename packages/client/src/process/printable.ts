/** Removes control sequences from a line, so that a server's output cannot control the terminal that shows it. */
export function printable(line: string, maxLength: number): string {
  return line
    .slice(0, maxLength)
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '')
    .trimEnd()
}
