import type { AnswerRequest, InboxItem } from '@toolbridge/api'
import {
  type Answer,
  type Answerer,
  type AnswerIssue,
  type ApprovalDecision,
  type ApprovalQuestion,
  checkAnswer,
  type FormQuestion,
  type Question,
} from '@toolbridge/bridge'
import type { Inbox } from '@toolbridge/lockbox'
import type { EventHub } from '../activity/event-hub.ts'
import { GatewayError } from '../errors/gateway-error.ts'

/** Brings questions to the inbox of their owner, and the owner's answers back to the calls that wait for them. */
export interface QuestionInbox {
  /** Asks this owner and nobody else. Aborting withdraws the question. */
  answererFor(owner: string): Answerer
  /** The owner's open questions, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Closes a question. Throws a `GatewayError` when it is not open, or when the answer does not fit: then it stays open. */
  answer(owner: string, id: string, answer: AnswerRequest): Promise<void>
}

/** Questions and answers are rows; the calls that wait for them are in this process. */
export function createQuestionInbox(inbox: Inbox, events: EventHub): QuestionInbox {
  const waiting = new Map<string, (answer: Answer) => void>()

  async function ask(owner: string, question: ShownQuestion, signal: AbortSignal): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => waiting.set(question.id, resolve))
    try {
      await inbox.ask(owner, { id: question.id, payload: question })
      events.publish(owner, { type: 'inbox' })
      return await untilAborted(answered, signal)
    } catch (error) {
      await inbox.withdraw(owner, question.id)
      throw error
    } finally {
      waiting.delete(question.id)
      events.publish(owner, { type: 'inbox' })
    }
  }

  return {
    answererFor: (owner) => ({
      kinds: ['form', 'approval'],
      ask: async (question, { signal }) =>
        isShown(question) ? ask(owner, question, signal) : { action: 'decline' },
    }),
    async open(owner) {
      const rows = await inbox.open(owner)
      return rows.map(({ askedAt, payload }) => inboxItem(questionIn(payload), askedAt))
    },
    async answer(owner, id, request) {
      const row = (await inbox.open(owner)).find((item) => item.id === id)
      const answer = row === undefined ? undefined : await fittingAnswer(questionIn(row.payload), request)
      if (answer === undefined || !(await inbox.answer(owner, id, answer))) {
        throw new GatewayError(
          'question_not_open',
          'it was answered or withdrawn meanwhile, or never asked of you',
        )
      }
      waiting.get(id)?.(answer)
    },
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** What the inbox has a view for. */
type ShownQuestion = FormQuestion | ApprovalQuestion

function isShown(question: Question): question is ShownQuestion {
  return question.kind === 'form' || question.kind === 'approval'
}

/** The row was sealed by `ask`, so what is in it is a question. */
function questionIn(payload: unknown): ShownQuestion {
  return payload as ShownQuestion
}

function inboxItem(question: ShownQuestion, askedAt: Date): InboxItem {
  const { id, server, tool, message } = question
  const commons = {
    id,
    askedAt: askedAt.toISOString(),
    server,
    message,
    ...(tool === undefined ? {} : { tool }),
  }
  switch (question.kind) {
    case 'form':
      return { ...commons, kind: 'form', schema: question.schema }
    case 'approval': {
      const { detail, arguments: args, reason, change } = question
      const decisions = offeredBy(question)
      const because = reason === undefined ? message : `${message} (${reason})`
      const shown = change === undefined ? because : `${because}\n\n${change}`
      return { ...commons, kind: 'approval', message: shown, detail, arguments: args, decisions }
    }
  }
}

/** How far an approval may go. */
function offeredBy({ decisions = ['once'] }: ApprovalQuestion): readonly ApprovalDecision[] {
  return decisions
}

/** The answer as the asking call wants it. Throws with every issue when it does not fit the question. */
async function fittingAnswer(question: ShownQuestion, request: AnswerRequest): Promise<Answer> {
  if (request.action !== 'accept') return { action: request.action }
  if (question.kind === 'approval') return approvalOf(question, request.decision ?? 'once')
  const checked = await checkAnswer(question.schema, request.content ?? {})
  if (checked.kind === 'valid') return { action: 'accept', content: checked.content }
  throw unfitting(checked.issues)
}

/** Whoever allows more than was offered has seen another question. */
function approvalOf(question: ApprovalQuestion, decision: ApprovalDecision): Answer {
  const offered = offeredBy(question)
  if (offered.includes(decision)) return { action: 'accept', decision }
  throw unfitting([{ path: '/decision', message: `must be one of ${offered.join(', ')}` }])
}

function unfitting(issues: readonly AnswerIssue[]): GatewayError {
  return new GatewayError('invalid_answer', 'correct the answer and send it again', issues)
}
