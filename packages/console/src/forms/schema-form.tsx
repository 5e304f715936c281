import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { emptyDraft, ownOf, readDraft } from './draft.ts'
import { type FormField, fieldsOf } from './schema.ts'
import { SchemaField, type TextEntry } from './schema-field.tsx'

/** Properties of `SchemaForm`. */
export interface SchemaFormProps {
  /** Accessible name of the form. */
  readonly label: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly textEntry: TextEntry
  readonly isDisabled?: boolean
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => void
  /** The buttons, one of which submits. */
  readonly children: ReactNode
}

/** A form generated from a JSON Schema. Submitting shows every error and focuses the first invalid field. */
export function SchemaForm({
  label,
  schema,
  textEntry,
  isDisabled = false,
  onSubmit,
  children,
}: SchemaFormProps) {
  const [fields] = useState(() => fieldsOf(schema))
  const [draft, setDraft] = useState(() => emptyDraft(fields))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const form = useRef<HTMLFormElement>(null)

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const reading = readDraft(fields, draft)
    setErrors(reading.kind === 'errors' ? reading.errors : {})
    if (reading.kind === 'values') onSubmit(reading.values)
    else focusField(form.current, firstWrong(fields, reading.errors))
  }

  return (
    <form ref={form} aria-label={label} noValidate onSubmit={submit}>
      <fieldset disabled={isDisabled} className="space-y-4 disabled:opacity-60">
        {fields.length === 0 && <p className="text-sm text-ink-soft">No input is needed.</p>}
        {fields.map((field) => (
          <SchemaField
            key={field.name}
            field={field}
            textEntry={textEntry}
            draft={ownOf(draft, field.name)}
            error={ownOf(errors, field.name)}
            onChange={(value) => setDraft((values) => ({ ...values, [field.name]: value }))}
          />
        ))}
      </fieldset>
      {children}
    </form>
  )
}

function firstWrong(
  fields: readonly FormField[],
  errors: Readonly<Record<string, string>>,
): string | undefined {
  return fields.find((field) => Object.hasOwn(errors, field.name))?.name
}

function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const control = form?.elements.namedItem(name ?? '')
  const first = control instanceof RadioNodeList ? control.item(0) : control
  if (first instanceof HTMLElement) first.focus()
}
