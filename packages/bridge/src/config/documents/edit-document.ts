import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@toolbridge/client/internal'
import { type ConfigDocument, type DocumentFormat, parseDocument } from './config-document.ts'
import { removeFromJson, setInJson } from './edit-json.ts'
import { removeFromToml, setInToml } from './edit-toml.ts'
import { removeFromYaml, setInYaml } from './edit-yaml.ts'
import type { JsonValue } from './json-value.ts'
import type { DocumentNode, DocumentPath } from './node.ts'
import { applyEdits, type TextEdit } from './text-edit.ts'

/** Sets one value of a document, or removes it if there is no value. */
export interface DocumentChange {
  readonly path: DocumentPath
  readonly value?: JsonValue
}

const setters = { json: setInJson, yaml: setInYaml, toml: setInToml }
const removers = { json: removeFromJson, yaml: removeFromYaml, toml: removeFromToml }

/**
 * Changes values of a text and preserves comments, order, indentation and line endings. The result is parsed again after each
 * change; returns undefined if it differs from the intended document, for example because the value is an alias.
 */
export function changeDocument(
  text: string,
  { format, root }: Pick<ConfigDocument, 'format' | 'root'>,
  changes: readonly DocumentChange[],
): string | undefined {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  let current: Body | undefined = { text: text.slice(mark.length), value: comparableNode(root.node) }
  for (const change of changes) current = current && changedBody(current, format, change)
  return current && mark + current.text
}

/** A text without its byte order mark, and its value. */
interface Body {
  readonly text: string
  readonly value: Comparable
}

function changedBody(before: Body, format: DocumentFormat, change: DocumentChange): Body | undefined {
  if (change.path.length === 0) return undefined
  const text = applyEdits(before.text, editsFor(before.text, format, change))
  const meant = withChange(before.value, change.path, change.value)
  const value = valueOf(text, format)
  const isMeant =
    format === 'toml'
      ? isDeepStrictEqual(withoutEmpty(value), withoutEmpty(meant))
      : isDeepStrictEqual(value, meant)
  return isMeant && value !== undefined ? { text, value } : undefined
}

/** In TOML, a table exists only through its content. */
function withoutEmpty(value: Comparable | undefined): Comparable | undefined {
  if (!(value instanceof Map)) return value
  const inner = [...value].map(([key, each]) => [key, withoutEmpty(each)] as const)
  const kept = inner.flatMap(([key, each]) => (each === undefined ? [] : [[key, each] as const]))
  return kept.length === 0 ? undefined : new Map(kept)
}

function editsFor(
  body: string,
  format: DocumentFormat,
  { path, value }: DocumentChange,
): readonly TextEdit[] {
  return value === undefined ? removers[format](body, path) : setters[format](body, path, value)
}

/** A value for comparison: maps are unordered, and no key is special. */
type Comparable = string | number | boolean | null | Comparable[] | Map<string, Comparable>

function valueOf(body: string, format: DocumentFormat): Comparable | undefined {
  const document = parseDocument(body, '', format)
  return 'root' in document ? comparableNode(document.root.node) : undefined
}

function comparableNode({ type, value, children = [] }: DocumentNode): Comparable {
  if (type === 'array') return children.map(comparableNode)
  if (type !== 'object') return value ?? null
  return new Map(
    children.flatMap(({ children: [key, inner] = [] }) =>
      key === undefined || inner === undefined ? [] : [[String(key.value), comparableNode(inner)] as const],
    ),
  )
}

function comparablePlain(value: JsonValue): Comparable {
  if (isList(value)) return value.map(comparablePlain)
  if (!isJsonObject(value)) return value
  return new Map(Object.entries(value).map(([key, inner]) => [key, comparablePlain(inner)]))
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function withChange(
  before: Comparable | undefined,
  path: DocumentPath,
  value: JsonValue | undefined,
): Comparable {
  const [step, ...rest] = path
  if (step === undefined) return value === undefined ? null : comparablePlain(value)
  const isGone = rest.length === 0 && value === undefined
  if (Array.isArray(before) && typeof step === 'number') {
    const inner = isGone ? [] : [withChange(before[step], rest, value)]
    return [...before.slice(0, step), ...inner, ...before.slice(step + 1)]
  }
  const changed = new Map(before instanceof Map ? before : [])
  if (isGone) changed.delete(String(step))
  else changed.set(String(step), withChange(changed.get(String(step)), rest, value))
  return changed
}
