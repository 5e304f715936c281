import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { controlClasses, Field, FieldError, FieldHint } from '../ui/field.tsx'
import { Markdown } from '../ui/markdown.tsx'
import type { DraftValue } from './draft.ts'
import type { ControlProps } from './field-props.ts'
import type { NumberField } from './schema.ts'

/** Text in one line. */
export function LineField({ field, path, draft, error, onChange, type, inputMode, hint }: LineFieldProps) {
  return (
    <Field label={field.label} hint={shownHint(hint)} error={error} isRequired={field.isRequired}>
      {(control) => (
        <input
          {...control}
          name={path}
          type={type}
          step={type === 'datetime-local' ? 1 : undefined}
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

interface LineFieldProps extends ControlProps {
  readonly type: string
  readonly inputMode?: 'decimal'
  readonly hint: string | undefined
}

/** Text in several lines. */
export function BlockField({ field, path, draft, error, onChange, hint, isCode }: BlockFieldProps) {
  return (
    <Field label={field.label} hint={shownHint(hint)} error={error} isRequired={field.isRequired}>
      {(control) => (
        <textarea
          {...control}
          name={path}
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

interface BlockFieldProps extends ControlProps {
  readonly hint: string | undefined
  readonly isCode: boolean
}

type WithChoices = ControlProps & { readonly choices: readonly { readonly label: string }[] }

/** One of several choices. */
export function ChoiceField({ field, path, draft, error, onChange, choices }: WithChoices) {
  return (
    <Field label={field.label} hint={shownHint(field.hint)} error={error} isRequired={field.isRequired}>
      {(control) => (
        <select
          {...control}
          name={path}
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

/** A checkbox. */
export function CheckField({ field, path, draft, error, onChange }: ControlProps) {
  const hintId = useId()
  return (
    <div>
      <label className="flex items-center gap-2.5 text-sm font-medium">
        <input
          type="checkbox"
          name={path}
          checked={draft === true}
          aria-describedby={field.hint === undefined ? undefined : hintId}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-ink"
        />
        <span className="min-w-0 wrap-anywhere">{field.label}</span>
      </label>
      {field.hint !== undefined && <FieldHint id={hintId}>{shownHint(field.hint)}</FieldHint>}
      {error !== undefined && <FieldError id={`${hintId}error`}>{error}</FieldError>}
    </div>
  )
}

/** The label of a field with several controls. */
export function FieldLegend({ field: { label, isRequired } }: Pick<ControlProps, 'field'>) {
  return (
    <legend className="mb-1 flex w-full items-baseline justify-between gap-3 text-sm font-medium">
      <span className="min-w-0 wrap-anywhere">{label}</span>
      {!isRequired && <span className="text-xs font-normal text-ink-faint">optional</span>}
    </legend>
  )
}

/** A checkbox for each choice. */
export function ChoicesField({ field, path, draft, error, onChange, choices }: WithChoices) {
  const id = useId()
  const ticked = Array.isArray(draft) ? draft : []
  const toggle = (index: number, isTicked: boolean): void =>
    onChange(isTicked ? [...ticked, index] : ticked.filter((other) => other !== index))
  return (
    <fieldset aria-describedby={`${id}hint ${id}error`}>
      <FieldLegend field={field} />
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {choices.map((choice, index) => (
          <label key={choice.label} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={path}
              checked={ticked.includes(index)}
              onChange={(event) => toggle(index, event.target.checked)}
              className="size-4 accent-ink"
            />
            <span className="min-w-0 wrap-anywhere">{choice.label}</span>
          </label>
        ))}
      </div>
      {field.hint !== undefined && <FieldHint id={`${id}hint`}>{shownHint(field.hint)}</FieldHint>}
      {error !== undefined && <FieldError id={`${id}error`}>{error}</FieldError>}
    </fieldset>
  )
}

function textOf(draft: DraftValue | undefined): string {
  return typeof draft === 'string' ? draft : ''
}

/** A description of the schema, which is Markdown. */
export function shownHint(hint: string | undefined): ReactNode {
  return hint === undefined ? undefined : <Markdown text={hint} />
}

/** Joins the schema's description and our hint as sentences. */
export function joined(description: string | undefined, addition: string): string {
  if (description === undefined) return addition
  return `${description}${/[.!?…:]\)?$/.test(description.trim()) ? '' : '.'} ${addition}`
}

/** Says which numbers are valid. */
export function rangeText({ isInteger, minimum, maximum }: NumberField): string {
  const kind = isInteger ? 'A whole number' : 'A number'
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}.`
  if (minimum !== undefined) return `${kind}, ${minimum} or more.`
  return maximum === undefined ? `${kind}.` : `${kind}, ${maximum} or less.`
}

function submitOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}
