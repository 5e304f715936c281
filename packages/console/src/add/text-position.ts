/** Offset of a line and column, which count from 1, in a text. */
export function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  const start = before.reduce((length, each) => length + each.length + 1, 0)
  return Math.min(text.length, start + column - 1)
}
