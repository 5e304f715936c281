import type { JsonSchema } from '@toolbridge/client'
import {
  distinctChoices,
  type Emitter,
  type LoweredObject,
  type LoweredProperty,
  type NoteSink,
} from './emitter.ts'
import type { Markers } from './markers.ts'
import { Unlowerable } from '../schema/notes.ts'
import { recordOf, stringList } from '../schema/schema.ts'

/** OpenAI strict mode: all properties required, no others allowed, null for omitted ones. */
export function strictEmitter(markers: Markers): Emitter {
  return {
    hasReferences: true,
    any: ({ path }) => {
      throw new Unlowerable(
        'not_expressible',
        `strict mode does not support a schema for any value, at ${path || 'the root'}`,
      )
    },
    object: (object, notes) => strictObject(object, notes, markers),
    union: strictUnion,
    values: (_type, values) => ({ enum: values }),
    exclusiveBound: (keyword, value) => ({ [keyword]: value }),
  }
}

function strictObject(
  { properties, others, isRoot }: LoweredObject,
  notes: NoteSink,
  markers: Markers,
): JsonSchema {
  // At the root, a schema without properties and `additionalProperties` means no arguments.
  const isOfAnyNames = isRoot ? others !== undefined && others !== false : others !== false
  if (properties.length === 0 && isOfAnyNames)
    throw new Unlowerable(
      'not_expressible',
      `strict mode does not support an object with any property names, at ${notes.path || 'the root'}`,
    )
  if (others !== false)
    notes.note('narrowed', 'extra_properties', 'the model can only use the properties that are named')
  const optional = new Set<string>()
  const strict = {
    type: 'object',
    properties: recordOf(
      properties.map((property) => [property.name, nullable(property, optional)] as const),
    ),
    required: properties.map(({ name }) => name),
    additionalProperties: false,
  }
  markers.markOptional(strict, optional)
  return strict
}

/** Makes an optional property nullable and records its name. */
function nullable({ name, schema, isRequired }: LoweredProperty, optional: Set<string>): JsonSchema {
  if (isRequired || takesNull(schema)) return schema
  optional.add(name)
  return withNull(schema)
}

function takesNull({ type, anyOf }: JsonSchema): boolean {
  if (type === 'null' || stringList(type).includes('null')) return true
  return Array.isArray(anyOf) && anyOf.some((choice: JsonSchema) => takesNull(choice))
}

function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, description, ...rest } = schema
  const described = description === undefined ? {} : { description }
  if (Array.isArray(anyOf)) return { ...described, ...rest, anyOf: [...anyOf, { type: 'null' }] }
  if (typeof type !== 'string' || type === 'object' || type === 'array')
    return { anyOf: [schema, { type: 'null' }] }
  const listed = Array.isArray(values) ? { enum: [...values, null] } : {}
  return { ...described, ...rest, type: [type, 'null'], ...listed }
}

function strictUnion(choices: readonly JsonSchema[]): JsonSchema | undefined {
  const distinct = distinctChoices(choices)
  const others = distinct.filter(({ type }) => type !== 'null')
  const [first] = others
  if (first === undefined) return distinct[0]
  if (others.length > 1) return { anyOf: distinct }
  return others.length === distinct.length ? first : withNull(first)
}
