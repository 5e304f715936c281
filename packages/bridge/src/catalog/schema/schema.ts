import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { Unlowerable } from './notes.ts'

/** Any JSON Schema: `true` accepts everything, `false` nothing. */
export type Schema = JsonSchema | boolean

/** Reads a schema. Throws if the value is none. */
export function asSchema(value: unknown, path: string): Schema {
  if (typeof value === 'boolean' || isJsonObject(value)) return value
  throw new Unlowerable('schema_malformed', `there is no schema at ${path || 'the root'}`)
}

/** Reads a map of schemas; empty if absent. */
export function schemaMap(value: unknown, path: string): ReadonlyMap<string, Schema> {
  if (value === undefined) return new Map()
  if (!isJsonObject(value))
    throw new Unlowerable('schema_malformed', `the schemas at ${path || 'the root'} have no names`)
  return new Map(Object.entries(value).map(([name, schema]) => [name, asSchema(schema, `${path}/${name}`)]))
}

/** Reads one schema of a map; undefined if absent. */
export function namedSchema(schemas: unknown, name: string, path: string): Schema | undefined {
  if (!isJsonObject(schemas) || !Object.hasOwn(schemas, name)) return undefined
  return asSchema(schemas[name], `${path}/${name}`)
}

/** Reads a list of schemas; undefined if absent. */
export function schemaList(value: unknown, path: string): readonly Schema[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value))
    throw new Unlowerable('schema_malformed', `there is no list of schemas at ${path}`)
  return value.map((schema: unknown) => asSchema(schema, path))
}

/** The strings of a list. */
export function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

/** Creates a record in which `__proto__` is an ordinary name. */
export function recordOf<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.fromEntries(entries)
}

const mapKeywords = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singleKeywords = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]

/** Maps every direct subschema. */
export function mapSubschemas(
  schema: JsonSchema,
  path: string,
  change: (inner: Schema, keyword: string, name: string) => Schema,
): JsonSchema {
  return recordOf(
    Object.entries(schema).map(([keyword, value]): readonly [string, unknown] => {
      if (mapKeywords.includes(keyword))
        return [
          keyword,
          recordOf([...schemaMap(value, path)].map(([name, inner]) => [name, change(inner, keyword, name)])),
        ]
      if (listKeywords.includes(keyword))
        return [
          keyword,
          schemaList(value, path)?.map((inner, index) => change(inner, keyword, String(index))),
        ]
      if (singleKeywords.includes(keyword)) return [keyword, change(asSchema(value, path), keyword, '')]
      return [keyword, value]
    }),
  )
}
