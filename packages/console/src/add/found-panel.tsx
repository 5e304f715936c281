import type { FoundFile, ImportResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/page.tsx'
import { withChoice } from './add-draft.ts'
import { chosenServers, enteredValues, importName } from './choices.ts'
import { IssueList } from './issue-list.tsx'
import { SaveBar } from './save-bar.tsx'
import { ServerChoiceCard } from './server-choice-card.tsx'
import type { AddPanelProps } from './use-add-draft.ts'
import { useUsedNames } from './use-used-names.ts'
import { VariableFields } from './variable-fields.tsx'

/** Properties of `FoundPanel`. */
export interface FoundPanelProps extends AddPanelProps {
  readonly files: readonly FoundFile[]
  readonly onSearch: () => void
}

/** Adds servers of the files of MCP hosts on the gateway's machine. Their secrets do not pass through this page. */
export function FoundPanel({ files, onSearch, draft, change, onSaved }: FoundPanelProps) {
  const gateway = useGateway()
  const used = useUsedNames()
  const [isChecked, setChecked] = useState(false)
  const servers = files.flatMap((file) => file.servers)
  const chosen = chosenServers(servers, draft.choices, used, ({ id }) => id, false)
  const save = (): Promise<ImportResponse> => {
    const included = chosen.filter(({ isIncluded }) => isIncluded)
    const named = included.map((each) => ({ id: each.server.id, ...importName(each) }))
    return gateway.importFound({ servers: named, values: enteredValues(chosen, draft.values) })
  }
  const again = <Button onClick={onSearch}>Search again</Button>
  if (files.length === 0) return <NothingFound action={again} />
  return (
    <>
      <p className="mb-4 text-sm text-ink-soft">
        Servers that other MCP hosts have on the gateway’s machine. Secrets are copied there, and are not
        shown here.
      </p>
      {files.map((file) => (
        <Section key={file.file} title={file.title || 'Unreadable file'} note={placeOf(file)}>
          <div className="space-y-3">
            <IssueList issues={file.issues} />
            {chosen
              .filter(({ server }) => file.servers.includes(server))
              .map((each) => (
                <ServerChoiceCard
                  key={each.server.id}
                  chosen={each}
                  isOnly={false}
                  isChecked={isChecked}
                  used={used}
                  fields={[]}
                  onChange={(choice) =>
                    change({ choices: withChoice(draft.choices, each.server.id, choice) })
                  }
                />
              ))}
          </div>
        </Section>
      ))}
      <div className="space-y-4">
        <VariableFields chosen={chosen} values={draft.values} onChange={(values) => change({ values })} />
        <SaveBar
          chosen={chosen}
          isChecked={isChecked}
          onCheck={() => setChecked(true)}
          isStale={false}
          save={save}
          onSaved={onSaved}
        >
          {again}
        </SaveBar>
      </div>
    </>
  )
}

function placeOf({ file, scope }: FoundFile): string {
  return scope === 'project' ? `${file}, which comes with the project` : file
}

function NothingFound({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState icon="search" title="Nothing found on this machine" action={action}>
      When Claude, Cursor, VS Code, Codex or another MCP host on the gateway’s machine has servers, they are
      listed here.
    </EmptyState>
  )
}
