import { Suspense } from 'react'
import { Icon } from '../ui/icon.tsx'
import { lazyComponent } from '../ui/lazy-component.ts'
import type { JsonEditorProps } from './json-editor.tsx'
import type { ServerText, TextIssue } from './server-text.ts'

/** Loaded on demand: the editor is most of the page's code. */
const JsonEditor = lazyComponent(async () => (await import('./json-editor.tsx')).JsonEditor)

/** Properties of `ServerEditor`. */
export interface ServerEditorProps extends Omit<JsonEditorProps, 'check'> {
  readonly read: (text: string) => ServerText
  readonly reading: ServerText
}

/** A JSON editor that marks issues and lists them with their line and column. */
export function ServerEditor({ read, reading, ...editor }: ServerEditorProps) {
  return (
    <div>
      <Suspense fallback={<div className="skeleton h-60" role="status" aria-label="Loading the editor" />}>
        <JsonEditor {...editor} check={(text) => issuesIn(read(text))} />
      </Suspense>
      <IssueList issues={issuesIn(reading)} />
    </div>
  )
}

function issuesIn(reading: ServerText): readonly TextIssue[] {
  return reading.kind === 'issues' ? reading.issues : []
}

const shownIssues = 5

function IssueList({ issues }: { readonly issues: readonly TextIssue[] }) {
  return (
    <div role="alert" className="text-sm text-fail">
      {issues.length > 0 && (
        <ul className="mt-2 space-y-1">
          {issues.slice(0, shownIssues).map((issue) => (
            <li key={`${issue.from} ${issue.message}`} className="flex items-start gap-2">
              <Icon name="alert" className="mt-0.5 size-4" />
              <span>
                <span className="font-medium">
                  Line {issue.line}, column {issue.column}.
                </span>{' '}
                {issue.message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {issues.length > shownIssues && <p className="mt-1 pl-6">And {issues.length - shownIssues} more.</p>}
    </div>
  )
}
