import type { SaveConfigResponse } from '@toolbridge/api'
import { GatewayError, useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'
import { useLoad } from '../state/use-load.ts'
import { ChangeList } from './change-list.tsx'
import { changesSummary, serverChanges } from './server-changes.ts'

/** Properties of `RollbackDialog`. */
export interface RollbackDialogProps {
  readonly current: number
  readonly target: number
  readonly onDone: (saved: SaveConfigResponse) => void
  readonly onClose: () => void
}

/** Shows what a rollback changes before it is made. */
export function RollbackDialog({ current: latest, target, onDone, onClose }: RollbackDialogProps) {
  const gateway = useGateway()
  // What was shown is what is confirmed, even if another version is saved while the dialog is open.
  const [current] = useState(latest)
  const diff = useLoad((signal) => gateway.diffConfig(current, target, { signal }))
  const rollback = useAction(() => gateway.rollBackConfig({ version: target, expectedVersion: current }))
  const changes = diff.data && serverChanges(diff.data.changes)
  return (
    <Dialog
      title={`Roll back to version ${target}?`}
      description={
        changes === undefined
          ? 'The servers of that version are saved again, as a new version.'
          : `${changesSummary(changes)} No version is lost: this one is saved again, as a new version.`
      }
      onClose={onClose}
    >
      {diff.error !== null && (
        <ErrorNotice title="The versions could not be compared" error={diff.error} onRetry={diff.reload} />
      )}
      {changes === undefined && diff.error === null && (
        <LoadingRows label="Comparing the versions" rows={2} />
      )}
      {changes !== undefined && <ChangeList changes={changes} />}
      {rollback.error !== null && (
        <div className="mt-4">
          <RollbackFailure error={rollback.error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          disabled={changes === undefined || changes.length === 0 || rollback.isRunning}
          onClick={() => rollback.run(undefined, { onSuccess: onDone })}
        >
          {rollback.isRunning ? 'Rolling back…' : 'Roll back'}
        </Button>
      </div>
    </Dialog>
  )
}

function RollbackFailure({ error }: { readonly error: Error }) {
  if (error instanceof GatewayError && error.kind === 'conflict')
    return (
      <Notice tone="fail" title="Someone else saved in the meantime">
        Nothing was rolled back. Close this and open it again to see what a rollback changes now.
      </Notice>
    )
  return <ErrorNotice title="Nothing was rolled back" error={error} />
}
