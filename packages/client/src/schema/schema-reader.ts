import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'
import { decodedFragment, valueAt } from './json-pointer.ts'

/** References that are followed, and schemas that one is composed of. A hostile schema could have any number. */
const maxReferences = 32
const maxParts = 200

const compositions = ['allOf', 'anyOf', 'oneOf'] as const

/** Reads the untrusted JSON Schema of a tool, through references and compositions. Never throws. */
export class SchemaReader {
  readonly #root: unknown

  constructor(root: unknown) {
    this.#root = root
  }

  /** The schema that a reference within the document leads to; undefined if there is none. */
  target(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
    const pointer = decodedFragment(reference.slice(1))
    return pointer === '' || pointer?.startsWith('/') === true ? valueAt(this.#root, pointer) : undefined
  }

  /** The schema behind references, together with the keywords beside them. */
  resolve(schema: unknown): JsonObject {
    let found: unknown = schema
    for (let step = 0; step < maxReferences && isJsonObject(found); step += 1) {
      const { $ref, ...beside }: JsonObject = found
      if ($ref === undefined) return found
      const target = this.target($ref)
      found = isJsonObject(target) ? { ...target, ...beside } : beside
    }
    return {}
  }

  /** The properties of an object, also those of the schemas that it is composed of. */
  properties(schema: unknown): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>()
    for (const { properties } of this.#parts(schema))
      for (const [name, inner] of isJsonObject(properties) ? Object.entries(properties) : [])
        if (!found.has(name)) found.set(name, inner)
    return found
  }

  /** Names of the properties that an object must have. */
  required(schema: unknown): readonly string[] {
    const own = this.resolve(schema)
    const all = [own, ...listOf(own['allOf']).map((each) => this.resolve(each))]
    return [...new Set(all.flatMap(({ required }) => listOf(required)))].filter(isText)
  }

  /** Whether the schema says that an object may have other properties, or does not name any. */
  isOpen(schema: unknown): boolean {
    const parts = this.#parts(schema)
    const names = parts.some(({ properties }) => properties !== undefined)
    const permits = parts.some(
      ({ additionalProperties: others, patternProperties: patterns }) =>
        others === true || isJsonObject(others) || isJsonObject(patterns),
    )
    return permits || (!names && !parts.some(({ additionalProperties: others }) => others === false))
  }

  /** The names of the types that a value may have; empty if it may have any. */
  types(schema: unknown): ReadonlySet<string> {
    const own = this.resolve(schema)
    const parts = own['type'] === undefined ? this.#parts(schema) : [own]
    return new Set(parts.flatMap(typesIn))
  }

  /** The schema of the items of a list. */
  items(schema: unknown): unknown {
    return this.#parts(schema).find(({ items }) => isJsonObject(items))?.['items']
  }

  /** The values that an enumeration allows; undefined if others are allowed as well. */
  values(schema: unknown): readonly unknown[] | undefined {
    const leaves = this.#parts(schema).filter((part) => compositions.every((key) => part[key] === undefined))
    const lists = leaves.map(valuesIn)
    return leaves.length === 0 || lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
  }

  /** The schema and those that it is composed of, without references. */
  #parts(schema: unknown): readonly JsonObject[] {
    const parts = [this.resolve(schema)]
    for (const part of parts)
      for (const inner of compositions.flatMap((key) => listOf(part[key])))
        if (parts.length < maxParts) parts.push(this.resolve(inner))
    return parts
  }
}

function typesIn({ type, enum: values, const: only, properties, items }: JsonObject): readonly string[] {
  if (type !== undefined) return listOf(type).filter(isText)
  if (Array.isArray(values)) return values.map(typeName)
  if (only !== undefined) return [typeName(only)]
  if (properties !== undefined) return ['object']
  return items === undefined ? [] : ['array']
}

/** The name that JSON Schema has for the type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function valuesIn({ enum: values, const: only, type }: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values
  if (only !== undefined) return [only]
  return type === 'null' ? [null] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
