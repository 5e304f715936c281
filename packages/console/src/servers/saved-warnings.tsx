import type { ProblemIssue } from '@toolbridge/api'
import { Button } from '../ui/button.tsx'
import { Notice, sentence } from '../ui/notice.tsx'

/** Properties of `SavedWarnings`. */
export interface SavedWarningsProps {
  readonly warnings: readonly ProblemIssue[]
  readonly onClose: () => void
}

/** Fields that were not saved, shown before the dialog closes. */
export function SavedWarnings({ warnings, onClose }: SavedWarningsProps) {
  return (
    <div className="mt-4">
      <Notice tone="warn" title="Saved with warnings" action={<Button onClick={onClose}>Close</Button>}>
        <ul className="list-disc space-y-0.5 pl-4">
          {warnings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{sentence(message)}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
