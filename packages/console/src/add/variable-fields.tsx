import type { ExplainedVariable } from '@toolbridge/api'
import { Card } from '../ui/card.tsx'
import { type ControlProps, controlClasses, Field } from '../ui/field.tsx'
import type { AddDraft } from './add-draft.ts'
import type { ChosenServer } from './choices.ts'

/** Properties of `VariableFields`. */
export interface VariableFieldsProps {
  readonly chosen: readonly ChosenServer[]
  readonly values: AddDraft['values']
  readonly onChange: (values: AddDraft['values']) => void
}

/** Asks for the values of the variables that the chosen servers use. */
export function VariableFields({ chosen, values, onChange }: VariableFieldsProps) {
  const asked = askedBy(chosen)
  if (asked.length === 0) return null
  return (
    <Card role="group" aria-label="Values" className="space-y-4 p-4">
      <p className="eyebrow">Values it needs</p>
      {asked.map((variable) => (
        <VariableField
          key={variable.variable}
          asked={variable}
          value={values[variable.variable] ?? ''}
          onChange={(value) => onChange({ ...values, [variable.variable]: value })}
        />
      ))}
    </Card>
  )
}

function askedBy(chosen: readonly ChosenServer[]): readonly ExplainedVariable[] {
  const all = chosen.flatMap(({ server, isIncluded }) => (isIncluded ? (server.asks ?? []) : []))
  return [...new Map(all.map((asked) => [asked.variable, asked])).values()]
}

interface VariableFieldProps {
  readonly asked: ExplainedVariable
  readonly value: string
  readonly onChange: (value: string) => void
}

function VariableField({ asked, value, onChange }: VariableFieldProps) {
  const [kind = '', ...rest] = asked.variable.split(':')
  const name = rest.join(':')
  const { description } = asked
  return (
    <Field
      label={description ?? name}
      hint={`\${${kind}:${name}}. ${hints[kind] ?? ''}${defaultHint(asked)}`}
      isRequired={kind !== 'input' && asked.default === undefined}
    >
      {(control) => <ValueControl control={control} asked={asked} value={value} onChange={onChange} />}
    </Field>
  )
}

const hints: Readonly<Record<string, string>> = {
  input: 'Left empty, you are asked in the inbox when the server starts.',
  env: 'The server does not start without it: saved servers do not see variables of the gateway’s machine.',
  secret: 'The server does not start without it. It is stored encrypted.',
}

function defaultHint({ default: value }: ExplainedVariable): string {
  return value === undefined ? '' : ` Default: ${value}.`
}

function ValueControl({
  control,
  asked,
  value,
  onChange,
}: VariableFieldProps & { readonly control: ControlProps }) {
  const shared = { ...control, value, className: `${controlClasses} max-w-md` }
  if (asked.options !== undefined)
    return (
      <select {...shared} onChange={(event) => onChange(event.target.value)}>
        <option value="">{asked.default === undefined ? 'Choose' : `${asked.default} (default)`}</option>
        {asked.options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  return (
    <input
      {...shared}
      type={asked.isSecret === true ? 'password' : 'text'}
      autoComplete={asked.isSecret === true ? 'new-password' : 'off'}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
