import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { isSameJson } from '../ui/json.ts'
import { type Draft, draftOfValues, emptyDraft } from './draft.ts'
import type { TextEntry } from './field-props.ts'
import { JsonArguments, objectIn } from './json-arguments.tsx'
import { type FormErrors, readDraft, readValid } from './read-draft.ts'
import { type FormField, fieldsOf } from './schema.ts'
import { GroupFields } from './schema-field.tsx'

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
  readonly onSubmit: (values: Values) => void
  /** The buttons, one of which submits. */
  readonly children: ReactNode
}

/** What the person enters: in the controls, or as JSON. */
type Entry =
  | { readonly kind: 'controls'; readonly draft: Draft; readonly errors: FormErrors }
  | { readonly kind: 'json'; readonly text: string; readonly error: string | undefined }

/** A form generated from a JSON Schema. Submitting shows every error and focuses the first invalid field. */
export function SchemaForm({
  label,
  schema,
  textEntry,
  hasJson = false,
  isDisabled = false,
  onSubmit,
  children,
}: SchemaFormProps) {
  const [fields] = useState(() => fieldsOf(schema))
  const [entry, setEntry] = useState<Entry>(() => ({
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
            onChange={(text) => setEntry({ kind: 'json', text, error: undefined })}
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
    <Button tone="quiet" onClick={onClick}>
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
    return { kind: 'json', text, error: undefined }
  }
  const reading = objectIn(entry.text)
  if (reading.kind === 'error') return { ...entry, error: reading.error }
  const draft = draftOfValues(fields, reading.values)
  if (!isSameJson(readValid(fields, draft), reading.values))
    return {
      ...entry,
      error: 'The form has no fields for some of these values. You can run the tool with this JSON.',
    }
  return { kind: 'controls', draft, errors: {} }
}

function focusFirstError(form: HTMLFormElement | null, entry: Entry): void {
  if (entry.kind === 'json') return form?.querySelector('textarea')?.focus()
  const [name = ''] = Object.keys(entry.errors)
  const control = form?.elements.namedItem(name)
  const first = control instanceof RadioNodeList ? control.item(0) : control
  if (first instanceof HTMLElement) first.focus()
}
