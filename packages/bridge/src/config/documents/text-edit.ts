/** A piece of a text and what stands in its place afterwards. */
export interface TextEdit {
  readonly offset: number
  readonly length: number
  readonly text: string
}

/** A stretch of a text; the end is not part of it. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The text after edits that do not overlap. Those at the same place follow each other as they are given. */
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

/** How the text ends its lines. */
export function lineEndOf(text: string): string {
  const at = text.indexOf('\n')
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** Where the line of a place begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the line of a place ends, before what ends it. */
export function lineStop(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  if (at === -1) return text.length
  return at > offset && text[at - 1] === '\r' ? at - 1 : at
}

/** The blanks that the line of a place begins with. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** By how much the text indents each level. */
export function indentationUnit(text: string): string {
  return /^(\t|[ ]+)\S/m.exec(text)?.[1] ?? '  '
}

/** Whether nothing but blanks stands before a place in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset))
}

/** Whether nothing but blanks stands after a place in its line. */
export function isLastInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(offset, lineStop(text, offset)))
}

/** A stretch with its whole lines, and the line end before them, where it shares them with nothing. */
export function withWholeLines(text: string, { start, end }: Range): Range {
  if (!isFirstInLine(text, start) || !isLastInLine(text, end)) return { start, end }
  const first = lineStart(text, start)
  const stop = lineStop(text, end)
  if (first === 0) return { start: 0, end: stop === text.length ? stop : stop + lineEndOf(text).length }
  return { start: text[first - 2] === '\r' ? first - 2 : first - 1, end: stop }
}

/** A text of several lines with each line but the first moved to the right. */
export function indented(text: string, indentation: string, lineEnd: string): string {
  return text.split('\n').join(lineEnd + indentation)
}
