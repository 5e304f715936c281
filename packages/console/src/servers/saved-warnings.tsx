import type { ProblemIssue } from '@toolbridge/api'
import { Button } from '../ui/button.tsx'
import { Notice, sentence } from '../ui/notice.tsx'

/** Properties of `SavedWarnings`. */
export interface SavedWarningsProps {
  readonly warnings: readonly ProblemIssue[]
  readonly onClose: () => void
}

/** What was written but not kept: the save is done, and this is to be read before the dialog goes. */
export function SavedWarnings({ warnings, onClose }: SavedWarningsProps) {
  return (
    <div className="mt-4">
      <Notice tone="warn" title="Saved, except for this" action={<Button onClick={onClose}>Close</Button>}>
        <ul className="list-disc space-y-0.5 pl-4">
          {warnings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{sentence(new Error(message))}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
