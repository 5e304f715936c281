import { asSchema, numbersIn, type Schema, schemasIn, simplified, textIn } from './json-schema.ts'

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
  /** The schema's default. */
  readonly initial?: unknown
}

/** `type` of the input element for a string format. */
export type TextType = 'text' | 'email' | 'url' | 'date' | 'datetime-local' | 'password'

/** A field for text. */
export interface TextField extends FieldCommons {
  readonly kind: 'text'
  readonly type: TextType
  readonly minLength?: number
  readonly maxLength?: number
}

/** A field for a number. */
export interface NumberField extends FieldCommons {
  readonly kind: 'number'
  readonly isInteger: boolean
  readonly minimum?: number
  readonly maximum?: number
}

/** A field for true or false. */
export interface SwitchField extends FieldCommons {
  readonly kind: 'switch'
}

/** A field for one or several of some values. */
export interface ChoiceField extends FieldCommons {
  readonly kind: 'choice' | 'choices'
  readonly choices: readonly Choice[]
}

/** A field for an object with known properties. */
export interface GroupField extends FieldCommons {
  readonly kind: 'group'
  readonly fields: readonly FormField[]
}

/** A field for a list of values of one kind. */
export interface ListField extends FieldCommons {
  readonly kind: 'list'
  readonly item: FormField
  readonly minItems?: number
  readonly maxItems?: number
}

/** A field for an object whose property names are entered too. */
export interface MapField extends FieldCommons {
  readonly kind: 'map'
  readonly value: FormField
}

/** A field for a value of one of several kinds. */
export interface VariantField extends FieldCommons {
  readonly kind: 'variant'
  readonly options: readonly FormField[]
}

/** A value that cannot be changed, and is not shown. */
export interface ConstantField extends FieldCommons {
  readonly kind: 'constant'
  readonly value: unknown
}

/** A field for a value without a suitable control, entered as JSON. */
export interface JsonField extends FieldCommons {
  readonly kind: 'json'
}

/** A field of a form generated from a JSON Schema. */
export type FormField =
  | TextField
  | NumberField
  | SwitchField
  | ChoiceField
  | GroupField
  | ListField
  | MapField
  | VariantField
  | ConstantField
  | JsonField

/** Deeper values are entered as JSON: recursive schemas have no end. */
const maxDepth = 6
/** Fields of a form; more are entered as JSON. */
const maxFields = 1_000

interface Reading {
  readonly root: Schema
  fieldCount: number
}

/** Returns the fields of an object schema, in order. */
export function fieldsOf(schema: Schema): readonly FormField[] {
  return propertyFields(simplified(schema, schema), { root: schema, fieldCount: 0 }, 0)
}

function propertyFields(schema: Schema, reading: Reading, depth: number): readonly FormField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(asSchema(schema['properties'])).map(([name, property]) =>
    fieldOf(name, asSchema(property), required.includes(name), reading, depth),
  )
}

function fieldOf(
  name: string,
  property: Schema,
  isRequired: boolean,
  reading: Reading,
  depth: number,
): FormField {
  const schema = simplified(property, reading.root)
  const hint = textIn(schema, 'description')
  const commons: FieldCommons = {
    name,
    label: textIn(schema, 'title') ?? name,
    isRequired,
    ...(hint === undefined ? {} : { hint }),
    ...('default' in schema ? { initial: schema['default'] } : {}),
  }
  reading.fieldCount += 1
  if (depth > maxDepth || reading.fieldCount > maxFields) return { ...commons, kind: 'json' }
  return { ...commons, ...controlOf(schema, reading, depth) }
}

type ControlOf<Field> = Field extends FormField ? Omit<Field, keyof FieldCommons> : never
type Control = ControlOf<FormField>

function controlOf(schema: Schema, reading: Reading, depth: number): Control {
  if ('const' in schema) return { kind: 'constant', value: schema['const'] }
  const choices = choicesOf(schema)
  if (choices !== undefined) return { kind: 'choice', choices }
  const options = optionsOf(schema)
  if (options !== undefined) return variantOf(options, reading, depth)
  switch ('properties' in schema ? 'object' : schema['type']) {
    case 'string':
      return { kind: 'text', ...textRules(schema) }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: schema['type'] === 'integer',
        ...numbersIn(schema, ['minimum', 'maximum']),
      }
    case 'boolean':
      return { kind: 'switch' }
    case 'array':
      return arrayOf(schema, reading, depth)
    case 'object':
      return objectOf(schema, reading, depth)
    default:
      return { kind: 'json' }
  }
}

/** `enum` with its older companion `enumNames`, or `oneOf`/`anyOf` of constants with titles. */
function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const { enum: values, enumNames } = schema
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : []
    return values.map((value, index) => ({ value, label: String(names[index] ?? labelOf(value)) }))
  }
  const options = schemasIn(schema, 'oneOf') ?? schemasIn(schema, 'anyOf')
  if (options === undefined || !options.every((option) => 'const' in option)) return undefined
  return options.map((option) => ({
    value: option['const'],
    label: textIn(option, 'title') ?? labelOf(option['const']),
  }))
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The schemas of `oneOf`, `anyOf` or several types, with what they have in common. */
function optionsOf(schema: Schema): readonly Schema[] | undefined {
  const {
    oneOf: _oneOf,
    anyOf: _anyOf,
    title: _title,
    description: _hint,
    default: _default,
    ...own
  } = schema
  const options = schemasIn(schema, 'oneOf') ?? schemasIn(schema, 'anyOf')
  if (options !== undefined) return options.map((option) => ({ ...own, ...option }))
  const { type } = schema
  return Array.isArray(type) && type.length > 0 ? type.map((name) => ({ ...own, type: name })) : undefined
}

function variantOf(options: readonly Schema[], reading: Reading, depth: number): Control {
  const fields = options.map((option, index) => {
    const field = fieldOf('', option, true, reading, depth + 1)
    return field.label === '' ? { ...field, label: variantLabel(field, index) } : field
  })
  return { kind: 'variant', options: fields }
}

const kindLabels: Readonly<Record<FormField['kind'], string>> = {
  text: 'Text',
  number: 'Number',
  switch: 'Yes or no',
  choice: 'One of a list',
  choices: 'Some of a list',
  group: 'Object',
  list: 'List',
  map: 'Object',
  variant: 'Other',
  constant: 'Constant',
  json: 'JSON',
}

/** The constants of an option tell it from the others, such as `type: "circle"`. */
function variantLabel(field: FormField, index: number): string {
  if (field.kind === 'constant') return labelOf(field.value)
  const constants = field.kind === 'group' ? field.fields.filter(({ kind }) => kind === 'constant') : []
  const [named] = constants
  return named?.kind === 'constant' ? labelOf(named.value) : `${kindLabels[field.kind]} (${index + 1})`
}

function arrayOf(schema: Schema, reading: Reading, depth: number): Control {
  const items = simplified(asSchema(schema['items']), reading.root)
  const choices = choicesOf(items)
  if (choices !== undefined) return { kind: 'choices', choices }
  if (Object.keys(items).length === 0) return { kind: 'json' }
  const item = fieldOf('', items, true, reading, depth + 1)
  return { kind: 'list', item, ...numbersIn(schema, ['minItems', 'maxItems']) }
}

function objectOf(schema: Schema, reading: Reading, depth: number): Control {
  const fields = propertyFields(schema, reading, depth + 1)
  if (fields.length > 0) return { kind: 'group', fields }
  const values = asSchema(schema['additionalProperties'])
  if (Object.keys(values).length === 0) return { kind: 'json' }
  return { kind: 'map', value: fieldOf('', values, true, reading, depth + 1) }
}

const textTypes: ReadonlyMap<unknown, TextType> = new Map<string, TextType>([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime-local'],
  ['password', 'password'],
])

function textRules(schema: Schema): Omit<TextField, keyof FieldCommons | 'kind'> {
  const type = schema['writeOnly'] === true ? 'password' : (textTypes.get(schema['format']) ?? 'text')
  return { type, ...numbersIn(schema, ['minLength', 'maxLength']) }
}
