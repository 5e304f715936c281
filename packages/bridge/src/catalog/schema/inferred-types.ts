import type { JsonSchema } from '@toolbridge/client'
import { listedValues } from './merge.ts'
import { stringList } from './schema.ts'

const telling: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

/** The types that a flat schema declares or implies; undefined if it accepts any. */
export function inferredTypes(
  schema: JsonSchema,
  assumed: (type: string) => void,
): readonly string[] | undefined {
  const said = typeof schema['type'] === 'string' ? [schema['type']] : stringList(schema['type'])
  if (said.length > 0) return said.includes('number') ? said.filter((type) => type !== 'integer') : said
  const values = listedValues(schema)
  if (values !== undefined) return [...new Set(values.map(typeOf))]
  const shown = Object.keys(telling).find((type) =>
    telling[type]?.some((keyword) => schema[keyword] !== undefined),
  )
  if (shown !== undefined) assumed(shown)
  return shown === undefined ? undefined : [shown]
}

/** Returns whether a value has a JSON Schema type. */
export function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
