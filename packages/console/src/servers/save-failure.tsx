import type { DestinationChange } from '@toolbridge/api'
import { GatewayError } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { DestinationNotice } from './destination-notice.tsx'

/** Properties of `SaveFailure`. */
export interface SaveFailureProps {
  readonly error: Error | null
  readonly isSaving: boolean
  /** Applies the change to the version that someone else saved. */
  readonly onApply: () => void
  /** Saves with these changes of destinations. Default: a change of existing servers is not offered. */
  readonly onConfirm?: (changes: readonly DestinationChange[]) => void
}

/** Explains why the servers were not saved. The text in the editor stays. */
export function SaveFailure(props: SaveFailureProps) {
  const { error } = props
  return error === null ? null : <div className="mt-4">{noticeOf(error, props)}</div>
}

function noticeOf(error: Error, { isSaving, onApply, onConfirm }: SaveFailureProps) {
  const { kind, destinations = [] } = error instanceof GatewayError ? error : {}
  if (kind === 'conflict') return <Conflict isSaving={isSaving} onApply={onApply} />
  if (destinations.length > 0 && onConfirm !== undefined)
    return <DestinationNotice changes={destinations} isSaving={isSaving} onConfirm={onConfirm} />
  return <ErrorNotice title="Nothing was saved" error={error} />
}

function Conflict({ isSaving, onApply }: Pick<SaveFailureProps, 'isSaving' | 'onApply'>) {
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
