import { Button, IconButton } from '../ui/button.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { AddPreview } from './add-preview.tsx'
import { type FormDraft, type FormPair, formText } from './form-draft.ts'
import type { AddPanelProps } from './use-add-draft.ts'

/** Adds one server by its fields. It writes the same definition that could be pasted. */
export function FormPanel(props: AddPanelProps) {
  const { draft, change } = props
  const { form } = draft
  const set = (changes: Partial<FormDraft>): void => change({ form: { ...form, ...changes } })
  return (
    <>
      <div className="max-w-2xl space-y-4">
        <TextField label="Server name" value={form.name} onChange={(name) => set({ name })} />
        <KindChoice kind={form.kind} onChange={(kind) => set({ kind })} />
        {form.kind === 'program' ? (
          <ProgramFields form={form} set={set} />
        ) : (
          <RemoteFields form={form} set={set} />
        )}
      </div>
      <AddPreview {...props} text={formText(form)} />
    </>
  )
}

interface FormFieldsProps {
  readonly form: FormDraft
  readonly set: (changes: Partial<FormDraft>) => void
}

function ProgramFields({ form, set }: FormFieldsProps) {
  return (
    <>
      <TextField
        label="Program"
        hint="Such as npx, uvx or the path of a file."
        value={form.command}
        isRequired
        onChange={(command) => set({ command })}
      />
      <Field label="Arguments" hint="One per line.">
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={form.args}
            onChange={(event) => set({ args: event.target.value })}
            spellCheck={false}
            autoComplete="off"
            className={`${controlClasses} font-mono`}
          />
        )}
      </Field>
      <Pairs title="Variables" one="variable" pairs={form.env} onChange={(env) => set({ env })} />
    </>
  )
}

function RemoteFields({ form, set }: FormFieldsProps) {
  return (
    <>
      <TextField
        label="Address"
        hint="The URL of the MCP endpoint, such as https://docs.example/mcp."
        value={form.url}
        isRequired
        onChange={(url) => set({ url })}
      />
      <Pairs title="Headers" one="header" pairs={form.headers} onChange={(headers) => set({ headers })} />
    </>
  )
}

const kinds = [
  { kind: 'program', title: 'A program that the gateway starts' },
  { kind: 'url', title: 'An address' },
] as const

function KindChoice({
  kind,
  onChange,
}: {
  readonly kind: FormDraft['kind']
  readonly onChange: (kind: FormDraft['kind']) => void
}) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">The server is</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {kinds.map((each) => (
          <label key={each.kind} className="flex items-center gap-2 text-sm">
            <input
              type="radio"
              name="kind"
              checked={kind === each.kind}
              onChange={() => onChange(each.kind)}
              className="size-4 accent-(--accent)"
            />
            {each.title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly isRequired?: boolean
  readonly onChange: (value: string) => void
}

function TextField({ label, hint, value, isRequired = false, onChange }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} isRequired={isRequired}>
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className={controlClasses}
        />
      )}
    </Field>
  )
}

interface PairsProps {
  readonly title: string
  readonly one: string
  readonly pairs: readonly FormPair[]
  readonly onChange: (pairs: readonly FormPair[]) => void
}

/** Names and values. Values are hidden: most of them are secrets. */
function Pairs({ title, one, pairs, onChange }: PairsProps) {
  const set = (index: number, changes: Partial<FormPair>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changes } : pair)))
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{title}</legend>
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no identity but its position
        <div key={index} className="mb-2 grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2">
          <input
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={(event) => set(index, { name: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            className={`${controlClasses} font-mono`}
          />
          <input
            aria-label={`Value of ${one} ${index + 1}`}
            placeholder="Value"
            type="password"
            value={pair.value}
            onChange={(event) => set(index, { value: event.target.value })}
            autoComplete="new-password"
            className={controlClasses}
          />
          <IconButton
            label={`Remove ${one} ${index + 1}`}
            icon="close"
            onClick={() => onChange(pairs.filter((_pair, at) => at !== index))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
        Add a {one}
      </Button>
    </fieldset>
  )
}
