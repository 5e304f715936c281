import { isTooDeep, MAX_DEPTH, type SchemaReader, typeName } from '@toolbridge/client/internal'

/** The value that a text stands for, or why it stands for none. */
export type TypedValue = { readonly value: unknown } | { readonly problem: string }

/** Converts a text to a type that the schema allows. Text stays text where the schema allows that or says nothing. */
export function typedValue(text: string, schema: unknown, reader: SchemaReader): TypedValue {
  const values = reader.values(schema)
  if (values !== undefined) return chosen(text, values)
  const types = reader.types(schema)
  if (types.size === 0 || (types.size === 1 && types.has('string'))) return { value: text }
  const value = parsed(text)
  if (value !== undefined && isOneOf(types, value)) return checked(text, value)
  if (types.has('string')) return { value: text }
  if (types.has('array')) return oneItem(text, schema, reader)
  return { problem: `must be ${describeTypes(types)}, not ${JSON.stringify(text)}` }
}

/** Whether a list may be given as several texts, one per item. */
export function isList(schema: unknown, reader: SchemaReader): boolean {
  return reader.types(schema).has('array')
}

/** A list from the texts of its items. */
export function typedList(texts: readonly string[], schema: unknown, reader: SchemaReader): TypedValue {
  const items: unknown[] = []
  for (const text of texts) {
    const item = typedValue(text, reader.items(schema), reader)
    if ('problem' in item) return item
    items.push(item.value)
  }
  return { value: items }
}

function oneItem(text: string, schema: unknown, reader: SchemaReader): TypedValue {
  // Text that begins like JSON was meant to be JSON.
  if (/^\s*[[{]/.test(text)) return { problem: 'must be a list; the JSON cannot be read' }
  return typedList([text], schema, reader)
}

function chosen(text: string, values: readonly unknown[]): TypedValue {
  const value = values.find((each) => each === text || JSON.stringify(each) === text)
  if (value !== undefined) return { value }
  const shown = values.map((each) => JSON.stringify(each)).join(', ')
  return { problem: `must be one of ${shown}, not ${JSON.stringify(text)}` }
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isOneOf(types: ReadonlySet<string>, value: unknown): boolean {
  return types.has(typeName(value)) || (types.has('integer') && Number.isInteger(value))
}

function checked(text: string, value: unknown): TypedValue {
  if (isTooDeep(value)) return { problem: `must not be nested deeper than ${MAX_DEPTH} levels` }
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^\s*-?\d+\s*$/.test(text))
    return { problem: `${text.trim()} is too large: another number would be sent` }
  return { value }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'a JSON object',
  string: 'text',
}

function describeTypes(types: ReadonlySet<string>): string {
  return [...types].map((type) => typeWords[type] ?? type).join(' or ')
}
