import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject, safeRegExp } from '@toolbridge/client/internal'
import { intersection, type OnDropped } from './intersection.ts'
import { Unlowerable } from './notes.ts'
import { asSchema, namedSchema, recordOf, type Schema, schemaMap, stringList } from './schema.ts'

/** The intersection of the object keywords of two schemas. */
export function mergeObjects(a: JsonSchema, b: JsonSchema, dropped: OnDropped): JsonSchema {
  if (isOpen(a) && isOpen(b)) return {}
  const patterns = mergedMaps(a['patternProperties'], b['patternProperties'])
  if (limitsOthers(a) && isJsonObject(b['patternProperties'])) dropped('patternProperties')
  if (limitsOthers(b) && isJsonObject(a['patternProperties'])) dropped('patternProperties')
  const additional = intersection(a['additionalProperties'], b['additionalProperties'])
  return {
    properties: mergedProperties(a, b),
    ...(patterns.size === 0 ? {} : { patternProperties: recordOf(patterns) }),
    ...(additional === undefined ? {} : { additionalProperties: additional }),
    ...mergedDependents(a, b),
  }
}

function isOpen(schema: JsonSchema): boolean {
  return objectKeywords.every((keyword) => schema[keyword] === undefined)
}

const objectKeywords = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'dependentSchemas',
  'dependentRequired',
]

function limitsOthers({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== true
}

/** A property that only one schema names must also match `additionalProperties` of the other. */
function mergedProperties(a: JsonSchema, b: JsonSchema): Readonly<Record<string, unknown>> {
  const names = new Set([...schemaMap(a['properties'], '').keys(), ...schemaMap(b['properties'], '').keys()])
  return recordOf(
    [...names].map(
      (name) => [name, intersection(propertySchema(a, name), propertySchema(b, name)) ?? true] as const,
    ),
  )
}

/** Each pattern is tested on each name. */
const maxPatterns = 50

/** The schema of one property, named or not; undefined if unconstrained. */
export function propertySchema(schema: JsonSchema, name: string): Schema | undefined {
  const named = namedSchema(schema['properties'], name, '')
  const patterns = schemaMap(schema['patternProperties'], '')
  if (patterns.size > maxPatterns)
    throw new Unlowerable('schema_too_large', `it has more than ${maxPatterns} patterns`)
  const matching = [...patterns]
    .filter(([pattern]) => safeRegExp(pattern).test(name))
    .map(([, inner]) => inner)
  const saying = named === undefined ? matching : [named, ...matching]
  if (saying.length > 0) return saying.length === 1 ? saying[0] : { allOf: saying }
  return asSchema(schema['additionalProperties'] ?? true, '')
}

function mergedDependents(a: JsonSchema, b: JsonSchema): JsonSchema {
  const schemas = mergedMaps(a['dependentSchemas'], b['dependentSchemas'])
  const [first, second] = [a['dependentRequired'], b['dependentRequired']]
  const names = new Set([
    ...Object.keys(isJsonObject(first) ? first : {}),
    ...Object.keys(isJsonObject(second) ? second : {}),
  ])
  const required = [...names].map((name): readonly [string, readonly string[]] => [
    name,
    [first, second].flatMap((side) => stringList(isJsonObject(side) ? side[name] : undefined)),
  ])
  return {
    ...(schemas.size === 0 ? {} : { dependentSchemas: recordOf(schemas) }),
    ...(required.length === 0 ? {} : { dependentRequired: recordOf(required) }),
  }
}

function mergedMaps(a: unknown, b: unknown): ReadonlyMap<string, unknown> {
  const [first, second] = [schemaMap(a, ''), schemaMap(b, '')]
  const names = new Set([...first.keys(), ...second.keys()])
  return new Map([...names].map((name) => [name, intersection(first.get(name), second.get(name))]))
}
