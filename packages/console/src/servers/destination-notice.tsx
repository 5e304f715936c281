import type { DestinationChange } from '@toolbridge/api'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Properties of `DestinationNotice`. */
export interface DestinationNoticeProps {
  readonly changes: readonly DestinationChange[]
  readonly isSaving: boolean
  /** Saves with these changes. */
  readonly onConfirm: (changes: readonly DestinationChange[]) => void
}

/** Shows where saved secrets would go from now on. Nothing is saved before the person agrees. */
export function DestinationNotice({ changes, isSaving, onConfirm }: DestinationNoticeProps) {
  const confirm = (
    <Button disabled={isSaving} onClick={() => onConfirm(changes)}>
      Send them there
    </Button>
  )
  return (
    <Notice tone="warn" title="Saved secrets would go elsewhere" action={confirm}>
      Nothing was saved. Enter the secrets again, or agree that the saved ones are sent to the new
      destination.
      {changes.map(({ server, fields, from, to }) => (
        <dl key={`${server} ${fields.join()}`} className="mt-2 font-mono text-xs wrap-anywhere">
          <dt className="text-ink-soft">{fields.join(', ')}</dt>
          <dd>from {from}</dd>
          <dd>to {to}</dd>
        </dl>
      ))}
    </Notice>
  )
}
