import type { SchemaReader } from '@toolbridge/client/internal'

const maxValues = 8
const maxDepth = 3

/** The type of a schema in a few words for people: `integer`, `"a" | "b"`, `{ name: string, tags?: string[] }`. */
export function typeText(schema: unknown, reader: SchemaReader, depth = 0): string {
  const values = reader.values(schema)
  if (values !== undefined) return valuesText(values)
  const types = [...reader.types(schema)]
  if (types.length === 0) return 'any'
  return types.map((type) => ofType(type, schema, reader, depth)).join(' | ')
}

function ofType(type: string, schema: unknown, reader: SchemaReader, depth: number): string {
  if (type === 'array') return listText(reader.items(schema), reader, depth)
  if (type === 'object') return objectText(schema, reader, depth)
  return type
}

function listText(items: unknown, reader: SchemaReader, depth: number): string {
  const item = items === undefined || depth === maxDepth ? 'any' : typeText(items, reader, depth + 1)
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}

function objectText(schema: unknown, reader: SchemaReader, depth: number): string {
  const properties = [...reader.properties(schema)]
  if (properties.length === 0 || properties.length > maxValues || depth === maxDepth) return 'object'
  const required = new Set(reader.required(schema))
  const fields = properties.map(
    ([name, inner]) => `${name}${required.has(name) ? '' : '?'}: ${typeText(inner, reader, depth + 1)}`,
  )
  return `{ ${fields.join(', ')} }`
}

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, maxValues).map((value) => JSON.stringify(value))
  return [...shown, ...(values.length > maxValues ? ['…'] : [])].join(' | ')
}
