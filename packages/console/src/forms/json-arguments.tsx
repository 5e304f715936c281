import { controlClasses, Field } from '../ui/field.tsx'
import { isJsonObject } from '../ui/json.ts'

/** What a text of arguments says: an object, or why it does not. */
export type JsonReading =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly error: string }

/** Reads the text of arguments. */
export function objectIn(text: string): JsonReading {
  try {
    const values: unknown = JSON.parse(text)
    if (isJsonObject(values)) return { kind: 'values', values }
    return { kind: 'error', error: 'Enter a JSON object: { "name": "value" }.' }
  } catch (error) {
    return {
      kind: 'error',
      error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

/** Properties of `JsonArguments`. */
export interface JsonArgumentsProps {
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** All values of a form as JSON. */
export function JsonArguments({ text, error, onChange }: JsonArgumentsProps) {
  return (
    <Field label="Arguments as JSON" error={error} isRequired>
      {(control) => (
        <textarea
          {...control}
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          className={`${controlClasses} field-sizing-content max-h-[60dvh] min-h-40 font-mono text-[0.8125rem]`}
        />
      )}
    </Field>
  )
}
