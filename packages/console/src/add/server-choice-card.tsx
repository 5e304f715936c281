import type { ExplainedField, ExplainedServer } from '@toolbridge/api'
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { sentence } from '../ui/notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { ServerChoice } from './add-draft.ts'
import { type ChosenServer, freeName, type NameProblem, type UsedNames } from './choices.ts'
import { changedFields, detailsOf, fieldName, targetOf } from './server-outline.ts'

/** Properties of `ServerChoiceCard`. */
export interface ServerChoiceCardProps {
  readonly chosen: ChosenServer
  /** Whether it is the only server of the text, which needs no choice. */
  readonly isOnly: boolean
  /** Whether an empty name is an error already. */
  readonly isChecked: boolean
  readonly used: UsedNames
  readonly fields: readonly ExplainedField[]
  readonly onChange: (choice: ServerChoice) => void
}

/** One server of a text: what will run, what was translated and dropped, and under which name it is saved. */
export function ServerChoiceCard(props: ServerChoiceCardProps) {
  const { chosen, isOnly, fields, onChange } = props
  const { server, isUsable, isIncluded } = chosen
  const { name } = server
  return (
    <Card role="group" aria-label={`Server ${name}`} className="space-y-3 p-4">
      {!isOnly && (
        <label className="flex items-center gap-2.5 text-sm font-medium">
          <input
            type="checkbox"
            checked={isIncluded}
            disabled={!isUsable}
            onChange={(event) => onChange({ isIncluded: event.target.checked })}
            className="size-4 accent-(--accent)"
          />
          <span className="min-w-0 wrap-anywhere">Add {name}</span>
        </label>
      )}
      {isUsable && isIncluded && <NameField {...props} />}
      {!isUsable && <Reasons title={`${name} cannot be saved`} server={server} />}
      {isUsable && server.state === 'failing' && server.asks === undefined && (
        <Reasons title="It will not start as it is" server={server} />
      )}
      {server.entry !== undefined && <Outline server={server} />}
      <Changes fields={changedFields(name, fields)} />
    </Card>
  )
}

const nameProblems: Readonly<Record<NameProblem, string>> = {
  empty: 'Give the server a name.',
  taken: 'The gateway’s configuration file has a server of this name. Choose another one.',
  saved: 'You have a server of this name already. Choose another name, or replace it.',
  repeated: 'Another server of this text has the name already.',
}

function NameField({ chosen, isChecked, used, onChange }: ServerChoiceCardProps) {
  const { as, replaces, problem, server } = chosen
  const isShown = problem !== undefined && (problem !== 'empty' || isChecked)
  return (
    <div className="space-y-2">
      <Field
        label="Name"
        hint="Its tools carry this name."
        error={isShown ? nameProblems[problem] : undefined}
        isRequired
      >
        {(control) => (
          <input
            {...control}
            value={as}
            onChange={(event) => onChange({ as: event.target.value, replaces: false })}
            autoComplete="off"
            spellCheck={false}
            className={`${controlClasses} max-w-md font-mono`}
          />
        )}
      </Field>
      {(problem === 'saved' || problem === 'taken') && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onChange({ as: freeName(server.name, used) })}>
            Name it {freeName(server.name, used)}
          </Button>
          {problem === 'saved' && (
            <Button onClick={() => onChange({ replaces: true })}>Replace the saved server</Button>
          )}
        </div>
      )}
      {replaces && (
        <p className="text-sm text-warn">The saved server {as} will be replaced, with its secrets.</p>
      )}
    </div>
  )
}

function Reasons({ title, server }: { readonly title: string; readonly server: ExplainedServer }) {
  return (
    <div className="text-sm">
      <p className="font-medium wrap-anywhere">{title}</p>
      <ul className="mt-1 list-disc space-y-0.5 pl-5 text-fail">
        {server.reasons.map(({ message, fix }) => (
          <li key={message} className="wrap-anywhere">
            {sentence(message)} {sentence(fix)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Outline({ server }: { readonly server: ExplainedServer }) {
  const id = useId()
  if (server.entry === undefined) return null
  const isProgram = 'command' in server.entry
  return (
    <div aria-labelledby={id} role="group">
      <p id={id} className="eyebrow mb-1">
        {isProgram ? 'Will run' : 'Will connect to'}
      </p>
      <Code text={visibleText(targetOf(server.entry))} label={isProgram ? 'Command' : 'Address'} />
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-[0.8125rem]">
        {detailsOf(server).map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-ink-faint">{label}</dt>
            <dd className="wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const outcomes = { kept: 'Kept', translated: 'Translated', dropped: 'Dropped', refused: 'Refused' } as const

function Changes({ fields }: { readonly fields: readonly ExplainedField[] }) {
  if (fields.length === 0) return null
  return (
    <div className="text-[0.8125rem]">
      <p className="eyebrow mb-1">Translated and dropped</p>
      <ul className="space-y-0.5">
        {fields.map((field) => (
          <li key={field.path} className="wrap-anywhere">
            <span className={field.outcome === 'translated' ? 'text-ink-soft' : 'text-warn'}>
              {outcomes[field.outcome]}
            </span>{' '}
            <code className="font-mono">{fieldName(field)}</code>{' '}
            <span className="text-ink-soft">{field.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
