import { type Field, fieldsOf, itemsOf, type Place, type Report, repeatedFields } from './document.ts'

/** The fields of one server's entry, for reading values by key. */
export interface EntryFields {
  readonly name: string
  readonly fields: ReadonlyMap<string, Field>
  readonly report: Report
}

/** Reads a string that must not be empty, if the key is there. */
export function readText(entry: EntryFields, key: string): string | undefined {
  const field = entry.fields.get(key)
  if (field === undefined) return undefined
  const { value } = field.node
  if (typeof value === 'string' && value !== '') return value
  return invalid(entry, field, `"${key}" must be a string that is not empty`)
}

/** Reads true or false, if the key is there. */
export function readFlag(entry: EntryFields, key: string): boolean | undefined {
  const field = entry.fields.get(key)
  if (field === undefined) return undefined
  const { value } = field.node
  if (typeof value === 'boolean') return value
  return invalid(entry, field, `"${key}" must be true or false`)
}

/** Reads an array of strings; none when the key is not there. */
export function readTextList(entry: EntryFields, key: string): readonly string[] {
  const field = entry.fields.get(key)
  if (field === undefined) return []
  if (field.node.type !== 'array') return invalid(entry, field, `"${key}" must be an array of strings`) ?? []
  return itemsOf(field).flatMap((item) => {
    const { value } = item.node
    if (typeof value === 'string') return [value]
    return invalid(entry, item, `every item of "${key}" must be a string`) ?? []
  })
}

/** Reads an object whose values are strings, or what the dialect takes for one. */
export function readTextMap(
  entry: EntryFields,
  key: string,
  values: 'text' | 'scalars',
): Readonly<Record<string, string>> {
  const field = entry.fields.get(key)
  if (field === undefined) return {}
  if (field.node.type !== 'object')
    return invalid(entry, field, `"${key}" must be an object of strings`) ?? {}
  const properties = fieldsOf(field)
  for (const repeated of repeatedFields(properties)) {
    invalid(entry, repeated, `"${key}" has "${repeated.key}" twice`)
  }
  return Object.fromEntries(properties.flatMap((property) => readMapValue(entry, key, property, values)))
}

function readMapValue(
  entry: EntryFields,
  key: string,
  property: Field,
  values: 'text' | 'scalars',
): readonly (readonly [string, string])[] {
  const { type, value } = property.node
  if (type === 'string') return [[property.key, String(value)]]
  if (values === 'scalars') {
    if (type === 'number' || type === 'boolean') return [[property.key, String(value)]]
    if (type === 'null') return []
  }
  return invalid(entry, property, `"${key}" must hold strings, but "${property.key}" is something else`) ?? []
}

function invalid(entry: EntryFields, place: Place, problem: string): undefined {
  entry.report(place, {
    code: 'field_invalid',
    severity: 'error',
    message: `server "${entry.name}": ${problem}`,
    fix: 'correct the value',
  })
}
