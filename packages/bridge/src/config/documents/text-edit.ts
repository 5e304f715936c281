/** A replacement of a range of a text. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** A range of a text; the end is exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Applies edits that do not overlap. Insertions at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(at, edit.offset) + edit.text
    at = edit.offset + edit.length
  }
  return result + text.slice(at)
}

export function insertion(offset: number, text: string): TextEdit {
  return { offset, length: 0, text }
}

export function deletion({ start, end }: Range): TextEdit {
  return { offset: start, length: end - start, text: '' }
}

/** The line ending of a text. */
export function lineEndOf(text: string): string {
  const at = text.indexOf('\n')
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** Start of the line that contains an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** End of the line that contains an offset, before the line ending. */
export function lineStop(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  if (at === -1) return text.length
  return at > offset && text[at - 1] === '\r' ? at - 1 : at
}

/** Indentation of the line that contains an offset. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** Indentation per level. */
export function indentationUnit(text: string): string {
  return /^(\t|[ ]+)\S/m.exec(text)?.[1] ?? '  '
}

/** Reports whether only whitespace precedes an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset))
}

/** Reports whether only whitespace follows an offset in its line. */
export function isLastInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(offset, lineStop(text, offset)))
}

/** Extends a range to whole lines and the preceding line ending, if the lines contain nothing else. */
export function withWholeLines(text: string, { start, end }: Range): Range {
  if (!isFirstInLine(text, start) || !isLastInLine(text, end)) return { start, end }
  const first = lineStart(text, start)
  const stop = lineStop(text, end)
  if (first === 0) return { start: 0, end: stop === text.length ? stop : stop + lineEndOf(text).length }
  return { start: text[first - 2] === '\r' ? first - 2 : first - 1, end: stop }
}

/** Indents every line except the first. */
export function indented(text: string, indentation: string, lineEnd: string): string {
  return text.split('\n').join(lineEnd + indentation)
}
