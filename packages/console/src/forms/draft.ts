import type { Choice, FormField } from './schema.ts'

/** Value of a control: text, on or off, or the indexes of the ticked choices. */
export type DraftValue = string | boolean | readonly number[]

/** Values of the controls by field name. An untouched switch without a default is absent. */
export type Draft = Readonly<Record<string, DraftValue>>

/** The values of a form, or an error for each invalid field. */
export type DraftReading =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }

/** Returns the initial values of a form, with defaults filled in. */
export function emptyDraft(fields: readonly FormField[]): Draft {
  const entries = fields.flatMap((field) => {
    const value = initialValue(field)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Reads all fields and reports every error. Empty optional fields are omitted. */
export function readDraft(fields: readonly FormField[], draft: Draft): DraftReading {
  const readings = fields.map((field) => [field.name, readField(field, ownOf(draft, field.name))] as const)
  const errors = readings.flatMap(([name, reading]) =>
    'error' in reading ? [[name, reading.error] as const] : [],
  )
  if (errors.length > 0) return { kind: 'errors', errors: Object.fromEntries(errors) }
  const values = readings.flatMap(([name, reading]) =>
    'value' in reading ? [[name, reading.value] as const] : [],
  )
  return { kind: 'values', values: Object.fromEntries(values) }
}

/** Returns an own property: servers choose the names, which may be those of inherited properties. */
export function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function initialValue(field: FormField): DraftValue | undefined {
  switch (field.kind) {
    case 'text':
      return field.initial ?? ''
    case 'number':
      return field.initial === undefined ? '' : String(field.initial)
    case 'switch':
      return field.initial ?? (field.isRequired ? false : undefined)
    case 'choice':
      return field.initial === undefined ? '' : indexOf(field.choices, field.initial)
    case 'choices':
      return field.choices.flatMap((choice, index) => (field.initial.includes(choice.value) ? [index] : []))
    case 'json':
      return field.initial === undefined ? '' : JSON.stringify(field.initial, null, 2)
  }
}

function indexOf(choices: readonly Choice[], value: unknown): string {
  const index = choices.findIndex((choice) => choice.value === value)
  return index < 0 ? '' : String(index)
}

type FieldReading = { readonly value: unknown } | { readonly error: string } | { readonly isOmitted: true }

function readField(field: FormField, draft: DraftValue | undefined): FieldReading {
  if (draft === undefined || draft === '')
    return field.isRequired ? { error: missingText(field) } : { isOmitted: true }
  if (typeof draft === 'boolean') return { value: draft }
  if (typeof draft !== 'string') return readChoices(field, draft)
  switch (field.kind) {
    case 'number':
      return readNumber(field, draft)
    case 'choice':
      return { value: field.choices[Number(draft)]?.value }
    case 'json':
      return readJson(draft)
    case 'text':
      return readText(field, draft)
    case 'switch':
    case 'choices':
      throw new TypeError(`the field "${field.name}" is a text field`)
  }
}

function missingText(field: FormField): string {
  return field.kind === 'choice' ? 'Choose one.' : 'This is required.'
}

function readChoices(field: FormField, indexes: readonly number[]): FieldReading {
  if (field.kind !== 'choices') throw new TypeError(`the field "${field.name}" is a field of choices`)
  if (indexes.length === 0 && !field.isRequired) return { isOmitted: true }
  return {
    value: indexes.toSorted((left, right) => left - right).map((index) => field.choices[index]?.value),
  }
}

function readText(field: FormField & { kind: 'text' }, text: string): FieldReading {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field
  if (text.length < minLength) return { error: `Enter at least ${minLength} characters.` }
  if (text.length > maxLength) return { error: `Enter at most ${maxLength} characters.` }
  if (field.type === 'email' && !/^\S+@\S+$/.test(text)) return { error: 'Enter an email address.' }
  if (field.type === 'url' && !URL.canParse(text))
    return { error: 'Enter a full URL, such as https://example.com.' }
  return { value: text }
}

function readNumber(field: FormField & { kind: 'number' }, text: string): FieldReading {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return { error: 'Enter a number.' }
  if (field.isInteger && !Number.isInteger(value)) return { error: 'Enter a whole number.' }
  if (value < minimum) return { error: `Enter ${minimum} or more.` }
  if (value > maximum) return { error: `Enter ${maximum} or less.` }
  return { value }
}

function readJson(text: string): FieldReading {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
