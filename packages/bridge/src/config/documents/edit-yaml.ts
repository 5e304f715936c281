import { withoutEnding } from '@toolbridge/client/internal'
import type { Pair, YAMLMap, YAMLSeq } from 'yaml'
import { hashStyle, insertItem, removeItem } from './edit-flow.ts'
import { printInline } from './edit-json.ts'
import type { JsonValue } from './json-value.ts'
import type { DocumentPath } from './node.ts'
import {
  deletion,
  indentationUnit,
  indented,
  insertion,
  isFirstInLine,
  lineEndOf,
  lineStart,
  lineStop,
  type Range,
  type TextEdit,
  withWholeLines,
} from './text-edit.ts'
import { frontMatterOf } from './yaml.ts'
import { isCollection, isMap, isScalar, isSeq, parseDocument, stringify } from './yaml-library.ts'

type Collection = YAMLMap | YAMLSeq

/** Edits that set the value at a path of a YAML text. Missing parents are added. */
export function setInYaml(text: string, path: DocumentPath, value: JsonValue): readonly TextEdit[] {
  const { parent, depth } = deepest(text, path)
  const step = path[depth]
  if (parent === undefined || step === undefined) return []
  const inner = path.slice(depth + 1).reduceRight<JsonValue>((deeper, key) => ({ [key]: deeper }), value)
  const index = indexOf(parent, step)
  return index === -1 ? add(text, parent, step, inner) : replace(text, parent, index, inner)
}

/** Edits that remove the value at a path from a YAML text. */
export function removeFromYaml(text: string, path: DocumentPath): readonly TextEdit[] {
  const { parent, depth } = deepest(text, path)
  const step = path[depth]
  if (parent === undefined || step === undefined || depth !== path.length - 1) return []
  const index = indexOf(parent, step)
  if (index === -1) return []
  if (parent.flow === true)
    return removeItem(text, { ...rangeOf(parent), items: itemRanges(text, parent) }, index, hashStyle)
  return parent.items.length === 1 ? emptied(text, parent) : removeBlock(text, parent, index)
}

/** The deepest existing collection on a path, and the number of steps to it. */
function deepest(text: string, path: DocumentPath): { readonly parent?: Collection; readonly depth: number } {
  const { contents } = parseDocument(frontMatterOf(text), { uniqueKeys: false })
  if (!isMap(contents) && !isSeq(contents)) return { depth: 0 }
  let parent: Collection = contents
  for (const [depth, step] of path.slice(0, -1).entries()) {
    const next: unknown = parent.get(step, true)
    if (!isMap(next) && !isSeq(next)) return isMissing(next) ? { parent, depth } : { depth }
    parent = next
  }
  return { parent, depth: path.length - 1 }
}

function isMissing(node: unknown): boolean {
  return node === undefined || (isScalar(node) && node.value === null)
}

function indexOf(parent: Collection, step: string | number): number {
  if (isSeq(parent)) return typeof step === 'number' && step < parent.items.length ? step : -1
  return parent.items.findIndex(({ key }) => (isScalar(key) ? key.value : key) === step)
}

function add(text: string, parent: Collection, step: string | number, value: JsonValue): readonly TextEdit[] {
  const items = itemRanges(text, parent)
  if (parent.flow === true) {
    const label = isMap(parent) ? `${JSON.stringify(String(step))}: ` : ''
    return insertItem(text, { ...rangeOf(parent), items }, () => label + printInline(value), hashStyle)
  }
  const last = items.at(-1)
  if (last === undefined) return []
  const start = isMap(parent) ? last.start : dashBefore(text, last.start)
  const column = ' '.repeat(start - lineStart(text, start))
  const printed = print(text, isMap(parent) ? { [step]: value } : [value])
  const lineEnd = lineEndOf(text)
  return [insertion(endOfBlock(text, last), lineEnd + column + indented(printed, column, lineEnd))]
}

/** The end of the last line, after its comment; block text includes its line end. */
function endOfBlock(text: string, { end }: Range): number {
  if (text[end - 1] !== '\n') return lineStop(text, end)
  return text[end - 2] === '\r' ? end - 2 : end - 1
}

function replace(text: string, parent: Collection, index: number, value: JsonValue): readonly TextEdit[] {
  const item = itemRanges(text, parent)[index]
  if (item === undefined) return []
  const pair = isMap(parent) ? parent.items[index] : undefined
  const keyEnd = pair === undefined ? item.start : rangeOf(pair.key).end
  const column = ' '.repeat(item.start - lineStart(text, item.start))
  const end = endOfReplaced(text, item)
  const edit = (printed: string): TextEdit => ({ offset: keyEnd, length: end - keyEnd, text: printed })
  if (parent.flow === true) return [edit(pair === undefined ? printInline(value) : `: ${printInline(value)}`)]
  const printed = pair === undefined ? print(text, value) : print(text, { k: value }).slice(1)
  return [edit(indented(printed, column, lineEndOf(text)))]
}

function endOfReplaced(text: string, { end }: Range): number {
  if (text[end - 1] !== '\n') return end
  return text[end - 2] === '\r' ? end - 2 : end - 1
}

/** A block needs at least one item. */
function emptied(text: string, parent: Collection): readonly TextEdit[] {
  const [item] = itemRanges(text, parent)
  if (item === undefined) return []
  const start = isMap(parent) ? item.start : dashBefore(text, item.start)
  const before = text.slice(0, start).trimEnd().length
  const end = endOfReplaced(text, item)
  const empty = isMap(parent) ? '{}' : '[]'
  const isBehindKey = text[before - 1] === ':'
  return [
    {
      offset: isBehindKey ? before : start,
      length: end - (isBehindKey ? before : start),
      text: isBehindKey ? ` ${empty}` : empty,
    },
  ]
}

function removeBlock(text: string, parent: Collection, index: number): readonly TextEdit[] {
  const items = itemRanges(text, parent)
  const item = items[index]
  if (item === undefined) return []
  const start = isMap(parent) ? item.start : dashBefore(text, item.start)
  const end = endOfReplaced(text, item)
  const next = items[index + 1]
  if (isFirstInLine(text, start) || next === undefined)
    return [deletion(withWholeLines(text, { start, end }))]
  return [deletion({ start, end: isMap(parent) ? next.start : dashBefore(text, next.start) })]
}

function dashBefore(text: string, offset: number): number {
  return text.lastIndexOf('-', offset - 1)
}

function itemRanges(text: string, parent: Collection): readonly Range[] {
  if (isSeq(parent)) return parent.items.map(rangeOf)
  return parent.items.map((pair) => pairRange(text, pair))
}

function pairRange(text: string, { key, value }: Pair): Range {
  const { start, end } = rangeOf(key)
  const inner = rangeOf(value)
  return { start, end: inner.end > end ? inner.end : text.indexOf(':', end) + 1 }
}

/** A collection ends with its last item, not with the comments and blank lines below. */
function rangeOf(node: unknown): Range {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
  if (!Array.isArray(range)) return { start: 0, end: 0 }
  const [start = 0, end = 0] = range.map(Number)
  if (!isCollection(node) || node.flow === true) return { start, end }
  const last: unknown = node.items.at(-1)
  const lastNode = isMap(node) && isPair(last) ? (last.value ?? last.key) : last
  return { start, end: lastNode === undefined ? end : Math.max(start, rangeOf(lastNode).end) }
}

function isPair(node: unknown): node is Pair {
  return typeof node === 'object' && node !== null && 'key' in node && 'value' in node
}

function print(text: string, value: JsonValue): string {
  const unit = indentationUnit(text)
  const printed = stringify(value, { indent: unit === '\t' ? 2 : unit.length, lineWidth: 0 })
  return withoutEnding(printed, '\n ')
}
