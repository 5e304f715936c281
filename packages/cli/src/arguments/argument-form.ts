import type { JsonSchema } from '@toolbridge/client'
import { SchemaReader } from '@toolbridge/client/internal'
import type { GivenArguments } from './given-arguments.ts'
import { typeText } from './type-text.ts'

type Values = Readonly<Record<string, unknown>>

/** A form for the arguments of a tool. Fields that a form cannot have are typed as JSON. */
export interface ArgumentForm {
  readonly schema: JsonSchema
  /** Converts an answer to the form to arguments. */
  given(answer: Values): GivenArguments
}

/** Creates the form of a schema, filled in with the arguments that are known. */
export function argumentForm(schema: JsonSchema, known: Values): ArgumentForm {
  const reader = new SchemaReader(schema)
  const fields = [...reader.properties(schema)].map(([name, property]) => ({
    name,
    property,
    field: formField(property, reader),
  }))
  const typed = new Set(fields.filter(({ field }) => field === undefined).map(({ name }) => name))
  const properties = fields.map(({ name, property, field }) => {
    const preset = Object.hasOwn(known, name) ? known[name] : reader.resolve(property)['default']
    return [
      name,
      { ...(field ?? jsonField(property, reader)), title: name, ...presetOf(preset, field === undefined) },
    ]
  })
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties), required: reader.required(schema) },
    given(answer) {
      const entries = Object.entries(answer)
      return {
        whole: Object.fromEntries(entries.filter(([name]) => !typed.has(name))),
        pairs: entries.flatMap(([name, text]) => (typed.has(name) ? [{ name, text: String(text) }] : [])),
      }
    },
  }
}

function presetOf(preset: unknown, isJson: boolean): object {
  if (preset === undefined || preset === null) return {}
  return { default: isJson && typeof preset !== 'string' ? JSON.stringify(preset) : preset }
}

/** A field for text, a number, a flag or a choice; undefined if the property is something else. */
function formField(property: unknown, reader: SchemaReader): JsonSchema | undefined {
  const { description } = reader.resolve(property)
  const choices = choicesOf(property, reader)
  if (choices !== undefined) return { type: 'string', description, enum: choices }
  const types = [...reader.types(property)].filter((type) => type !== 'null')
  const [type] = types
  if (types.length !== 1 || reader.values(property) !== undefined) return undefined
  if (type === 'array') {
    const items = choicesOf(reader.items(property), reader)
    return items && { type, description, items: { enum: items } }
  }
  return isPrimitive(type) ? { ...limitsOf(property, reader), type, description } : undefined
}

function isPrimitive(type: unknown): boolean {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
}

/** The values of an enumeration of texts. */
function choicesOf(schema: unknown, reader: SchemaReader): readonly string[] | undefined {
  const values = schema === undefined ? undefined : reader.values(schema)?.filter((value) => value !== null)
  return values?.every((value) => typeof value === 'string') === true ? values : undefined
}

function limitsOf(property: unknown, reader: SchemaReader): object {
  const { minLength, maxLength, minimum, maximum, format } = reader.resolve(property)
  return { minLength, maxLength, minimum, maximum, format }
}

function jsonField(property: unknown, reader: SchemaReader): JsonSchema {
  const { description } = reader.resolve(property)
  const about = typeof description === 'string' ? `${description} ` : ''
  return { type: 'string', description: `${about}(JSON: ${typeText(property, reader)})` }
}
