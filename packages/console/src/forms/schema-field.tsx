import { type KeyboardEvent, useId } from 'react'
import { controlClasses, Field, FieldError, FieldHint } from '../ui/field.tsx'
import type { DraftValue } from './draft.ts'
import type { FormField } from './schema.ts'

/** Free text in one line (Enter submits) or in several (Control+Enter submits). */
export type TextEntry = 'line' | 'block'

/** Properties of `SchemaField`. */
export interface SchemaFieldProps {
  readonly field: FormField
  readonly textEntry: TextEntry
  readonly draft: DraftValue | undefined
  readonly error: string | undefined
  readonly onChange: (value: DraftValue) => void
}

/** The control for a field. */
export function SchemaField(props: SchemaFieldProps) {
  const { field, textEntry } = props
  switch (field.kind) {
    case 'switch':
      return <CheckField {...props} />
    case 'choices':
      return <ChoicesField {...props} choices={field.choices} />
    case 'choice':
      return <ChoiceField {...props} choices={field.choices} />
    case 'json':
      return <BlockField {...props} hint={joined(field.hint, 'Enter JSON.')} isCode />
    case 'text':
      if (textEntry === 'block' && field.type === 'text')
        return <BlockField {...props} hint={field.hint} isCode={false} />
      return <LineField {...props} type={field.type} hint={field.hint} />
    case 'number':
      return (
        <LineField {...props} type="text" inputMode="decimal" hint={joined(field.hint, rangeText(field))} />
      )
  }
}

function LineField({ field, draft, error, onChange, type, inputMode, hint }: LineFieldProps) {
  return (
    <Field label={field.label} hint={hint} error={error} isRequired={field.isRequired}>
      {(control) => (
        <input
          {...control}
          name={field.name}
          type={type}
          inputMode={inputMode}
          autoComplete="off"
          value={textOf(draft)}
          onChange={(event) => onChange(event.target.value)}
          className={controlClasses}
        />
      )}
    </Field>
  )
}

interface LineFieldProps extends SchemaFieldProps {
  readonly type: string
  readonly inputMode?: 'decimal'
  readonly hint: string | undefined
}

function BlockField({ field, draft, error, onChange, hint, isCode }: BlockFieldProps) {
  return (
    <Field label={field.label} hint={hint} error={error} isRequired={field.isRequired}>
      {(control) => (
        <textarea
          {...control}
          name={field.name}
          rows={isCode ? 3 : 1}
          spellCheck={!isCode}
          value={textOf(draft)}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={submitOnControlEnter}
          className={`${controlClasses} field-sizing-content max-h-72 resize-none ${isCode ? 'min-h-20 font-mono text-[0.8125rem]' : ''}`}
        />
      )}
    </Field>
  )
}

interface BlockFieldProps extends SchemaFieldProps {
  readonly hint: string | undefined
  readonly isCode: boolean
}

type WithChoices = SchemaFieldProps & { readonly choices: readonly { readonly label: string }[] }

function ChoiceField({ field, draft, error, onChange, choices }: WithChoices) {
  return (
    <Field label={field.label} hint={field.hint} error={error} isRequired={field.isRequired}>
      {(control) => (
        <select
          {...control}
          name={field.name}
          value={textOf(draft)}
          onChange={(event) => onChange(event.target.value)}
          className={controlClasses}
        >
          <option value="">{field.isRequired ? 'Choose…' : 'Not set'}</option>
          {choices.map((choice, index) => (
            <option key={choice.label} value={index}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function CheckField({ field, draft, error, onChange }: SchemaFieldProps) {
  const hintId = useId()
  return (
    <div>
      <label className="flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          name={field.name}
          checked={draft === true}
          aria-describedby={field.hint === undefined ? undefined : hintId}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-ink"
        />
        <span className="min-w-0 wrap-anywhere">{field.label}</span>
      </label>
      {field.hint !== undefined && <FieldHint id={hintId}>{field.hint}</FieldHint>}
      {error !== undefined && <FieldError id={`${hintId}error`}>{error}</FieldError>}
    </div>
  )
}

function ChoicesField({ field, draft, error, onChange, choices }: WithChoices) {
  const id = useId()
  const ticked = typeof draft === 'object' ? draft : []
  const toggle = (index: number, isTicked: boolean): void =>
    onChange(isTicked ? [...ticked, index] : ticked.filter((other) => other !== index))
  return (
    <fieldset aria-describedby={`${id}hint ${id}error`}>
      <legend className="mb-1 text-sm font-medium wrap-anywhere">{field.label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {choices.map((choice, index) => (
          <label key={choice.label} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={field.name}
              checked={ticked.includes(index)}
              onChange={(event) => toggle(index, event.target.checked)}
              className="size-4 accent-ink"
            />
            <span className="min-w-0 wrap-anywhere">{choice.label}</span>
          </label>
        ))}
      </div>
      {field.hint !== undefined && <FieldHint id={`${id}hint`}>{field.hint}</FieldHint>}
      {error !== undefined && <FieldError id={`${id}error`}>{error}</FieldError>}
    </fieldset>
  )
}

function textOf(draft: DraftValue | undefined): string {
  return typeof draft === 'string' ? draft : ''
}

/** Joins the schema's description and our hint as sentences. */
function joined(description: string | undefined, addition: string): string {
  if (description === undefined) return addition
  return `${description}${/[.!?…:)]$/.test(description.trim()) ? '' : '.'} ${addition}`
}

function rangeText({ isInteger, minimum, maximum }: FormField & { kind: 'number' }): string {
  const kind = isInteger ? 'A whole number' : 'A number'
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}.`
  if (minimum !== undefined) return `${kind}, ${minimum} or more.`
  return maximum === undefined ? `${kind}.` : `${kind}, ${maximum} or less.`
}

function submitOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}
