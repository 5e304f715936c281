import type { DraftValue } from './draft.ts'
import type { FormErrors } from './read-draft.ts'
import type { FormField } from './schema.ts'

/** Free text in one line (Enter submits) or in several (Control+Enter submits). */
export type TextEntry = 'line' | 'block'

/** Properties of `SchemaField`. */
export interface SchemaFieldProps {
  readonly field: FormField
  /** Path of the field in the form; also the name of its control. */
  readonly path: string
  readonly textEntry: TextEntry
  readonly draft: DraftValue | undefined
  readonly errors: FormErrors
  /** `undefined` removes the value. */
  readonly onChange: (value: DraftValue | undefined) => void
}

/** Properties of a control: those of its field, and the error of the field itself. */
export interface ControlProps extends SchemaFieldProps {
  readonly error: string | undefined
}
