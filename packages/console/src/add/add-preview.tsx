import type { ExplainResponse, ImportResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { withChoice } from './add-draft.ts'
import { chosenServers, enteredValues, importName } from './choices.ts'
import { IssueList } from './issue-list.tsx'
import { SaveBar } from './save-bar.tsx'
import { ServerChoiceCard } from './server-choice-card.tsx'
import type { AddPanelProps } from './use-add-draft.ts'
import { useExplanation } from './use-explanation.ts'
import { useUsedNames } from './use-used-names.ts'
import { VariableFields } from './variable-fields.tsx'

/** Properties of `AddPreview`. */
export interface AddPreviewProps extends AddPanelProps {
  readonly text: string
  /** Shows a position in the text. Default: positions are not shown. */
  readonly goTo?: (line: number, column: number) => void
}

/** Shows what the gateway understands of a text, and saves the servers that the person chooses of it. */
export function AddPreview({ text, goTo, draft, change, discard, onSaved }: AddPreviewProps) {
  const { report, isChecking, error } = useExplanation(text)
  const gateway = useGateway()
  const used = useUsedNames()
  const [isChecked, setChecked] = useState(false)
  const chosen = chosenServers(report?.servers ?? [], draft.choices, used)
  const save = (): Promise<ImportResponse> => {
    const included = chosen.filter(({ isIncluded }) => isIncluded)
    const servers = included.map((each) => ({ name: each.server.name, ...importName(each) }))
    return gateway.importServers({ text, servers, values: enteredValues(chosen, draft.values) })
  }
  return (
    <div className="mt-5 space-y-4" aria-busy={isChecking}>
      <p role="status" className="text-sm text-ink-soft">
        {statusText(text, report, isChecking)}
      </p>
      {error !== null && <ErrorNotice title="The text could not be checked" error={error} />}
      {report !== undefined && <IssueList issues={report.issues} goTo={goTo} />}
      {chosen.map((each) => (
        <ServerChoiceCard
          key={each.server.name}
          chosen={each}
          isOnly={chosen.length === 1}
          isChecked={isChecked}
          used={used}
          fields={report?.fields ?? []}
          onChange={(choice) => change({ choices: withChoice(draft.choices, each.server.name, choice) })}
        />
      ))}
      <VariableFields chosen={chosen} values={draft.values} onChange={(values) => change({ values })} />
      <SaveBar
        chosen={chosen}
        isChecked={isChecked}
        onCheck={() => setChecked(true)}
        isStale={isChecking}
        save={save}
        onSaved={onSaved}
      >
        {text !== '' && (
          <Button tone="quiet" onClick={discard}>
            Discard
          </Button>
        )}
      </SaveBar>
    </div>
  )
}

function statusText(text: string, report: ExplainResponse | undefined, isChecking: boolean): string {
  if (text.trim() === '') return 'Nothing is saved yet.'
  if (report === undefined) return isChecking ? 'Reading…' : ''
  const { kind, title, servers } = report
  const count = servers.length === 1 ? 'One server' : `${servers.length} servers`
  if (servers.length === 0) return isChecking ? 'Reading…' : 'No server was recognized yet.'
  if (kind === 'url') return `${count}, from an address.`
  if (kind === 'command') return `${count}, from a command.`
  return `${count}, from a configuration of ${title}.`
}
