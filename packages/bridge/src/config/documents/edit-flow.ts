import { withoutEnding } from '@toolbridge/client/internal'
import {
  deletion,
  indentationAt,
  indentationUnit,
  insertion,
  lineEndOf,
  type Range,
  type TextEdit,
  withWholeLines,
} from './text-edit.ts'

/** A list in brackets or braces, including them, and its items. */
export interface FlowList extends Range {
  readonly items: readonly Range[]
}

export interface FlowStyle {
  /** How comments begin. */
  readonly comments: 'slash' | 'hash'
  /** Whether items may be on separate lines and a trailing comma is allowed. */
  readonly isOnOneLine?: boolean
}

/** JSON, which also has comments within a line. */
export const jsonStyle: FlowStyle = { comments: 'slash' }
/** YAML, and arrays in TOML. */
export const hashStyle: FlowStyle = { comments: 'hash' }
/** Inline tables in TOML. */
export const inlineStyle: FlowStyle = { comments: 'hash', isOnOneLine: true }

/** Prints an item at an indentation, or on one line. */
export type PrintItem = (at: { readonly indentation: string; readonly isOnOneLine: boolean }) => string

/** Appends an item. Comments stay with the text they follow. */
export function insertItem(
  text: string,
  list: FlowList,
  print: PrintItem,
  style: FlowStyle,
): readonly TextEdit[] {
  const last = list.items.at(-1)
  if (last === undefined) return insertOnly(text, list, print, style)
  const { comma, stop } = tailOf(text, last.end, list.end - 1, style)
  const separator = comma === undefined ? [insertion(last.end, ',')] : []
  const [first = last] = list.items
  const isMultiline = style.isOnOneLine !== true && text.slice(list.start, first.start).includes('\n')
  if (!isMultiline) {
    const item = print({ indentation: '', isOnOneLine: true })
    return [...separator, insertion((comma ?? last.end - 1) + 1, ` ${item}${comma === undefined ? '' : ','}`)]
  }
  const indentation = indentationAt(text, first.start)
  const item = print({ indentation, isOnOneLine: false })
  const trailing = comma === undefined ? '' : ','
  return [...separator, insertion(stop, lineEndOf(text) + indentation + item + trailing)]
}

function insertOnly(text: string, list: FlowList, print: PrintItem, style: FlowStyle): readonly TextEdit[] {
  const { start, end } = list
  const { stop } = tailOf(text, start + 1, end - 1, style)
  const isOnOneLine = style.isOnOneLine === true || isAllOnOneLine(text)
  if (isOnOneLine) return [insertion(stop, ` ${print({ indentation: '', isOnOneLine })} `)]
  const outer = indentationAt(text, start)
  const indentation = outer + indentationUnit(text)
  const item = lineEndOf(text) + indentation + print({ indentation, isOnOneLine })
  const isClosedBelow = text.slice(stop, end).includes('\n')
  return [insertion(stop, isClosedBelow ? item : item + lineEndOf(text) + outer)]
}

/** A minified document stays on one line; an empty document does not count as minified. */
function isAllOnOneLine(text: string): boolean {
  const body = text.trim()
  return body.length > 2 && !body.includes('\n')
}

/** Removes an item and its comma. Comments around it stay. */
export function removeItem(
  text: string,
  list: FlowList,
  index: number,
  style: FlowStyle,
): readonly TextEdit[] {
  const item = list.items[index]
  if (item === undefined) return []
  const { comma } = tailOf(text, item.end, list.items[index + 1]?.start ?? list.end - 1, style)
  if (comma !== undefined) return withComma(text, item, comma)
  const before = list.items[index - 1]
  const previous = before === undefined ? undefined : tailOf(text, before.end, item.start, style).comma
  const own = withWholeLines(text, item)
  const gap = previous !== undefined && own.start === item.start ? blanksBefore(text, item.start) : 0
  const start = Math.max(own.start - gap, previous === undefined ? 0 : previous + 1)
  const rest = deletion({ start: Math.min(start, own.start), end: own.end })
  return previous === undefined ? [rest] : [deletion({ start: previous, end: previous + 1 }), rest]
}

function withComma(text: string, item: Range, comma: number): readonly TextEdit[] {
  const isAdjacent = text.slice(item.end, comma).trim() === ''
  if (!isAdjacent) return [deletion(item), deletion({ start: comma, end: comma + 1 })]
  const whole = { start: item.start, end: comma + 1 }
  const lines = withWholeLines(text, whole)
  if (lines.start !== whole.start || lines.end !== whole.end) return [deletion(lines)]
  const blanks = /^[ \t]*/.exec(text.slice(whole.end))?.[0].length ?? 0
  return [deletion({ start: whole.start, end: whole.end + blanks })]
}

function blanksBefore(text: string, offset: number): number {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return before.length - withoutEnding(before, ' \t').length
}

/** The position of the comma after an item, and the end of the last text before the limit. */
function tailOf(
  text: string,
  from: number,
  limit: number,
  { comments }: FlowStyle,
): { readonly comma: number | undefined; readonly stop: number } {
  let comma: number | undefined
  let stop = from
  for (let at = from; at < limit; ) {
    const commentEnd = endOfComment(text, at, comments)
    if (text[at] === ',') comma ??= at
    if (commentEnd !== undefined) stop = commentEnd
    else if (!/\s/.test(text[at] ?? '')) stop = at + 1
    at = commentEnd ?? at + 1
  }
  return { comma, stop: Math.min(stop, limit) }
}

/** Excludes the carriage return after a line comment. One that is not closed ends with the text. */
function endOfComment(text: string, at: number, comments: FlowStyle['comments']): number | undefined {
  if (comments === 'slash' && text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2)
    return close === -1 ? text.length : close + 2
  }
  if (!text.startsWith(comments === 'slash' ? '//' : '#', at)) return undefined
  const lineBreak = text.indexOf('\n', at)
  const end = lineBreak === -1 ? text.length : lineBreak
  return text[end - 1] === '\r' ? end - 1 : end
}
