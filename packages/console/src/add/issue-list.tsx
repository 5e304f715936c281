import type { ExplainedIssue } from '@toolbridge/api'
import { Icon } from '../ui/icon.tsx'
import { sentence } from '../ui/notice.tsx'

const shownIssues = 8

/** Properties of `IssueList`. */
export interface IssueListProps {
  readonly issues: readonly ExplainedIssue[]
  readonly goTo?: ((line: number, column: number) => void) | undefined
}

/** What is wrong with a text, with its position and what to do. */
export function IssueList({ issues, goTo }: IssueListProps) {
  if (issues.length === 0) return null
  return (
    <div className="text-sm">
      <ul aria-label="Issues" className="space-y-1.5">
        {issues.slice(0, shownIssues).map((issue, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues can be the same
          <li key={index} className="flex items-start gap-2">
            <Icon
              name="alert"
              className={`mt-0.5 size-4 ${issue.severity === 'error' ? 'text-fail' : 'text-warn'}`}
            />
            <span className="min-w-0 wrap-anywhere">
              <Position issue={issue} goTo={goTo} />
              {sentence(goTo === undefined ? issue.message : withoutPosition(issue))}{' '}
              <span className="text-ink-soft">{sentence(issue.fix)}</span>
            </span>
          </li>
        ))}
      </ul>
      {issues.length > shownIssues && <p className="mt-1 pl-6">And {issues.length - shownIssues} more.</p>}
    </div>
  )
}

function Position({
  issue,
  goTo,
}: {
  readonly issue: ExplainedIssue
  readonly goTo: IssueListProps['goTo']
}) {
  const { line, column = 1 } = issue
  if (line === undefined || goTo === undefined) return null
  return (
    <button
      type="button"
      onClick={() => goTo(line, column)}
      className="mr-1 rounded font-medium underline underline-offset-2"
    >
      Line {line}, column {column}.
    </button>
  )
}

/** The link to the position says it already. */
function withoutPosition({ message, line, column }: ExplainedIssue): string {
  return message.replace(` at line ${line}, column ${column}`, '')
}
