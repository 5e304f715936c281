import { toolbridge } from '../dialects/toolbridge.ts'
import type { JsonValue } from '../documents/json-value.ts'
import { shownTexts, type ShownTexts } from '../fields/session-fields.ts'
import { ownValue } from '../fields/take-field.ts'
import { isPlainArgument } from './plain-arguments.ts'
import { isPlainUrl, isProgram, isReference, isWord } from './plain-texts.ts'

/** A server entry in Toolbridge's own dialect. */
export type ServerEntryObject = Readonly<Record<string, JsonValue>>

/**
 * Replaces by `mask` every text of an entry that may be a secret. Only texts that are surely none stay: words and flags that are
 * known, programs, URLs without credentials, and references to variables. Numbers and booleans stay.
 */
export function maskEntry(entry: ServerEntryObject, mask: JsonValue): ServerEntryObject {
  return mapValues(entry, (value, field) => {
    const isShown = shownIn[shownTexts(ownValue(toolbridge.fields, field))]
    return masked(value, [], (text, path) => (isShown(text, path, entry) ? text : mask))
  })
}

type Path = readonly (string | number)[]

const shownIn: Readonly<Record<ShownTexts, (text: string, path: Path, entry: ServerEntryObject) => boolean>> =
  {
    word: isWord,
    command: (text) => isProgram(text) || isReference(text),
    arguments: (_text, path, entry) => isShownArgument(path, entry),
    url: (text) => isPlainUrl(text) || isReference(text),
    auth: (text, path) => isReference(text) || isShownAuth(text, path),
    reference: (text) => isReference(text) || text === 'true' || text === 'false',
  }

function isShownArgument([index, ...inner]: Path, { args, command }: ServerEntryObject): boolean {
  if (typeof index !== 'number' || inner.length > 0 || !isTexts(args)) return false
  return isPlainArgument(args, index, typeof command === 'string' ? command : '')
}

function isShownAuth(text: string, [key, ...inner]: Path): boolean {
  if (inner.length > 0) return false
  return key === 'kind' ? isWord(text) : String(key).endsWith('Url') && isPlainUrl(text)
}

function masked(value: JsonValue, path: Path, replace: (text: string, path: Path) => JsonValue): JsonValue {
  if (typeof value === 'string') return replace(value, path)
  if (isList(value)) return value.map((item, index) => masked(item, [...path, index], replace))
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (item, key) => masked(item, [...path, key], replace))
}

function mapValues(
  record: ServerEntryObject,
  change: (value: JsonValue, key: string) => JsonValue,
): ServerEntryObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
