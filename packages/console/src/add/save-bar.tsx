import type { ImportResponse } from '@toolbridge/api'
import { useServers } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'
import type { ChosenServer } from './choices.ts'

/** Properties of `SaveBar`. */
export interface SaveBarProps {
  readonly chosen: readonly ChosenServer[]
  /** Whether the last press found a name that cannot be used. */
  readonly isChecked: boolean
  readonly onCheck: () => void
  /** Whether what is shown is out of date. */
  readonly isStale: boolean
  readonly save: () => Promise<ImportResponse>
  readonly onSaved: (response: ImportResponse) => void
  /** Further buttons. */
  readonly children?: ReactNode
}

/** Saves the chosen servers, and says why they were not saved. What was typed stays then. */
export function SaveBar({ chosen, isChecked, onCheck, isStale, save, onSaved, children }: SaveBarProps) {
  const { reload } = useServers()
  const saving = useAction(save)
  const included = chosen.filter(({ isIncluded }) => isIncluded)
  const isReady = included.every(({ problem }) => problem === undefined)
  const submit = (): void => {
    onCheck()
    if (!isReady || isStale) return
    saving.run(undefined, {
      onSuccess: (response) => {
        void reload()
        onSaved(response)
      },
    })
  }
  return (
    <>
      {saving.error !== null && <ErrorNotice title="Nothing was saved" error={saving.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="primary" disabled={saving.isRunning || included.length === 0} onClick={submit}>
          {saving.isRunning ? 'Saving…' : saveLabel(included.length)}
        </Button>
        {children}
        {isChecked && !isReady && (
          <p role="alert" className="text-sm text-fail">
            Choose another name where one is marked.
          </p>
        )}
      </div>
    </>
  )
}

function saveLabel(count: number): string {
  return count > 1 ? `Save and start ${count} servers` : 'Save and start'
}
