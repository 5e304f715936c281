import { parsedUrl } from '../ui/parsed-url.ts'
import { type Draft, type DraftItem, type DraftValue, ownOf } from './draft.ts'
import type {
  ChoiceField,
  FormField,
  GroupField,
  ListField,
  MapField,
  NumberField,
  TextField,
  VariantField,
} from './schema.ts'

/** Errors of a form by the path of the field, such as `address/lines/0`. */
export type FormErrors = Readonly<Record<string, string>>

/** The values of a form, or an error for each invalid field, in the order of the fields. */
export type DraftReading =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'errors'; readonly errors: FormErrors }

/** Returns the path of a field inside of another. */
export function childPath(path: string, name: string | number): string {
  const escaped = String(name).replaceAll('~', '~0').replaceAll('/', '~1')
  return path === '' ? escaped : `${path}/${escaped}`
}

/** Reads all fields and reports every error. Empty optional fields are omitted. */
export function readDraft(fields: readonly FormField[], draft: Draft): DraftReading {
  const reader = new DraftReader()
  const values = reader.values(fields, draft, '')
  return reader.errors.size === 0
    ? { kind: 'values', values }
    : { kind: 'errors', errors: Object.fromEntries(reader.errors) }
}

/** Reads the fields that are valid. */
export function readValid(fields: readonly FormField[], draft: Draft): Readonly<Record<string, unknown>> {
  return new DraftReader().values(fields, draft, '')
}

/** Stands for a field that is empty or invalid. */
const omitted = Symbol('omitted')

class DraftReader {
  readonly errors = new Map<string, string>()

  values(fields: readonly FormField[], draft: Draft, path: string): Readonly<Record<string, unknown>> {
    const entries = fields.flatMap((field) => {
      const value = this.#value(field, ownOf(draft, field.name), childPath(path, field.name))
      return value === omitted ? [] : [[field.name, value] as const]
    })
    return Object.fromEntries(entries)
  }

  #value(field: FormField, draft: DraftValue | undefined, path: string): unknown {
    if (field.kind === 'constant') return field.isRequired ? field.value : omitted
    if (draft === undefined || draft === '') return this.#missing(field, path)
    if (typeof draft === 'boolean') return draft
    if (typeof draft === 'string') return this.#text(field, draft, path)
    if ('fields' in draft) return this.values((field as GroupField).fields, draft.fields, path)
    if ('option' in draft) return this.#variant(field as VariantField, draft, path)
    if ('items' in draft) return this.#items(field as ListField | MapField, draft.items, path)
    return readChoices(field as ChoiceField, draft)
  }

  #missing(field: FormField, path: string): typeof omitted {
    if (!field.isRequired) return omitted
    const isChosen = field.kind === 'choice' || field.kind === 'variant'
    return this.#fail(path, isChosen ? 'Choose one.' : 'This is required.')
  }

  #fail(path: string, message: string): typeof omitted {
    this.errors.set(path, message)
    return omitted
  }

  #text(field: FormField, text: string, path: string): unknown {
    if (field.kind === 'number') return this.#checked(path, numberError(field, text), () => Number(text))
    if (field.kind === 'text')
      return this.#checked(path, textError(field, text), () => textValue(field, text))
    if (field.kind === 'choice') return field.choices[Number(text)]?.value
    return this.#json(text, path)
  }

  #checked(path: string, error: string | undefined, value: () => unknown): unknown {
    return error === undefined ? value() : this.#fail(path, error)
  }

  #json(text: string, path: string): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      return this.#fail(path, `This is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #variant(
    field: VariantField,
    draft: { option: number; value: DraftValue | undefined },
    path: string,
  ): unknown {
    const option = field.options[draft.option]
    return option === undefined ? this.#missing(field, path) : this.#value(option, draft.value, path)
  }

  #items(field: ListField | MapField, items: readonly DraftItem[], path: string): unknown {
    if (items.length === 0 && !field.isRequired) return omitted
    return field.kind === 'list' ? this.#list(field, items, path) : this.#map(field, items, path)
  }

  #list(
    { item, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: ListField,
    items: readonly DraftItem[],
    path: string,
  ): unknown {
    if (items.length < minItems) return this.#fail(path, `Add at least ${minItems}.`)
    if (items.length > maxItems) return this.#fail(path, `Add at most ${maxItems}.`)
    return items
      .map(({ value }, index) => this.#value(item, value, childPath(path, index)))
      .filter((value) => value !== omitted)
  }

  #map({ value: field }: MapField, items: readonly DraftItem[], path: string): unknown {
    const names = items.map(({ name }) => name)
    const entries = items.map(({ name, value }, index) => {
      const entryPath = childPath(path, index)
      if (name === '') this.#fail(entryPath, 'Enter a name.')
      else if (names.indexOf(name) < index) this.#fail(entryPath, 'This name is used already.')
      return [name, this.#value(field, value, childPath(entryPath, 'value'))] as const
    })
    return Object.fromEntries(entries)
  }
}

function readChoices({ choices, isRequired }: ChoiceField, indexes: readonly number[]): unknown {
  if (indexes.length === 0 && !isRequired) return omitted
  return indexes.toSorted((left, right) => left - right).map((index) => choices[index]?.value)
}

function textError(
  { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TextField,
  text: string,
): string | undefined {
  if (text.length < minLength) return `Enter at least ${minLength} characters.`
  if (text.length > maxLength) return `Enter at most ${maxLength} characters.`
  if (type === 'email' && !isEmail(text)) return 'Enter an email address.'
  if (type === 'url' && parsedUrl(text) === undefined) return 'Enter a full URL, such as https://example.com.'
  if (type === 'datetime-local' && Number.isNaN(Date.parse(text))) return 'Enter a date and a time.'
  return undefined
}

function isEmail(text: string): boolean {
  return !/\s/.test(text) && text.slice(1, -1).includes('@')
}

function textValue({ type }: TextField, text: string): string {
  return type === 'datetime-local' ? new Date(text).toISOString() : text
}

function numberError(
  { isInteger, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: NumberField,
  text: string,
): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return 'Enter a number.'
  if (isInteger && !Number.isInteger(value)) return 'Enter a whole number.'
  if (value < minimum) return `Enter ${minimum} or more.`
  if (value > maximum) return `Enter ${maximum} or less.`
  return undefined
}
