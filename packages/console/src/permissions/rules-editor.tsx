import type { PermissionsResponse } from '@toolbridge/api'
import { GatewayError, useGateway, useTools } from '@toolbridge/react'
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { focusAdded } from '../ui/use-return-focus.ts'
import { useAction } from '../state/use-action.ts'
import { RuleRowEditor } from './rule-row.tsx'
import {
  type DraftMode,
  modeSentence,
  patternOf,
  type ReadDraft,
  type RulesDraft,
  withRow,
} from './rules-text.ts'
import { issuesByRow, useDescriptions } from './use-descriptions.ts'

/** Properties of `RulesEditor`. */
export interface RulesEditorProps {
  readonly saved: PermissionsResponse
  readonly draft: RulesDraft
  readonly reading: ReadDraft
  readonly isChanged: boolean
  /** Undefined discards every change. */
  readonly onChange: (draft: RulesDraft | undefined) => void
  readonly onSaved: () => void
}

/** Edits the rules of the person. What is typed stays until it is saved or discarded. */
export function RulesEditor({ saved, draft, reading, isChanged, onChange, onSaved }: RulesEditorProps) {
  const gateway = useGateway()
  const toast = useToast()
  const described = useDescriptions(reading)
  const save = useAction(async (based: number | 'latest') => {
    const version = based === 'latest' ? ((await gateway.permissions()).version ?? 0) : based
    return gateway.savePermissions({ rules: reading.rules, version })
  })
  const issues = new Map([
    ...described.issues,
    ...(save.error instanceof GatewayError ? issuesByRow(save.error, reading.places) : []),
    ...reading.issues,
  ])
  const submit = (based: number | 'latest'): void =>
    save.run(based, {
      onSuccess: () => {
        toast({ tone: 'ready', title: 'Rules saved', detail: 'They apply to calls from now on.' })
        onChange(undefined)
        onSaved()
      },
    })
  const takeBack = (): void => {
    onChange(undefined)
    save.reset()
  }
  const addRule = (): void =>
    focusAdded(
      () => onChange(withRow(draft, 'ask')),
      () => document.querySelector('[aria-label="Rules"]'),
    )
  const setRows = (rows: RulesDraft['rows']): void => onChange({ ...draft, rows })
  return (
    <>
      <ModeField
        draft={draft}
        gatewayMode={saved.gatewayMode}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      <Rows draft={draft} described={described} issues={issues} onChange={setRows} />
      {described.error !== null && (
        <div className="mt-3">
          <ErrorNotice title="The rules could not be explained" error={described.error} />
        </div>
      )}
      {save.error !== null && (
        <div className="mt-3">
          <SaveFailure error={save.error} isSaving={save.isRunning} onOverwrite={() => submit('latest')} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap justify-between gap-2">
        <Button icon="plus" onClick={addRule}>
          Add rule
        </Button>
        <div className="flex gap-2">
          <Button disabled={!isChanged || save.isRunning} onClick={takeBack}>
            Discard changes
          </Button>
          <Button
            tone="primary"
            disabled={!isChanged || save.isRunning || reading.issues.size > 0}
            onClick={() => submit(draft.version)}
          >
            {save.isRunning ? 'Saving…' : 'Save rules'}
          </Button>
        </div>
      </div>
    </>
  )
}

interface ModeFieldProps {
  readonly draft: RulesDraft
  readonly gatewayMode: PermissionsResponse['gatewayMode']
  readonly onChange: (mode: DraftMode) => void
}

const modes: readonly (readonly [DraftMode, string])[] = [
  ['', 'As the gateway decides'],
  ['ask', 'Ask'],
  ['allow', 'Allow'],
  ['plan', 'Deny everything'],
]

function ModeField({ draft, gatewayMode, onChange }: ModeFieldProps) {
  return (
    <div className="mb-5 max-w-md">
      <Field label="Calls that no rule covers" hint={modeSentence(draft.mode, gatewayMode)} isRequired>
        {(control) => (
          <select
            {...control}
            value={draft.mode}
            onChange={(event) => onChange(modes.find(([mode]) => mode === event.target.value)?.[0] ?? '')}
            className={controlClasses}
          >
            {modes.map(([mode, text]) => (
              <option key={mode} value={mode}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

interface RowsProps {
  readonly draft: RulesDraft
  readonly described: ReturnType<typeof useDescriptions>
  readonly issues: ReadonlyMap<number, string>
  readonly onChange: (rows: RulesDraft['rows']) => void
}

function Rows({ draft: { rows }, described, issues, onChange }: RowsProps) {
  const suggestions = useId()
  const { data: tools = [] } = useTools()
  if (rows.length === 0)
    return (
      <EmptyState icon="lock" title="No rules of your own">
        A rule allows, asks about or denies calls, such as{' '}
        <code className="font-mono">mcp://github/create_*</code>. Deny wins over ask, and ask over allow.
      </EmptyState>
    )
  return (
    <>
      <datalist id={suggestions}>
        {tools.slice(0, 500).map(({ name, server, rawName }) => (
          <option key={name} value={patternOf(server, rawName)} />
        ))}
      </datalist>
      <CardList aria-label="Rules">
        {rows.map((row, index) => (
          <RuleRowEditor
            key={row.id}
            row={row}
            number={index + 1}
            suggestions={suggestions}
            description={described.rules.get(row.id)}
            issue={issues.get(row.id)}
            onChange={(changed) => onChange(rows.map((each) => (each.id === row.id ? changed : each)))}
            onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        ))}
      </CardList>
    </>
  )
}

interface SaveFailureProps {
  readonly error: Error
  readonly isSaving: boolean
  readonly onOverwrite: () => void
}

function SaveFailure({ error, isSaving, onOverwrite }: SaveFailureProps) {
  if (!(error instanceof GatewayError) || error.kind !== 'conflict')
    return <ErrorNotice title="The rules were not saved" error={error} />
  const overwrite = (
    <Button disabled={isSaving} onClick={onOverwrite}>
      Save mine instead
    </Button>
  )
  return (
    <Notice tone="fail" title="Someone else saved in the meantime" action={overwrite}>
      Your rules were not saved and are still here. Save them in place of the others, or discard your changes
      to see the others.
    </Notice>
  )
}
