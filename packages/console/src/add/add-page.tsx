import type { ImportResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { BackLink } from '../ui/back-link.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { useLoad } from '../state/use-load.ts'
import type { AddWay } from './add-draft.ts'
import { FormPanel } from './form-panel.tsx'
import { FoundPanel } from './found-panel.tsx'
import { PastePanel } from './paste-panel.tsx'
import { SavedView } from './saved-view.tsx'
import { useAddDraft } from './use-add-draft.ts'

interface Way {
  readonly way: AddWay
  readonly title: string
}

const ways: readonly Way[] = [
  { way: 'paste', title: 'Paste' },
  { way: 'form', title: 'Fill in a form' },
]
const foundWay: Way = { way: 'found', title: 'Found on this machine' }

/** Adds servers: by a text of any host, by a form, or from the files of hosts on the gateway's machine. */
export function AddPage() {
  const { draft, change, discard } = useAddDraft()
  const [saved, setSaved] = useState<ImportResponse>()
  const gateway = useGateway()
  // Rejected except for the local owner of a gateway that only this machine can reach.
  const found = useLoad((signal) => gateway.foundServers({ signal }))
  const onSaved = (response: ImportResponse): void => {
    discard()
    setSaved(response)
  }
  const editing = { draft, change, discard, onSaved }
  return (
    <>
      <BackLink href="/servers">All servers</BackLink>
      <Page
        title={saved === undefined ? 'Add a server' : 'Saved'}
        summary={
          saved === undefined
            ? 'You see what will run before anything is saved.'
            : 'The gateway is starting what you added.'
        }
      >
        {saved !== undefined && <SavedView saved={saved} onAgain={() => setSaved(undefined)} />}
        {saved === undefined && (
          <>
            <Ways
              ways={found.data === undefined ? ways : [...ways, foundWay]}
              way={draft.way}
              onChange={(way) => change({ way })}
            />
            {draft.way === 'form' && <FormPanel {...editing} />}
            {draft.way === 'found' && found.data !== undefined && (
              <FoundPanel {...editing} files={found.data.files} onSearch={found.reload} />
            )}
            {draft.way === 'found' && found.data === undefined && found.error === null && (
              <LoadingRows label="Searching the machine" />
            )}
            {(draft.way === 'paste' || (draft.way === 'found' && found.error !== null)) && (
              <PastePanel {...editing} />
            )}
          </>
        )}
      </Page>
    </>
  )
}

interface WaysProps {
  readonly ways: readonly Way[]
  readonly way: AddWay
  readonly onChange: (way: AddWay) => void
}

function Ways({ ways, way, onChange }: WaysProps) {
  return (
    <div role="group" aria-label="Ways to add a server" className="mb-4 flex flex-wrap gap-1">
      {ways.map((each) => (
        <button
          key={each.way}
          type="button"
          aria-pressed={way === each.way}
          onClick={() => onChange(each.way)}
          className="rounded-md px-3 py-1.5 text-sm font-medium text-ink-soft hover:text-ink aria-pressed:bg-tint aria-pressed:text-ink"
        >
          {each.title}
        </button>
      ))}
    </div>
  )
}
