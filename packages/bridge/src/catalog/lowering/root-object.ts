import type { JsonSchema } from '@toolbridge/client'
import { deepEqual } from '@toolbridge/client/internal'
import type { Flattener } from '../schema/flattener.ts'
import { propertySchema } from '../schema/merge-objects.ts'
import { type Notes, Unlowerable } from '../schema/notes.ts'
import { namedSchema, recordOf, type Schema, schemaMap, stringList } from '../schema/schema.ts'

const impossibleAtTop = ['enum', 'const', 'not', 'if', 'then', 'else']

/** Converts the schema of a tool to one object without choices at the root, which no provider accepts. */
export function rootObject(schema: Schema, flattener: Flattener, notes: Notes): JsonSchema {
  const flat = flattener.flat(schema, '')
  if (flat === false) throw new Unlowerable('schema_unsatisfiable', 'no arguments fit the schema')
  if (flat === true) return { type: 'object', properties: {} }
  const choices = flattener.choices(flat, '').filter(takesObjects)
  const [only, ...others] = choices
  if (only === undefined) throw new Unlowerable('schema_not_object', 'the arguments are not an object')
  if (others.length > 0)
    notes.add('widened', 'union_flattened', '', 'choices between whole sets of arguments became one set')
  return withoutImpossible(others.length === 0 ? only : united(choices), notes)
}

function takesObjects({ type }: JsonSchema): boolean {
  return type === undefined || type === 'object' || stringList(type).includes('object')
}

function withoutImpossible(schema: JsonSchema, notes: Notes): JsonSchema {
  const root: Record<string, unknown> = { ...schema, type: 'object', properties: schema['properties'] ?? {} }
  for (const keyword of impossibleAtTop) {
    if (root[keyword] === undefined) continue
    notes.add('widened', 'keyword_dropped', '', `${keyword} is not supported at the root`)
    delete root[keyword]
  }
  return root
}

/** The union of several objects: all properties, required if all require them. */
function united(choices: readonly JsonSchema[]): JsonSchema {
  const names = new Set(choices.flatMap((choice) => [...schemaMap(choice['properties'], '').keys()]))
  const isClosed = choices.every((choice) => choice['additionalProperties'] === false)
  const [first] = choices
  return {
    ...(first?.['description'] === undefined ? {} : { description: first['description'] }),
    type: 'object',
    properties: recordOf([...names].map((name) => [name, eitherOf(choices, name)] as const)),
    required: choices
      .map((choice) => stringList(choice['required']))
      .reduce((common, required) => intersection(common, new Set(required))),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

function intersection(names: readonly string[], others: ReadonlySet<string>): readonly string[] {
  return names.filter((name) => others.has(name))
}

/** The union of the schemas of a property. */
function eitherOf(choices: readonly JsonSchema[], name: string): Schema {
  const distinct: Schema[] = []
  for (const choice of choices) {
    if (namedSchema(choice['properties'], name, '') === undefined) continue
    const schema = propertySchema(choice, name) ?? true
    if (!distinct.some((other) => deepEqual(other, schema))) distinct.push(schema)
  }
  return distinct.length === 1 ? (distinct[0] ?? true) : { anyOf: distinct }
}
