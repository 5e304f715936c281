import { GatewayError } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'

/** Properties of `SaveFailure`. */
export interface SaveFailureProps {
  readonly error: Error | null
  readonly isSaving: boolean
  /** Makes the change again, on top of what somebody else saved. */
  readonly onApply: () => void
}

/** Why servers were not saved. What is in the editor stays. */
export function SaveFailure({ error, isSaving, onApply }: SaveFailureProps) {
  if (error === null) return null
  const isConflict = error instanceof GatewayError && error.kind === 'conflict'
  return (
    <div className="mt-4">
      {isConflict ? (
        <Conflict isSaving={isSaving} onApply={onApply} />
      ) : (
        <ErrorNotice title="Nothing was saved" error={error} />
      )}
    </div>
  )
}

function Conflict({ isSaving, onApply }: Omit<SaveFailureProps, 'error'>) {
  const apply = (
    <Button disabled={isSaving} onClick={onApply}>
      Apply to what is there now
    </Button>
  )
  return (
    <Notice tone="fail" title="Somebody else saved meanwhile" action={apply}>
      Nothing was saved, and your text is still here. You can make this change on top of what is saved now;
      other servers stay as they are there.
    </Notice>
  )
}
