import type { JsonSchema } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'

/** The formats of text fields. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

export interface Choice {
  readonly value: string
  readonly title: string
}

interface FieldCommons {
  readonly name: string
  /** Untrusted text of the server. */
  readonly title: string
  readonly description?: string
  readonly isRequired: boolean
}

/** One field of a form, reduced to what MCP defines. */
export type FormField = FieldCommons & FieldKind

type FieldKind =
  | {
      readonly kind: 'text'
      readonly minLength?: number
      readonly maxLength?: number
      readonly format?: TextFormat
      readonly default?: string
    }
  | {
      readonly kind: 'number' | 'integer'
      readonly minimum?: number
      readonly maximum?: number
      readonly default?: number
    }
  | { readonly kind: 'flag'; readonly default?: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly default?: string }
  | {
      readonly kind: 'choices'
      readonly choices: readonly Choice[]
      readonly minItems?: number
      readonly maxItems?: number
      readonly default?: readonly string[]
    }

export type Form =
  | { readonly kind: 'form'; readonly fields: readonly FormField[] }
  | { readonly kind: 'unsupported'; readonly problem: string }

/** Maximum number of fields of a form. */
const maxFields = 100
const maxChoices = 1_000

/**
 * Reads the schema of a question: a flat object of primitive fields, as MCP defines it. Other keywords are ignored on
 * purpose: with `pattern`, for example, a server could keep this process busy.
 */
export function readForm(schema: JsonSchema): Form {
  const properties = schema['properties'] ?? {}
  if (!isJsonObject(properties)) return unsupported('its properties are not an object')
  const entries = Object.entries(properties)
  if (entries.length > maxFields) return unsupported(`it has more than ${maxFields} fields`)
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields: FormField[] = []
  for (const [name, property] of entries) {
    const kind = isJsonObject(property) && name !== '__proto__' ? readKind(withoutNull(property)) : undefined
    if (kind === undefined) return unsupported('it asks for more than text, numbers, flags and choices')
    fields.push({ ...readCommons(name, property, required.includes(name)), ...kind })
  }
  return { kind: 'form', fields }
}

function unsupported(problem: string): Form {
  return { kind: 'unsupported', problem }
}

type Property = Readonly<Record<string, unknown>>

function readCommons(name: string, property: unknown, isRequired: boolean): FieldCommons {
  const { title, description } = isJsonObject(property) ? property : {}
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' ? { description } : {}),
    isRequired,
  }
}

/** Python servers declare optional fields as nullable; null itself is not a valid answer. */
function withoutNull(property: Property): Property {
  const { type, anyOf } = property
  if (Array.isArray(type)) {
    const [only, another] = type.filter((name) => name !== 'null')
    return another === undefined ? { ...property, type: only } : property
  }
  if (type !== undefined || !Array.isArray(anyOf)) return property
  const [only, another] = anyOf.filter((option) => !isJsonObject(option) || option['type'] !== 'null')
  return another === undefined && isJsonObject(only) ? { ...only, ...property } : property
}

function readKind(property: Property): FieldKind | undefined {
  switch (property['type']) {
    case 'string':
      return 'enum' in property || 'oneOf' in property ? readChoice(property) : readTextKind(property)
    case 'number':
    case 'integer':
      return { kind: property['type'], ...numbers(property, 'minimum', 'maximum', 'default') }
    case 'boolean':
      return {
        kind: 'flag',
        ...(typeof property['default'] === 'boolean' ? { default: property['default'] } : {}),
      }
    case 'array':
      return readChoices(property)
    default:
      return undefined
  }
}

const textFormats: ReadonlySet<unknown> = new Set<TextFormat>(['email', 'uri', 'date', 'date-time'])

function readTextKind(property: Property): FieldKind {
  const { format } = property
  return {
    kind: 'text',
    ...numbers(property, 'minLength', 'maxLength'),
    ...(isTextFormat(format) ? { format } : {}),
    ...(typeof property['default'] === 'string' ? { default: property['default'] } : {}),
  }
}

function readChoice(property: Property): FieldKind | undefined {
  const choices = choicesOf(property['enum'], property['enumNames']) ?? titledChoicesOf(property['oneOf'])
  if (choices === undefined) return undefined
  return {
    kind: 'choice',
    choices,
    ...(typeof property['default'] === 'string' ? { default: property['default'] } : {}),
  }
}

function readChoices(property: Property): FieldKind | undefined {
  const { items, default: preset } = property
  if (!isJsonObject(items)) return undefined
  const choices = choicesOf(items['enum'], undefined) ?? titledChoicesOf(items['anyOf'] ?? items['oneOf'])
  if (choices === undefined) return undefined
  const hasDefault = isTextList(preset)
  return {
    kind: 'choices',
    choices,
    ...numbers(property, 'minItems', 'maxItems'),
    ...(hasDefault ? { default: preset } : {}),
  }
}

function choicesOf(values: unknown, titles: unknown): readonly Choice[] | undefined {
  if (!isTextList(values) || values.length === 0 || values.length > maxChoices) return undefined
  return values.map((value, index) => {
    const title: unknown = Array.isArray(titles) ? titles[index] : undefined
    return { value, title: typeof title === 'string' ? title : value }
  })
}

function titledChoicesOf(options: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(options) || options.length === 0 || options.length > maxChoices) return undefined
  const choices = options.flatMap((option: unknown) => {
    const { const: value, title } = isJsonObject(option) ? option : {}
    return typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : value }] : []
  })
  return choices.length === options.length ? choices : undefined
}

function numbers<K extends string>(
  property: Property,
  ...keys: readonly K[]
): { readonly [key in K]?: number } {
  const found: { [key in K]?: number } = {}
  for (const key of keys) {
    const value = property[key]
    if (typeof value === 'number') found[key] = value
  }
  return found
}

function isTextFormat(value: unknown): value is TextFormat {
  return textFormats.has(value)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
