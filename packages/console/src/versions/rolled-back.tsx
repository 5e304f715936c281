import type { SaveConfigResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'

/** A rollback that was made. */
export interface Rollback {
  /** Version that was current before. */
  readonly from: number
  /** Version that was saved again. */
  readonly to: number
  /** The new version. */
  readonly saved: number
}

/** Properties of `RolledBack`. */
export interface RolledBackProps {
  readonly rollback: Rollback
  /** Called with the version that was restored. */
  readonly onDone: (restored: number, saved: SaveConfigResponse) => void
}

/** Says what was rolled back, and offers to save the version before it again. */
export function RolledBack({ rollback: { from, to, saved }, onDone }: RolledBackProps) {
  const gateway = useGateway()
  const undo = useAction(() => gateway.rollBackConfig({ version: from, expectedVersion: saved }))
  return (
    <div className="mb-6">
      <Card role="status" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-sm">
        <p>
          Version {to} is in use again, as version {saved}.
        </p>
        <Button
          disabled={undo.isRunning}
          onClick={() => undo.run(undefined, { onSuccess: (response) => onDone(from, response) })}
        >
          {undo.isRunning ? 'Undoing…' : `Undo: back to version ${from}`}
        </Button>
      </Card>
      {undo.error !== null && (
        <div className="mt-3">
          <ErrorNotice title="The rollback was not undone" error={undo.error} />
        </div>
      )}
    </div>
  )
}
