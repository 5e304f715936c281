import type { Readable, Writable } from 'node:stream'
import { isCancel, multiselect, select, text } from '@clack/prompts'
import type { ElicitValue } from '@toolbridge/client'
import { printable } from '@toolbridge/client/internal'
import { type AnswerCheck, describeIssues, prepareAnswerCheck } from '../check-answer.ts'
import type { Choice, FormField } from '../form.ts'

/** The streams of prompts, and the signal that withdraws them. */
export interface Screen {
  readonly input?: Readable
  readonly output?: Writable
  readonly signal: AbortSignal
}

export type FieldAnswer =
  | { readonly kind: 'given'; readonly value: ElicitValue }
  | { readonly kind: 'left-out' }
  | { readonly kind: 'cancelled' }

type Field<K extends FormField['kind']> = FormField & { readonly kind: K }

/** Asks for one field until the value is valid. `before`: the previous answer. */
export async function askField(
  field: FormField,
  before: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  switch (field.kind) {
    case 'text':
    case 'number':
    case 'integer':
      return askText(field, before, screen)
    case 'flag':
      return askFlag(field, before, screen)
    case 'choice':
      return askChoice(field, before, screen)
    case 'choices':
      return askChoices(field, before, screen)
  }
}

async function askText(
  field: Field<'text' | 'number' | 'integer'>,
  before: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  const check = prepareAnswerCheck([field])
  const preset = before ?? field.default
  const shown = preset === undefined ? '' : printable(String(preset), { maxLength: 1_000 })
  // A preset may be shown truncated.
  const read = (typed: string): ElicitValue | undefined =>
    typed === shown && preset !== undefined ? preset : valueOf(field, typed)
  const typed = await text({
    message: labelOf(field),
    initialValue: shown,
    validate: (value = '') => problemWith(check, field, read(value)),
    ...screen,
  })
  if (isCancel(typed)) return { kind: 'cancelled' }
  const value = read(typed ?? '')
  return value === undefined ? { kind: 'left-out' } : { kind: 'given', value }
}

function problemWith(
  check: AnswerCheck,
  field: Field<'text' | 'number' | 'integer'>,
  value: ElicitValue | undefined,
): string | undefined {
  if (value === undefined && !mayBeLeftOut(field)) return 'must have a value'
  const checked = check(value === undefined ? {} : { [field.name]: value })
  return checked.kind === 'invalid'
    ? printable(describeIssues(checked.issues), { maxLength: 200 })
    : undefined
}

/** Converts typed text to a string or number; empty input means no value where that is allowed. */
function valueOf(field: Field<'text' | 'number' | 'integer'>, typed: string): ElicitValue | undefined {
  if (field.kind === 'text') return typed === '' && mayBeLeftOut(field) ? undefined : typed
  if (typed.trim() === '') return undefined
  const number = Number(typed)
  return Number.isNaN(number) ? typed : number
}

async function askFlag(
  field: Field<'flag'>,
  before: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  const choices = [
    { value: 'yes', title: 'Yes' },
    { value: 'no', title: 'No' },
  ]
  const preset = before ?? field.default
  const answer = await askOneOf(
    field,
    choices,
    preset === undefined ? undefined : preset === true ? 'yes' : 'no',
    screen,
  )
  return answer.kind === 'given' ? { kind: 'given', value: answer.value === 'yes' } : answer
}

async function askChoice(
  field: Field<'choice'>,
  before: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  return askOneOf(field, field.choices, before ?? field.default, screen)
}

/** The value of the choice to omit a field; a symbol cannot collide with values of a server. */
const leaveOut = Symbol('leave out')

async function askOneOf(
  field: FormField,
  choices: readonly Choice[],
  preset: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  const options = choices.map(({ value, title }) => ({
    value: value as string | typeof leaveOut,
    label: labelText(title),
  }))
  if (mayBeLeftOut(field)) options.unshift({ value: leaveOut, label: 'Leave it out' })
  const chosen = await select<string | typeof leaveOut>({
    message: labelOf(field),
    options,
    ...(typeof preset === 'string' ? { initialValue: preset } : {}),
    ...screen,
  })
  if (isCancel(chosen)) return { kind: 'cancelled' }
  return typeof chosen === 'string' ? { kind: 'given', value: chosen } : { kind: 'left-out' }
}

async function askChoices(
  field: Field<'choices'>,
  before: ElicitValue | undefined,
  screen: Screen,
): Promise<FieldAnswer> {
  const check = prepareAnswerCheck([field])
  const preset = before ?? field.default
  for (let complaint = ''; ; ) {
    const chosen = await multiselect({
      message: labelOf(field) + complaint,
      options: field.choices.map(({ value, title }) => ({ value, label: labelText(title) })),
      initialValues: Array.isArray(preset) ? preset.map(String) : [],
      required: false,
      ...screen,
    })
    if (isCancel(chosen)) return { kind: 'cancelled' }
    if (chosen.length === 0 && mayBeLeftOut(field)) return { kind: 'left-out' }
    const checked = check({ [field.name]: chosen })
    if (checked.kind === 'valid') return { kind: 'given', value: chosen }
    complaint = ` (${printable(describeIssues(checked.issues), { maxLength: 200 })})`
  }
}

/** A field with a default cannot be omitted: its default would be sent instead. */
function mayBeLeftOut(field: FormField): boolean {
  return !field.isRequired && field.default === undefined
}

function labelOf(field: FormField): string {
  const { title, description } = field
  const name = labelText(title) + (mayBeLeftOut(field) ? ' (optional)' : '')
  return description === undefined ? name : `${name}: ${printable(description, { maxLength: 500 })}`
}

function labelText(title: string): string {
  return printable(title, { maxLength: 100 })
}
