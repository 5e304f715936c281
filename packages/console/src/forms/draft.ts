import { isJsonObject, isSameJson } from '../ui/json.ts'
import type {
  Choice,
  ChoiceField,
  FormField,
  GroupField,
  ListField,
  MapField,
  VariantField,
} from './schema.ts'

/** Values of the controls of an object, by field name. */
export type Draft = Readonly<Record<string, DraftValue | undefined>>

/** An item of a list, or an entry of a map with its name. `key` stays while others are added and removed. */
export interface DraftItem {
  readonly key: number
  readonly name: string
  readonly value: DraftValue | undefined
}

/**
 * Value of a control: text, on or off, the indexes of the ticked choices, or the values of the controls inside. An untouched
 * optional control without a default is absent.
 */
export type DraftValue =
  | string
  | boolean
  | readonly number[]
  | { readonly fields: Draft }
  | { readonly items: readonly DraftItem[] }
  | { readonly option: number; readonly value: DraftValue | undefined }

/** Returns the initial values of a form, with defaults filled in. */
export function emptyDraft(fields: readonly FormField[]): Draft {
  return draftOfEach(fields, initialDraft)
}

/** Returns the initial value of a control. */
export function initialDraft(field: FormField): DraftValue | undefined {
  return field.initial === undefined ? blankDraft(field) : draftOf(field, field.initial)
}

/** Returns the values of the controls that show `values`. Values that no control has are left out. */
export function draftOfValues(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
): Draft {
  return draftOfEach(fields, (field) => {
    const value = ownOf(values, field.name)
    return value === undefined ? undefined : draftOf(field, value)
  })
}

/** Returns an own property: servers choose the names, which may be those of inherited properties. */
export function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Returns the list with a further item. */
export function withItem(items: readonly DraftItem[], value: DraftValue | undefined): readonly DraftItem[] {
  return [...items, { key: Math.max(-1, ...items.map(({ key }) => key)) + 1, name: '', value }]
}

function draftOfEach(
  fields: readonly FormField[],
  draftOfField: (field: FormField) => DraftValue | undefined,
): Draft {
  const entries = fields.flatMap((field) => {
    const value = draftOfField(field)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Of a field without a default. */
function blankDraft(field: FormField): DraftValue | undefined {
  switch (field.kind) {
    case 'switch':
      return field.isRequired ? false : undefined
    case 'choices':
      return []
    case 'group':
      return field.isRequired ? { fields: emptyDraft(field.fields) } : undefined
    case 'list':
      return { items: field.isRequired ? blankItems(field) : [] }
    case 'map':
      return { items: [] }
    case 'variant':
    case 'constant':
      return undefined
    case 'text':
    case 'number':
    case 'choice':
    case 'json':
      return ''
  }
}

/** One item, even if the schema demands more: lists in lists would multiply them. */
function blankItems({ item, minItems = 0 }: ListField): readonly DraftItem[] {
  return minItems > 0 ? withItem([], initialDraft(item)) : []
}

function draftOf(field: FormField, value: unknown): DraftValue | undefined {
  switch (field.kind) {
    case 'text':
      return field.type === 'datetime-local' ? localTime(value) : textOf(value)
    case 'number':
      return textOf(value)
    case 'switch':
      return typeof value === 'boolean' ? value : undefined
    case 'choice':
      return indexOf(field.choices, value)
    case 'choices':
      return tickedOf(field, value)
    case 'group':
      return isJsonObject(value) ? { fields: draftOfValues(field.fields, value) } : blankDraft(field)
    case 'list':
      return listOf(field, value)
    case 'map':
      return mapOf(field, value)
    case 'variant':
      return variantOf(field, value)
    case 'constant':
      return undefined
    case 'json':
      return JSON.stringify(value, null, 2)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** What a control for a date and time shows: without a time zone, in that of the browser. */
function localTime(value: unknown): string {
  const at = new Date(textOf(value))
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function indexOf(choices: readonly Choice[], value: unknown): string {
  const index = choices.findIndex((choice) => isSameJson(choice.value, value))
  return index < 0 ? '' : String(index)
}

function tickedOf({ choices }: ChoiceField, value: unknown): readonly number[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  return choices.flatMap((choice, index) =>
    values.some((one) => isSameJson(one, choice.value)) ? [index] : [],
  )
}

function listOf({ item }: ListField, value: unknown): DraftValue {
  const values: readonly unknown[] = Array.isArray(value) ? value : []
  return { items: values.map((one, key) => ({ key, name: '', value: draftOf(item, one) })) }
}

function mapOf({ value: field }: MapField, value: unknown): DraftValue {
  const entries = Object.entries(isJsonObject(value) ? value : {})
  return { items: entries.map(([name, one], key) => ({ key, name, value: draftOf(field, one) })) }
}

/** The first option that can show the value. */
function variantOf({ options }: VariantField, value: unknown): DraftValue | undefined {
  const option = options.findIndex((field) => canShow(field, value))
  const field = options[option]
  return field && { option, value: draftOf(field, value) }
}

function canShow(field: FormField, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'switch':
      return typeof value === 'boolean'
    case 'choice':
      return indexOf(field.choices, value) !== ''
    case 'choices':
    case 'list':
      return Array.isArray(value)
    case 'group':
      return isJsonObject(value) && constantsMatch(field, value)
    case 'map':
      return isJsonObject(value)
    case 'variant':
      return field.options.some((option) => canShow(option, value))
    case 'constant':
      return isSameJson(field.value, value)
    case 'json':
      return true
  }
}

function constantsMatch({ fields }: GroupField, value: Readonly<Record<string, unknown>>): boolean {
  return fields.every(
    (field) => field.kind !== 'constant' || isSameJson(field.value, ownOf(value, field.name)),
  )
}
