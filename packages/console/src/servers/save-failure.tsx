import { GatewayError } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'

/** Properties of `SaveFailure`. */
export interface SaveFailureProps {
  readonly error: Error | null
  readonly isSaving: boolean
  /** Applies the change to the version that someone else saved. */
  readonly onApply: () => void
}

/** Explains why the servers were not saved. The text in the editor stays. */
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
      Apply to the current version
    </Button>
  )
  return (
    <Notice tone="fail" title="Someone else saved in the meantime" action={apply}>
      Your change was not saved and is still here. You can apply it to the current version; other servers do
      not change.
    </Notice>
  )
}
