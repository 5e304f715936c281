/** The part of an output stream that knows its width. */
interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Columns of a terminal. Output to a file or a program is not wrapped. */
export function widthOf({ isTTY, columns }: Screen): number {
  return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY
}

/** Breaks a text between words. The first line is indented by `indent`, further ones by four more columns. */
export function wrapText(text: string, indent: number, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(`${' '.repeat(indent)}${word}`)
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${' '.repeat(indent + 4)}${word}`)
  }
  return lines
}
