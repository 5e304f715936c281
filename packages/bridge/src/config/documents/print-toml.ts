import { isJsonObject } from '@toolbridge/client/internal'
import type { JsonValue } from './json-value.ts'

type JsonObject = Readonly<Record<string, JsonValue>>

/** Prints an object as TOML 1.0: the first two levels as tables, deeper objects inline. */
export function printToml(document: JsonObject): string {
  return `${tableLines([], document, 2).join('\n')}\n`
}

/** Lines of a table: first its values, then nested tables. */
function tableLines(path: readonly string[], table: JsonObject, levels: number): readonly string[] {
  const isInner = ([, value]: readonly [string, JsonValue]): boolean => levels > 0 && isTable(value)
  const entries = Object.entries(table).filter(([, value]) => value !== null)
  const values = entries
    .filter((entry) => !isInner(entry))
    .map(([key, value]) => `${printKey(key)} = ${printValue(value)}`)
  const inner = entries.filter(isInner).map(([key, value]) => {
    const innerPath = [...path, key]
    const lines = tableLines(innerPath, isTable(value) ? value : {}, levels - 1)
    const hasOwn = lines.length === 0 || !lines[0]?.startsWith('[')
    return hasOwn ? [`[${innerPath.map(printKey).join('.')}]`, ...lines] : lines
  })
  return [values, ...inner]
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function isTable(value: JsonValue): value is JsonObject {
  return isJsonObject(value)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Prints a value. */
export function printValue(value: JsonValue): string {
  if (typeof value === 'string') return printText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isList(value)) return `[${value.map(printValue).join(', ')}]`
  if (!isTable(value)) return '""'
  const pairs = Object.entries(value).filter(([, inner]) => inner !== null)
  return pairs.length === 0
    ? '{}'
    : `{ ${pairs.map(([key, inner]) => `${printKey(key)} = ${printValue(inner)}`).join(', ')} }`
}

/** Prints a key, quoted if necessary. */
export function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : printText(key)
}

/** JSON strings are TOML basic strings, except for the delete character and lone surrogates. */
function printText(text: string): string {
  return JSON.stringify(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD')).replaceAll(
    '\u007F',
    () => String.raw`\u007F`,
  )
}
