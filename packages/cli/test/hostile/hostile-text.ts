/** What a planted line says. No line of any output may begin with it. */
export const planted = 'toolbridge: planted'

/** Everything that ends a line somewhere, or moves back to its beginning. */
export const breaks: readonly string[] = [
  '\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\t',
  '\b\b\b\b',
  '\u001b[2K\r',
  '\u001b[1E',
  '\u009b1E',
  '\u001b]0;x\u0007\n',
  '\u001b[31m\n',
  '\u202e\n',
  '\u2067\u2029',
]

/** A text that begins with a word and goes on with a planted line. */
export function hostile(word: string, index = 0): string {
  return `${word}${breaks[index] ?? '\n'}${planted} by ${word}`
}

/** One hostile text for each break. */
export function allHostile(word: string): readonly string[] {
  return breaks.map((_, index) => hostile(`${word}${index}`, index))
}

/** The lines of an output that begin with what was planted, wherever a reader ends a line. */
export function plantedLines(output: string): readonly string[] {
  return output.split(/[\n\r\v\f\u0085\u2028\u2029]/u).filter((line) => line.startsWith(planted))
}

/** Characters of an output that a terminal obeys or that reorder it. */
export function unseenIn(output: string): readonly string[] {
  return output.match(/[^\P{C}\n]|[\u2028\u2029]/gu) ?? []
}
