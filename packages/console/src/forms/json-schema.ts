import { isJsonObject, type JsonObject, pointerSteps } from '../ui/json.ts'

/** A JSON Schema. Schemas are untrusted: invalid parts are ignored. */
export type Schema = JsonObject

/** Returns the value if it is an object, else an empty schema. */
export function asSchema(value: unknown): Schema {
  return isJsonObject(value) ? value : {}
}

/** Returns the schemas of a list such as `anyOf`, or undefined. */
export function schemasIn(schema: Schema, name: string): readonly Schema[] | undefined {
  const value = schema[name]
  return Array.isArray(value) ? value.map(asSchema) : undefined
}

/** Returns a text of the schema. */
export function textIn(schema: Schema, name: string): string | undefined {
  const value = schema[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the numbers of the schema that have these names. */
export function numbersIn<Name extends string>(
  schema: Schema,
  names: readonly Name[],
): { [name in Name]?: number } {
  const found: { [name in Name]?: number } = {}
  for (const name of names) {
    const value = schema[name]
    if (typeof value === 'number') found[name] = value
  }
  return found
}

/**
 * Returns the schema that a form is generated from: with local references and `allOf` replaced by what they say, and a
 * nullable type by its other type.
 */
export function simplified(schema: Schema, root: Schema): Schema {
  return withoutNull(withAllOf(withoutReference(schema, root), root), root)
}

/** References that lead to each other end here. */
const maxReferences = 20

function withoutReference(schema: Schema, root: Schema): Schema {
  let current = schema
  for (let count = 0; count < maxReferences; count += 1) {
    const reference = textIn(current, '$ref')
    if (reference === undefined) return current
    const { $ref: _reference, ...own } = current
    current = { ...referenced(reference, root), ...own }
  }
  return {}
}

function referenced(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return {}
  const names = pointerSteps(reference.slice(1))
  return asSchema(names.reduce<unknown>((value, name) => ownIn(value, name), root))
}

function ownIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Schema)[name]
    : undefined
}

function withAllOf(schema: Schema, root: Schema): Schema {
  const parts = schemasIn(schema, 'allOf')
  if (parts === undefined) return schema
  const { allOf: _parts, ...own } = schema
  return [...parts.map((part) => withoutReference(part, root)), own].reduce(merged, {})
}

function merged(one: Schema, other: Schema): Schema {
  const required = [one['required'], other['required']].filter(Array.isArray).flat()
  const properties = { ...asSchema(one['properties']), ...asSchema(other['properties']) }
  return {
    ...one,
    ...other,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

/** Reads a type and null, as Python generates for optional values, as that type. */
function withoutNull(schema: Schema, root: Schema): Schema {
  const name = ['anyOf', 'oneOf'].find((list) => Array.isArray(schema[list]))
  if (name === undefined) return withoutNullType(schema)
  const options = schemasIn(schema, name) ?? []
  const named = options.filter(({ type }) => type !== 'null')
  const [only, another] = named
  const { [name]: _options, ...own } = schema
  if (another !== undefined || options.length < 2) return schema
  return withoutReference({ ...only, ...own }, root)
}

function withoutNullType(schema: Schema): Schema {
  const { type } = schema
  if (!Array.isArray(type)) return schema
  const named = type.filter((name) => name !== 'null')
  return { ...schema, type: named.length === 1 ? named[0] : named }
}
