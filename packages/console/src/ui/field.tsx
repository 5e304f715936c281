import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

/** Attributes that give a control its label, description and error state. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-required': boolean | undefined
}

/** Properties of `Field`. */
export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly children: (control: ControlProps) => ReactNode
}

/** A control with its label above and its hint or error below. */
export function Field({ label, hint, error, isRequired = false, children }: FieldProps) {
  const id = useId()
  const [hintId, errorId] = [`${id}hint`, `${id}error`]
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ')
  const control: ControlProps = {
    id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-required': isRequired || undefined,
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 flex items-baseline justify-between gap-3 text-sm font-medium">
        <span className="min-w-0 wrap-anywhere">{label}</span>
        {!isRequired && <span className="text-xs font-normal text-ink-faint">optional</span>}
      </label>
      {children(control)}
      {hint && <FieldHint id={hintId}>{hint}</FieldHint>}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

/** A hint under a control. */
export function FieldHint({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <div id={id} className="mt-1 text-[0.8125rem] wrap-anywhere whitespace-pre-line text-ink-faint">
      {children}
    </div>
  )
}

/** An error under a control. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="mt-1 flex items-start gap-1.5 text-[0.8125rem] text-fail">
      <Icon name="alert" className="mt-0.5 size-3.5" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}

/** Classes of every text control. */
export const controlClasses =
  'block w-full rounded-md border border-line-strong bg-surface px-3 py-1.5 text-[0.9375rem] leading-6 placeholder:text-ink-faint hover:border-ink-soft focus-visible:border-accent aria-invalid:border-fail'
