import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { Unlowerable } from './notes.ts'
import { mapSubschemas, type Schema, stringList } from './schema.ts'

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const maxDepth = 64

/** Converts one schema from older drafts to 2020-12 and removes invalid keywords. Nested schemas are unchanged. */
export function modernized(schema: JsonSchema): JsonSchema {
  let modern = schema
  if (Array.isArray(modern['items'])) modern = withPrefixItems(modern)
  if (typeof modern['exclusiveMinimum'] === 'boolean')
    modern = exclusive(modern, 'exclusiveMinimum', 'minimum')
  if (typeof modern['exclusiveMaximum'] === 'boolean')
    modern = exclusive(modern, 'exclusiveMaximum', 'maximum')
  if (isJsonObject(modern['dependencies'])) modern = withDependents(modern, modern['dependencies'])
  if ('required' in modern && !Array.isArray(modern['required'])) modern = without(modern, 'required')
  if ('pattern' in modern && !isPattern(modern['pattern'])) modern = without(modern, 'pattern')
  if ('enum' in modern && !Array.isArray(modern['enum'])) modern = without(modern, 'enum')
  return 'type' in modern ? withKnownTypes(modern) : modern
}

/** Converts a schema and all nested schemas to 2020-12. */
export function modernizedWhole(schema: Schema, depth = 0): Schema {
  if (typeof schema === 'boolean') return schema
  if (depth > maxDepth)
    throw new Unlowerable('schema_too_deep', `the schema is more than ${maxDepth} levels deep`)
  const { $schema: _, ...modern } = modernized(schema)
  return mapSubschemas(modern, '', (inner) => modernizedWhole(inner, depth + 1))
}

function withPrefixItems({ items, additionalItems, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  }
}

function exclusive(schema: JsonSchema, flag: string, bound: string): JsonSchema {
  const { [flag]: isExclusive, [bound]: value, ...rest } = schema
  if (value === undefined) return rest
  return { ...rest, [isExclusive === true ? flag : bound]: value }
}

function withDependents(schema: JsonSchema, dependencies: Readonly<Record<string, unknown>>): JsonSchema {
  const { dependencies: _, ...rest } = schema
  const entries = Object.entries(dependencies)
  return {
    ...rest,
    dependentRequired: Object.fromEntries(entries.filter(([, value]) => Array.isArray(value))),
    dependentSchemas: Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value))),
  }
}

/** Removes unknown types such as `any`, which some servers write. */
function withKnownTypes(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (typeof type === 'string') return typeNames.includes(type) ? schema : without(schema, 'type')
  const known = stringList(type).filter((name) => typeNames.includes(name))
  if (known.length === 0) return without(schema, 'type')
  return known.length === (Array.isArray(type) ? type.length : 0) ? schema : { ...schema, type: known }
}

/** Providers reject invalid regular expressions, and some servers use another regex dialect. */
function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  const { [keyword]: _, ...rest } = schema
  return rest
}
