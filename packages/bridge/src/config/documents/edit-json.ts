import { isJsonObject } from '@toolbridge/client/internal'
import type { Node } from 'jsonc-parser'
import { type FlowList, insertItem, jsonStyle, removeItem } from './edit-flow.ts'
import { jsonc } from './json-library.ts'
import type { JsonValue } from './json-value.ts'
import type { DocumentPath } from './node.ts'
import {
  indentationAt,
  indentationUnit,
  indented,
  lineEndOf,
  type Range,
  type TextEdit,
} from './text-edit.ts'

/** Edits that set the value at a path of a JSON text. Missing parents are added. */
export function setInJson(text: string, path: DocumentPath, value: JsonValue): readonly TextEdit[] {
  let node = jsonc().parseTree(text, [], { allowTrailingComma: true })
  for (const [depth, step] of path.entries()) {
    const next = node === undefined ? undefined : childAt(node, step)
    if (next === undefined) return node === undefined ? [] : addTo(text, node, path.slice(depth), value)
    node = next
  }
  if (node === undefined) return []
  const printed = printAt(text, value, indentationAt(text, node.offset), isOnOneLine(text, node))
  return [{ offset: node.offset, length: node.length, text: printed }]
}

/** Edits that remove a property or an item from a JSON text. */
export function removeFromJson(text: string, path: DocumentPath): readonly TextEdit[] {
  const root = jsonc().parseTree(text, [], { allowTrailingComma: true })
  const step = path.at(-1)
  const parent = path.slice(0, -1).reduce<Node | undefined>((node, key) => node && childAt(node, key), root)
  if (parent === undefined || step === undefined) return []
  const index = (parent.children ?? []).findIndex((child, at) => nameOf(child, at) === step)
  return removeItem(text, listOf(parent), index, jsonStyle)
}

function addTo(text: string, parent: Node, path: DocumentPath, value: JsonValue): readonly TextEdit[] {
  const [step, ...rest] = path
  const inner = rest.reduceRight<JsonValue>((deeper, key) => ({ [key]: deeper }), value)
  const label = parent.type === 'object' ? `${JSON.stringify(String(step))}: ` : ''
  return insertItem(
    text,
    listOf(parent),
    (at) => label + printAt(text, inner, at.indentation, at.isOnOneLine),
    jsonStyle,
  )
}

function childAt(node: Node, step: string | number): Node | undefined {
  const found = (node.children ?? []).findLast((child, index) => nameOf(child, index) === step)
  return found?.type === 'property' ? found.children?.[1] : found
}

function nameOf(child: Node, index: number): unknown {
  return child.type === 'property' ? child.children?.[0]?.value : index
}

function listOf({ offset, length, children = [] }: Node): FlowList {
  return { ...rangeOf({ offset, length }), items: children.map(rangeOf) }
}

function rangeOf({ offset, length }: Pick<Node, 'offset' | 'length'>): Range {
  return { start: offset, end: offset + length }
}

/** A value that is on one line in a document of several lines stays on one line. */
function isOnOneLine(text: string, { offset, length }: Node): boolean {
  return length > 2 && !text.slice(offset, offset + length).includes('\n')
}

function printAt(text: string, value: JsonValue, indentation: string, isInline: boolean): string {
  if (isInline) return printInline(value)
  return indented(JSON.stringify(value, undefined, indentationUnit(text)), indentation, lineEndOf(text))
}

/** A value on one line. */
export function printInline(value: JsonValue): string {
  if (isList(value)) return `[${value.map(printInline).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${printInline(inner)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
