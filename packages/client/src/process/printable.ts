/** A line without colours and other control sequences: what a server writes must not steer the terminal that shows it. */
export function printable(line: string, maxLength: number): string {
  return line
    .slice(0, maxLength)
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '')
    .trimEnd()
}
