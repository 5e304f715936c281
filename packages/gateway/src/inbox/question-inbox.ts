import type { AnswerRequest, InboxItem, RequestedInput } from '@toolbridge/api'
import type { Answer, Answerer, ApprovalDecision, Question } from '@toolbridge/bridge'
import {
  type ApprovalQuestion,
  type FormQuestion,
  type InputQuestion,
  type AnswerIssue,
  checkAnswer,
  shownQuestion,
} from '@toolbridge/bridge/questions'
import { abortable } from '@toolbridge/client/internal'
import type { Inbox } from '@toolbridge/lockbox'
import type { EventHub } from '../activity/event-hub.ts'
import { GatewayError } from '../errors/gateway-error.ts'

/** Puts questions into the inbox of their owner, and returns the answers to the calls that wait for them. */
export interface QuestionInbox {
  /** Returns an answerer that asks this owner. Aborting withdraws the question. */
  answererFor(owner: string): Answerer
  /** Returns the owner's open questions, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Answers a question. Throws a `GatewayError` if it is not open, or if the answer is invalid: then it stays open. */
  answer(owner: string, id: string, answer: AnswerRequest): Promise<void>
}

/** Stores questions and answers in `inbox`. The calls that wait for answers run in this process. */
export function createQuestionInbox(inbox: Inbox, events: EventHub): QuestionInbox {
  const waiting = new Map<string, (answer: Answer) => void>()

  async function ask(owner: string, question: ShownQuestion, signal: AbortSignal): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => waiting.set(question.id, resolve))
    try {
      await inbox.ask(owner, { id: question.id, payload: question })
      events.publish(owner, { type: 'inbox' })
      return await abortable(answered, signal)
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
      channel: 'inbox',
      kinds: ['form', 'approval', 'input'],
      ask: async (question, { signal }) =>
        isShown(question) ? ask(owner, shownQuestion(question), signal) : { action: 'decline' },
    }),
    async open(owner) {
      const rows = await inbox.open(owner)
      return rows.map(({ askedAt, payload }) => inboxItem(questionIn(payload), askedAt))
    },
    async answer(owner, id, request) {
      const item = await inbox.get(owner, id)
      const question = item && questionIn(item.payload)
      const answer = question && (await validAnswer(question, request))
      // The value of an input has a store of its own.
      const stored = question?.kind === 'input' ? { action: request.action } : answer
      if (answer === undefined || !(await inbox.answer(owner, id, stored))) {
        throw new GatewayError(
          'question_not_open',
          'the question was answered or withdrawn, or you were never asked it',
        )
      }
      waiting.get(id)?.(answer)
    },
  }
}

/** The kinds of questions that the inbox can show. */
type ShownQuestion = FormQuestion | ApprovalQuestion | InputQuestion

function isShown(question: Question): question is ShownQuestion {
  return question.kind === 'form' || question.kind === 'approval' || question.kind === 'input'
}

/** The payload was written by `ask`. */
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
    case 'input':
      return { ...commons, kind: 'input', input: requestedInput(question) }
    case 'form':
      return { ...commons, kind: 'form', schema: question.schema }
    case 'approval': {
      const { detail, arguments: args, reason, change } = question
      const decisions = decisionsOf(question)
      const because = reason === undefined ? message : `${message} (${reason})`
      const shown = change === undefined ? because : `${because}\n\n${change}`
      return { ...commons, kind: 'approval', message: shown, detail, arguments: args, decisions }
    }
  }
}

function requestedInput({
  input: { id, isSecret = false, options, default: value },
}: InputQuestion): RequestedInput {
  return {
    id,
    isSecret,
    ...(options === undefined ? {} : { options }),
    ...(value === undefined ? {} : { default: value }),
  }
}

function decisionsOf({ decisions = ['once'] }: ApprovalQuestion): readonly ApprovalDecision[] {
  return decisions
}

/** Converts the request to an answer. Throws a `GatewayError` that lists every issue if it is invalid. */
async function validAnswer(question: ShownQuestion, request: AnswerRequest): Promise<Answer> {
  if (request.action !== 'accept') return { action: request.action }
  if (question.kind === 'approval') return approvalOf(question, request.decision ?? 'once')
  if (question.kind === 'input') return inputOf(question, request.content?.['value'])
  const checked = await checkAnswer(question.schema, request.content ?? {})
  if (checked.kind === 'valid') return { action: 'accept', content: checked.content }
  throw invalidAnswer(checked.issues)
}

function approvalOf(question: ApprovalQuestion, decision: ApprovalDecision): Answer {
  const decisions = decisionsOf(question)
  if (decisions.includes(decision)) return { action: 'accept', decision }
  throw invalidAnswer([{ path: '/decision', message: `must be one of ${decisions.join(', ')}` }])
}

function inputOf({ input: { options } }: InputQuestion, value: unknown): Answer {
  if (typeof value === 'string' && (options?.includes(value) ?? true))
    return { action: 'accept', content: { value } }
  const message = options === undefined ? 'must be a string' : `must be one of ${options.join(', ')}`
  throw invalidAnswer([{ path: '/value', message }])
}

function invalidAnswer(issues: readonly AnswerIssue[]): GatewayError {
  return new GatewayError('invalid_answer', 'correct the answer and send it again', issues)
}
