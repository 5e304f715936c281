import { useInbox } from '../api.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { QuestionCard } from './question-card.tsx'

/** The open questions of this person, live. */
export function InboxPage() {
  const { data: questions, error, refetch } = useInbox()
  return (
    <Page title="Inbox" summary={questions && summaryOf(questions.length)}>
      {error !== null && (
        <ErrorNotice title="The inbox could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {questions === undefined && error === null && <LoadingRows label="Loading questions" />}
      {questions?.length === 0 && <NoQuestions />}
      <ul className="max-w-2xl space-y-4">
        {questions?.map((question) => (
          <li key={question.id}>
            <QuestionCard question={question} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function NoQuestions() {
  return (
    <EmptyState icon="inbox" title="Nobody is waiting for you">
      While a tool runs, its server may ask you for something, and Toolbridge may ask whether a call is
      allowed. The question appears here at once, whichever host the call came from, and the call waits for
      your answer.
    </EmptyState>
  )
}

function summaryOf(count: number): string {
  if (count === 0) return 'No open question'
  return count === 1 ? 'One call waits for your answer' : `${count} calls wait for your answer`
}
