/** A choice and its label. */
export interface Choice {
  readonly value: unknown
  readonly label: string
}

interface FieldCommons {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isRequired: boolean
}

/** `type` of the input element for a string format. */
export type TextType = 'text' | 'email' | 'url' | 'date'

/** A field of a form generated from a JSON Schema. Values without a suitable control are entered as JSON. */
export type FormField =
  | (FieldCommons & {
      readonly kind: 'text'
      readonly type: TextType
      readonly minLength?: number
      readonly maxLength?: number
      readonly initial?: string
    })
  | (FieldCommons & {
      readonly kind: 'number'
      readonly isInteger: boolean
      readonly minimum?: number
      readonly maximum?: number
      readonly initial?: number
    })
  | (FieldCommons & { readonly kind: 'switch'; readonly initial?: boolean })
  | (FieldCommons & {
      readonly kind: 'choice'
      readonly choices: readonly Choice[]
      readonly initial?: unknown
    })
  | (FieldCommons & {
      readonly kind: 'choices'
      readonly choices: readonly Choice[]
      readonly initial: readonly unknown[]
    })
  | (FieldCommons & { readonly kind: 'json'; readonly initial?: unknown })

type Schema = Readonly<Record<string, unknown>>

/** Returns the fields of an object schema, in order. Schemas are untrusted: invalid parts are ignored. */
export function fieldsOf(schema: Schema): readonly FormField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(asSchema(schema['properties'])).map(([name, property]) =>
    fieldOf(name, withoutNull(asSchema(property)), required.includes(name)),
  )
}

/** Reads `anyOf` of a type and null, as Python generates for optional values, as that type. */
function withoutNull(schema: Schema): Schema {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return schema
  const [only, another] = anyOf.map(asSchema).filter(({ type }) => type !== 'null')
  const { anyOf: _anyOf, ...own } = schema
  return another === undefined && anyOf.length > 1 ? { ...only, ...own } : schema
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const hint = textIn(schema, 'description')
  const commons = {
    name,
    label: textIn(schema, 'title') ?? name,
    isRequired,
    ...(hint === undefined ? {} : { hint }),
  }
  const initial = 'default' in schema ? { initial: schema['default'] } : {}
  const choices = choicesOf(schema)
  if (choices !== undefined) return { ...commons, kind: 'choice', choices, ...initial }
  switch (typeOf(schema)) {
    case 'string':
      return { ...commons, kind: 'text', ...textRules(schema) }
    case 'number':
    case 'integer':
      return { ...commons, kind: 'number', isInteger: typeOf(schema) === 'integer', ...numberRules(schema) }
    case 'boolean':
      return {
        ...commons,
        kind: 'switch',
        ...(typeof schema['default'] === 'boolean' ? { initial: schema['default'] } : {}),
      }
    case 'array':
      return arrayField(commons, schema, initial)
    default:
      return { ...commons, kind: 'json', ...initial }
  }
}

function arrayField(
  commons: FieldCommons,
  schema: Schema,
  initial: { readonly initial?: unknown },
): FormField {
  const choices = choicesOf(asSchema(schema['items']))
  if (choices === undefined) return { ...commons, kind: 'json', ...initial }
  return {
    ...commons,
    kind: 'choices',
    choices,
    initial: Array.isArray(initial.initial) ? initial.initial : [],
  }
}

/** Reads a nullable type as its other type. */
function typeOf(schema: Schema): unknown {
  const { type } = schema
  if (!Array.isArray(type)) return type
  const named = type.filter((name) => name !== 'null')
  return named.length === 1 ? named[0] : undefined
}

/** `enum` with its older companion `enumNames`, or `oneOf`/`anyOf` of constants with titles. */
function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : []
    return values.map((value, index) => ({ value, label: String(names[index] ?? labelOf(value)) }))
  }
  const options = [oneOf, anyOf].find(Array.isArray)?.map(asSchema)
  if (options === undefined || !options.every((option) => 'const' in option)) return undefined
  return options.map((option) => ({
    value: option['const'],
    label: textIn(option, 'title') ?? labelOf(option['const']),
  }))
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const textTypes: Readonly<Record<string, TextType>> = { email: 'email', uri: 'url', date: 'date' }

function textRules(schema: Schema): {
  type: TextType
  minLength?: number
  maxLength?: number
  initial?: string
} {
  const initial = textIn(schema, 'default')
  return {
    type: textTypes[textIn(schema, 'format') ?? ''] ?? 'text',
    ...numbersIn(schema, ['minLength', 'maxLength']),
    ...(initial === undefined ? {} : { initial }),
  }
}

function numberRules(schema: Schema): { minimum?: number; maximum?: number; initial?: number } {
  const { default: initial, ...rules } = numbersIn(schema, ['minimum', 'maximum', 'default'])
  return { ...rules, ...(initial === undefined ? {} : { initial }) }
}

function numbersIn<Name extends string>(schema: Schema, names: readonly Name[]): { [name in Name]?: number } {
  const found: { [name in Name]?: number } = {}
  for (const name of names) {
    const value = schema[name]
    if (typeof value === 'number') found[name] = value
  }
  return found
}

function textIn(schema: Schema, name: string): string | undefined {
  const value = schema[name]
  return typeof value === 'string' ? value : undefined
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
