import { isJsonObject } from '@toolbridge/client/internal'
import type { AST } from 'toml-eslint-parser'
import { type FlowList, hashStyle, inlineStyle, insertItem, removeItem } from './edit-flow.ts'
import type { JsonValue } from './json-value.ts'
import type { DocumentPath } from './node.ts'
import { printKey, printToml, printValue } from './print-toml.ts'
import {
  deletion,
  indentationAt,
  insertion,
  lineEndOf,
  lineStop,
  type Range,
  type TextEdit,
  withWholeLines,
} from './text-edit.ts'
import { toml } from './toml-library.ts'

/** A table or a key-value pair of the text. */
interface Piece {
  readonly path: DocumentPath
  /** Path of the table that contains it. */
  readonly within: DocumentPath
  readonly node: AST.TOMLTable | AST.TOMLKeyValue
}

/** Edits that set the value at a path of a TOML text. Missing parents are added. */
export function setInToml(text: string, path: DocumentPath, value: JsonValue): readonly TextEdit[] {
  const pieces = piecesOf(text)
  const own = outermost(pieces.filter((piece) => isUnder(piece.path, path)))
  const [first, ...others] = own
  if (first !== undefined) {
    const rest = others.map(({ node }) => deletion(withBlankLine(text, rangeOf(node))))
    return [replacement(text, first, path, value), ...rest]
  }
  const around = pieceAround(pieces, path)
  return around === undefined ? add(text, pieces, path, value) : setInside(text, around, path, value)
}

/** Edits that remove the value at a path from a TOML text. */
export function removeFromToml(text: string, path: DocumentPath): readonly TextEdit[] {
  const pieces = piecesOf(text)
  const own = outermost(pieces.filter((piece) => isUnder(piece.path, path)))
  if (own.length > 0) return own.map(({ node }) => deletion(withBlankLine(text, rangeOf(node))))
  const around = pieceAround(pieces, path)
  if (around === undefined) return []
  const { list, node, missing } = descend(around, path.slice(0, -1))
  const index = indexIn(node, path.at(-1))
  return list === undefined || missing.length > 0 ? [] : removeItem(text, list, index, styleOf(node))
}

function piecesOf(text: string): readonly Piece[] {
  const [top] = toml().parseTOML(text, { tomlVersion: '1.0' }).body
  return top.body.flatMap((item): readonly Piece[] => {
    if (item.type === 'TOMLKeyValue') return [pairPiece(item, [])]
    const path = item.resolvedKey
    return [{ path, within: [], node: item }, ...item.body.map((pair) => pairPiece(pair, path))]
  })
}

function pairPiece(node: AST.TOMLKeyValue, within: DocumentPath): Piece {
  return { path: [...within, ...namesOf(node.key)], within, node }
}

function namesOf({ keys }: AST.TOMLKey): readonly string[] {
  return keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))
}

/** Excludes pairs of tables that are removed as a whole. */
function outermost(pieces: readonly Piece[]): readonly Piece[] {
  const tables = new Set(pieces.map(({ node }) => node))
  return pieces.filter(({ node }) => node.type === 'TOMLTable' || !isTableIn(node.parent, tables))
}

function isTableIn(node: AST.TOMLNode, tables: ReadonlySet<AST.TOMLNode>): boolean {
  return node.type === 'TOMLTable' && tables.has(node)
}

function isUnder(path: DocumentPath, prefix: DocumentPath): boolean {
  return prefix.every((step, index) => path[index] === step)
}

/** The pair whose value contains a path. */
function pieceAround(pieces: readonly Piece[], path: DocumentPath): Piece | undefined {
  return pieces.find(({ node, path: own }) => node.type === 'TOMLKeyValue' && isUnder(path, own))
}

function replacement(text: string, { node, within }: Piece, path: DocumentPath, value: JsonValue): TextEdit {
  const { start, end } = rangeOf(node)
  if (node.type === 'TOMLTable')
    return { offset: start, length: end - start, text: blockOf(text, path, value) }
  const [valueStart, valueEnd] = node.value.range
  const isWhole = within.length + node.key.keys.length === path.length
  if (isWhole) return { offset: valueStart, length: valueEnd - valueStart, text: printValue(value) }
  const key = path.slice(within.length).map((step) => printKey(String(step)))
  return { offset: start, length: end - start, text: `${key.join('.')} = ${printValue(value)}` }
}

/** A table with its header; nested tables are inline. */
function blockOf(text: string, path: DocumentPath, value: JsonValue): string {
  const printed =
    isTable(value) && path.length > 1
      ? `[${headerOf(path)}]\n${linesOf(value)}`
      : printToml(nested(path, value))
  return printed.trimEnd().replaceAll('\n', lineEndOf(text))
}

function headerOf(path: DocumentPath): string {
  return path.map((step) => printKey(String(step))).join('.')
}

function linesOf(table: Readonly<Record<string, JsonValue>>): string {
  return Object.entries(table)
    .map(([key, value]) => `${printKey(key)} = ${printValue(value)}\n`)
    .join('')
}

function nested(path: DocumentPath, value: JsonValue): Readonly<Record<string, JsonValue>> {
  const whole = path.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value)
  return isTable(whole) ? whole : {}
}

function isTable(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return isJsonObject(value)
}

function add(
  text: string,
  pieces: readonly Piece[],
  path: DocumentPath,
  value: JsonValue,
): readonly TextEdit[] {
  if (isTable(value)) return [appended(text, pieces, path, blockOf(text, path, value))]
  const parent = path.slice(0, -1)
  const line = `${printKey(String(path.at(-1)))} = ${printValue(value)}`
  const table = pieces.find(({ node, path: own }) => node.type === 'TOMLTable' && isSame(own, parent))
  if (table !== undefined) return [lineAfter(text, lastOf(table.node), line)]
  const sibling = pieces.findLast(
    ({ node, path: own }) => node.type === 'TOMLKeyValue' && isUnder(own, parent),
  )
  if (sibling !== undefined && sibling.within.length <= parent.length)
    return [besides(text, sibling, path, value)]
  if (parent.length === 0) return [insertion(0, line + lineEndOf(text))]
  return [appended(text, pieces, parent, `[${headerOf(parent)}]${lineEndOf(text)}${line}`)]
}

function isSame(a: DocumentPath, b: DocumentPath): boolean {
  return a.length === b.length && isUnder(a, b)
}

/** The last line of a table; its header if the table is empty. */
function lastOf(node: Piece['node']): AST.TOMLNode {
  return node.type === 'TOMLTable' ? (node.body.at(-1) ?? node.key) : node
}

function lineAfter(text: string, node: AST.TOMLNode, line: string): TextEdit {
  const indentation = indentationAt(text, node.range[0])
  return insertion(lineStop(text, node.range[1]), lineEndOf(text) + indentation + line)
}

/** Adds a pair after one with a dotted key, in the same notation. */
function besides(text: string, { node, within }: Piece, path: DocumentPath, value: JsonValue): TextEdit {
  return lineAfter(text, node, `${headerOf(path.slice(within.length))} = ${printValue(value)}`)
}

/** Adds a block after the related tables, or at the end of the text. */
function appended(text: string, pieces: readonly Piece[], path: DocumentPath, block: string): TextEdit {
  const lineEnd = lineEndOf(text)
  const family = pieces.findLast(({ node, path: own }) => node.type === 'TOMLTable' && own[0] === path[0])
  if (family !== undefined) {
    const stop = lineStop(text, rangeOf(lastOf(family.node)).end)
    return insertion(stop, lineEnd + lineEnd + block)
  }
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd
  return insertion(text.length, gap + block + lineEnd)
}

/** Inside an inline table or an array. */
function setInside(text: string, around: Piece, path: DocumentPath, value: JsonValue): readonly TextEdit[] {
  const { node, list, missing } = descend(around, path)
  if (missing.length === 0) {
    const { start, end } = rangeOf(node)
    return [{ offset: start, length: end - start, text: printValue(value) }]
  }
  if (list === undefined) return []
  const [step, ...rest] = missing
  const inner = rest.reduceRight<JsonValue>((deeper, key) => ({ [key]: deeper }), value)
  const label = node.type === 'TOMLInlineTable' ? `${printKey(String(step))} = ` : ''
  return insertItem(text, list, () => label + printValue(inner), styleOf(node))
}

interface Descent {
  readonly node: AST.TOMLContentNode
  /** The node as a list, if it is one. */
  readonly list: FlowList | undefined
  /** The steps of the path that do not exist. */
  readonly missing: DocumentPath
}

function descend({ node, path: own }: Piece, path: DocumentPath): Descent {
  let at: AST.TOMLContentNode | undefined = node.type === 'TOMLKeyValue' ? node.value : undefined
  if (at === undefined) throw new TypeError('a table has no value')
  const steps = path.slice(own.length)
  for (const [depth, step] of steps.entries()) {
    const next: AST.TOMLContentNode | undefined = contentAt(at, step)
    if (next === undefined) return { node: at, list: listOf(at), missing: steps.slice(depth) }
    at = next
  }
  return { node: at, list: listOf(at), missing: [] }
}

function contentAt(node: AST.TOMLContentNode, step: string | number): AST.TOMLContentNode | undefined {
  if (node.type === 'TOMLArray') return typeof step === 'number' ? node.elements[step] : undefined
  if (node.type !== 'TOMLInlineTable') return undefined
  return node.body.find(({ key }) => isSame(namesOf(key), [step]))?.value
}

function indexIn(node: AST.TOMLContentNode, step: string | number | undefined): number {
  if (node.type === 'TOMLArray') return typeof step === 'number' ? step : -1
  if (node.type !== 'TOMLInlineTable' || step === undefined) return -1
  return node.body.findIndex(({ key }) => isSame(namesOf(key), [step]))
}

function listOf(node: AST.TOMLContentNode): FlowList | undefined {
  if (node.type === 'TOMLValue') return undefined
  const items: readonly AST.TOMLNode[] = node.type === 'TOMLArray' ? node.elements : node.body
  return { ...rangeOf(node), items: items.map(rangeOf) }
}

function styleOf(node: AST.TOMLContentNode): typeof hashStyle {
  return node.type === 'TOMLArray' ? hashStyle : inlineStyle
}

function rangeOf({ range: [start, end] }: { readonly range: readonly [number, number] }): Range {
  return { start, end }
}

/** A table is removed with the blank line above it. */
function withBlankLine(text: string, range: Range): Range {
  const lines = withWholeLines(text, range)
  if (text[range.start] !== '[' || lines.start === range.start) return lines
  const [blank = ''] = /\r?\n[ \t]*$/.exec(text.slice(0, lines.start)) ?? []
  return { start: lines.start - blank.length, end: lines.end }
}
