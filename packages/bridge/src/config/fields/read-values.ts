import {
  type DocumentLocation,
  type Field,
  fieldsOf,
  itemsOf,
  repeatedFields,
} from '../documents/config-document.ts'
import type { SpecFieldName } from '../spec/spec-fields.ts'
import { type EntryReader, quoted } from './entry-reader.ts'

/** Reads a non-empty string. */
export function readText(location: DocumentLocation, entry: EntryReader, what: string): string | undefined {
  const { value } = location.node
  if (typeof value === 'string' && value !== '') return value
  return entry.invalid(location, what, 'a non-empty string')
}

export interface LocatedText {
  readonly location: DocumentLocation
  readonly value: string
}

/** Reads an array of strings. */
export function readTexts(
  location: DocumentLocation,
  entry: EntryReader,
  what: string,
): readonly LocatedText[] | undefined {
  if (location.node.type !== 'array') return entry.invalid(location, what, 'an array of strings')
  return itemsOf(location).flatMap((item) => {
    const { value } = item.node
    if (typeof value === 'string') return [{ location: item, value }]
    return entry.invalid(item, `every item of ${what}`, 'a string') ?? []
  })
}

/** Reads a boolean. */
export function readFlag(field: Field, entry: EntryReader): boolean | undefined {
  const { value } = field.node
  return typeof value === 'boolean' ? value : entry.invalid(field, quoted(field), 'true or false')
}

/** Reads a number greater than zero, in any unit. */
export function readTime(field: Field, entry: EntryReader): number | undefined {
  const { value } = field.node
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  const found = typeof value === 'number' ? 'zero or less' : undefined
  return entry.invalid(field, quoted(field), 'a number greater than zero', found)
}

/** Reads a port; 0 stands for any free one. */
export function readPort(field: Field, entry: EntryReader): number | undefined {
  const { value } = field.node
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value
  const found = typeof value === 'number' ? 'another number' : undefined
  return entry.invalid(field, quoted(field), 'an integer from 0 to 65535', found)
}

/** Reads an object of strings. */
export function readMap(
  field: Field,
  entry: EntryReader,
  specField: SpecFieldName,
  values: 'text' | 'scalars' = 'text',
): Readonly<Record<string, string>> | undefined {
  if (field.node.type !== 'object') return entry.invalid(field, quoted(field), 'an object of strings')
  const properties = fieldsOf(field)
  // Header names are case-insensitive.
  const named = properties.map((field) =>
    specField === 'headers' ? { ...field, key: field.key.toLowerCase() } : field,
  )
  for (const repeated of repeatedFields(named)) reportRepeated(repeated, entry)
  return Object.fromEntries(
    properties.flatMap((property) => {
      const value = mapValue(property, entry, values)
      return value === undefined ? [] : [[property.key, entry.text(property, value, specField)]]
    }),
  )
}

/** Reports a duplicate key. */
export function reportRepeated(field: Field, entry: EntryReader): void {
  entry.refuse(field, {
    code: 'field_duplicate',
    message: `${quoted(field)} is set twice`,
    found: 'the same key twice',
    expected: 'each key once',
    fix: 'remove one of them',
  })
}

function mapValue(property: Field, entry: EntryReader, values: 'text' | 'scalars'): string | undefined {
  const { type, value } = property.node
  const isText = type === 'string' || (values === 'scalars' && (type === 'number' || type === 'boolean'))
  return isText ? String(value) : entry.invalid(property, quoted(property), 'a string')
}
