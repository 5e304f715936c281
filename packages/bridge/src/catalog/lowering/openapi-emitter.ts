import type { JsonSchema } from '@toolbridge/client'
import {
  distinctChoices,
  type Emitter,
  type LoweredObject,
  type NoteSink,
  type ScalarType,
} from './emitter.ts'
import { mapSubschemas, recordOf } from '../schema/schema.ts'

/** Google's subset of OpenAPI 3.0: no references, `nullable` for null, and enums of strings only. */
export const openApiEmitter: Emitter = {
  hasReferences: false,
  any: (notes) => {
    notes.note('narrowed', 'type_assumed', 'its arrays contain strings')
    return {
      anyOf: [
        { type: 'string', nullable: true },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'object' },
        { type: 'array', items: { type: 'string' } },
      ],
    }
  },
  object: openApiObject,
  union: openApiUnion,
  values: openApiValues,
  exclusiveBound: (keyword, value, type, notes) => {
    const inclusive = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    if (type === 'integer' && Number.isInteger(value))
      return { [inclusive]: keyword === 'exclusiveMinimum' ? value + 1 : value - 1 }
    notes.note('widened', 'keyword_dropped', `${keyword} became ${inclusive}`)
    notes.hint(`${keyword === 'exclusiveMinimum' ? 'more' : 'less'} than ${value}`)
    return { [inclusive]: value }
  },
}

function openApiObject({ properties, others, hasSpecialNames }: LoweredObject, notes: NoteSink): JsonSchema {
  if ((others !== undefined && others !== true) || hasSpecialNames)
    notes.note('widened', 'extra_properties', 'what is said of properties that are not named is left out')
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    ...(properties.length === 0
      ? {}
      : { properties: recordOf(properties.map(({ name, schema }) => [name, schema] as const)) }),
    ...(required.length === 0 ? {} : { required }),
  }
}

function openApiUnion(choices: readonly JsonSchema[]): JsonSchema | undefined {
  const distinct = distinctChoices(choices)
  const others = distinct.filter((choice) => !isNull(choice))
  const [first, ...rest] = others
  if (first === undefined) return distinct.length === 0 ? undefined : onlyNull
  const withNull = others.length < distinct.length ? nullable(first) : first
  return rest.length === 0 ? withNull : { anyOf: [withNull, ...rest] }
}

/** There is no null type, and enums list strings only; a nullable string that says so is the closest. */
const onlyNull: JsonSchema = { type: 'string', nullable: true, description: 'only null' }

function isNull(schema: JsonSchema): boolean {
  return schema['type'] === 'null' || JSON.stringify(schema) === JSON.stringify(onlyNull)
}

/** `nullable` belongs to types, not to unions. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return { ...schema, nullable: true }
  return {
    ...schema,
    anyOf: anyOf.map((choice: JsonSchema, index) => (index === 0 ? nullable(choice) : choice)),
  }
}

function openApiValues(type: ScalarType, values: readonly unknown[], notes: NoteSink): JsonSchema {
  if (type === 'string') return openApiTexts(values, notes)
  notes.hint(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`)
  if (type === 'boolean') {
    if (values.length < 2) notes.note('widened', 'enum_widened', 'a single truth value cannot be listed')
    return {}
  }
  const numbers = values.map(Number)
  const [minimum, maximum] = [Math.min(...numbers), Math.max(...numbers)]
  if (minimum !== maximum) notes.note('widened', 'enum_widened', 'numbers cannot be listed')
  return { minimum, maximum }
}

/** Empty strings are rejected in enums. */
function openApiTexts(values: readonly unknown[], notes: NoteSink): JsonSchema {
  const texts = values.filter((value) => value !== '')
  if (texts.length === values.length) return { enum: texts }
  if (texts.length > 0) {
    notes.note('narrowed', 'enum_widened', 'the empty text cannot be listed')
    return { enum: texts }
  }
  notes.note('widened', 'enum_widened', 'the empty text cannot be listed')
  notes.hint('the empty text')
  return {}
}

/** Moves descriptions beside `anyOf` into the first choice: Google accepts no siblings of `anyOf`. */
export function withBareChoices(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(schema, '', (one) => (typeof one === 'boolean' ? one : withBareChoices(one)))
  const { anyOf, description } = inner
  if (!Array.isArray(anyOf)) return inner
  const [first, ...rest] = anyOf as readonly JsonSchema[]
  return { anyOf: [{ ...first, ...joined(description, first?.['description']) }, ...rest] }
}

function joined(...texts: readonly unknown[]): { readonly description?: string } {
  const said = texts.filter((text) => typeof text === 'string')
  return said.length === 0 ? {} : { description: said.join(' ') }
}
