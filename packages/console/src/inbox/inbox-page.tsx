import { useInbox } from '@toolbridge/react'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useQuestions } from './begun-answers.ts'
import { QuestionCard } from './question-card.tsx'

/** The open questions of the signed-in person, and those that were withdrawn with a typed answer. */
export function InboxPage() {
  const { error, reload } = useInbox()
  const questions = useQuestions()
  return (
    <Page title="Inbox" summary={questions && summaryOf(questions.filter(({ isOpen }) => isOpen).length)}>
      {error !== null && (
        <ErrorNotice title="The inbox could not be loaded" error={error} onRetry={() => void reload()} />
      )}
      {questions === undefined && error === null && <LoadingRows label="Loading questions" />}
      {questions?.length === 0 && <NoQuestions />}
      <ul className="max-w-2xl space-y-4">
        {questions?.map(({ question, isOpen }) => (
          <li key={question.id}>
            <QuestionCard question={question} isOpen={isOpen} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

function NoQuestions() {
  return (
    <EmptyState icon="inbox" title="Nothing to answer">
      A server can ask you for input while a tool runs, and Toolbridge asks you to approve calls. Questions
      appear here, whichever host the call came from. The call waits for your answer.
    </EmptyState>
  )
}

function summaryOf(count: number): string {
  if (count === 0) return 'No open questions'
  return count === 1 ? '1 question is waiting for you' : `${count} questions are waiting for you`
}
