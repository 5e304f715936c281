import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isSameJson } from '../ui/json.ts'
import { useTypedState } from '../state/kept-state.ts'
import { type Draft, draftOfValues, emptyDraft } from './draft.ts'
import type { TextEntry } from './field-props.ts'
import { JsonArguments, objectIn } from './json-arguments.tsx'
import { type FormErrors, readDraft, readValid } from './read-draft.ts'
import { type FormField, fieldsOf } from './schema.ts'
import { GroupFields } from './schema-field.tsx'
import { withoutSecrets } from './without-secrets.ts'

type Values = Readonly<Record<string, unknown>>

/** Properties of `SchemaForm`. */
export interface SchemaFormProps {
  /** Accessible name of the form. */
  readonly label: string
  readonly schema: Values
  readonly textEntry: TextEntry
  /** Allows to enter all values as JSON. Default: false. */
  readonly hasJson?: boolean
  readonly isDisabled?: boolean
  /** Name under which what is typed outlives the form. Default: it does not. */
  readonly keptAs?: string
  readonly onSubmit: (values: Values) => void
  /** The buttons, one of which submits. */
  readonly children: ReactNode
}

/** What the person enters: in the controls, or as JSON. */
export type Entry =
  | { readonly kind: 'controls'; readonly draft: Draft; readonly errors: FormErrors }
  | {
      readonly kind: 'json'
      readonly text: string
      readonly error: string | undefined
      /** What the controls had, and the text that was made of it. */
      readonly before?: { readonly draft: Draft; readonly text: string }
    }

/** A form generated from a JSON Schema. Submitting shows every error and focuses the first invalid field. */
export function SchemaForm({
  label,
  schema,
  textEntry,
  hasJson = false,
  isDisabled = false,
  keptAs,
  onSubmit,
  children,
}: SchemaFormProps) {
  const [fields] = useState(() => fieldsOf(schema))
  const [entry, setEntry] = useTypedState<Entry>(keptAs, () => ({
    kind: 'controls',
    draft: emptyDraft(fields),
    errors: {},
  }))
  const form = useRef<HTMLFormElement>(null)

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const checked = check(fields, entry)
    setEntry(checked.entry)
    if (checked.values === undefined) focusFirstError(form.current, checked.entry)
    else onSubmit(checked.values)
  }

  return (
    <form ref={form} aria-label={label} noValidate onSubmit={submit}>
      <fieldset disabled={isDisabled} className="min-w-0 space-y-4 disabled:opacity-60">
        {entry.kind === 'json' ? (
          <JsonArguments
            text={entry.text}
            error={entry.error}
            onChange={(text) => setEntry({ ...entry, text, error: undefined })}
          />
        ) : (
          <>
            {fields.length === 0 && <p className="text-sm text-ink-soft">No input is needed.</p>}
            <GroupFields
              fields={fields}
              path=""
              textEntry={textEntry}
              draft={entry.draft}
              errors={entry.errors}
              onChange={(draft) => setEntry({ ...entry, draft })}
            />
          </>
        )}
        {hasJson && <EntryButton entry={entry} onClick={() => setEntry(otherEntry(fields, entry))} />}
      </fieldset>
      {children}
    </form>
  )
}

function EntryButton({ entry, onClick }: { readonly entry: Entry; readonly onClick: () => void }) {
  return (
    <Button tone="quiet" onClick={onClick} className="-ml-3.5">
      {entry.kind === 'json' ? 'Edit as a form' : 'Edit as JSON'}
    </Button>
  )
}

interface Checked {
  readonly entry: Entry
  /** Undefined if the entry has errors. */
  readonly values?: Values
}

function check(fields: readonly FormField[], entry: Entry): Checked {
  if (entry.kind === 'json') {
    const reading = objectIn(entry.text)
    if (reading.kind === 'error') return { entry: { ...entry, error: reading.error } }
    return { entry, values: reading.values }
  }
  const reading = readDraft(fields, entry.draft)
  if (reading.kind === 'errors') return { entry: { ...entry, errors: reading.errors } }
  return { entry: { ...entry, errors: {} }, values: reading.values }
}

/** The same values in the other kind of entry. Text that the form cannot show stays as it is, with the reason. */
function otherEntry(fields: readonly FormField[], entry: Entry): Entry {
  if (entry.kind === 'controls') {
    const text = JSON.stringify(readValid(fields, entry.draft), null, 2)
    return { kind: 'json', text, error: undefined, before: { draft: entry.draft, text } }
  }
  const { before } = entry
  if (before?.text === entry.text) return { kind: 'controls', draft: before.draft, errors: {} }
  const reading = objectIn(entry.text)
  if (reading.kind === 'error') return { ...entry, error: reading.error }
  const draft = draftOfValues(fields, reading.values)
  if (!isSameJson(readValid(fields, draft), reading.values))
    return {
      ...entry,
      error: 'The form has no fields for some of these values. You can run the tool with this JSON.',
    }
  return { kind: 'controls', draft: { ...invalidOf(fields, before?.draft), ...draft }, errors: {} }
}

/** What was typed into controls that JSON has no value for, because it is not valid. */
function invalidOf(fields: readonly FormField[], draft: Draft = {}): Draft {
  const valid = readValid(fields, draft)
  return Object.fromEntries(Object.entries(draft).filter(([name]) => !Object.hasOwn(valid, name)))
}

/** The entry of values that were sent before, without secrets. */
export function entryOfValues(schema: Values, sent: Values): Entry {
  const fields = fieldsOf(schema)
  const values = withoutSecrets(fields, sent)
  const text = JSON.stringify(values, null, 2)
  const draft = draftOfValues(fields, values)
  return isSameJson(readValid(fields, draft), values)
    ? { kind: 'controls', draft, errors: {} }
    : { kind: 'json', text, error: undefined }
}

function focusFirstError(form: HTMLFormElement | null, entry: Entry): void {
  if (entry.kind === 'json') return form?.querySelector('textarea')?.focus()
  const [name = ''] = Object.keys(entry.errors)
  const control = form?.elements.namedItem(name)
  const first = control instanceof RadioNodeList ? control.item(0) : control
  if (first instanceof HTMLElement) first.focus()
}
