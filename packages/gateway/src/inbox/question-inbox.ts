import type { AnswerRequest, InboxItem, RequestedInput, RequestedPage } from '@toolbridge/api'
import type { Answer, Answerer, ApprovalDecision, Question } from '@toolbridge/bridge'
import {
  type ApprovalQuestion,
  type InputQuestion,
  type AnswerIssue,
  checkAnswer,
  type QuestionUrl,
  shownQuestion,
} from '@toolbridge/bridge/questions'
import { abortable } from '@toolbridge/client/internal'
import { type Inbox, isStorable } from '@toolbridge/lockbox'
import type { EventHub } from '../activity/event-hub.ts'
import { GatewayError } from '../errors/gateway-error.ts'

/** Puts questions into the inbox of their owner, and returns the answers to the calls that wait for them. */
export interface QuestionInbox {
  /** Returns an answerer that asks this owner, on behalf of an MCP host if one is named. Aborting withdraws the question. */
  answererFor(owner: string, host?: string): Answerer
  /** Returns the owner's open questions, oldest first. */
  open(owner: string): Promise<readonly InboxItem[]>
  /** Answers a question. Throws a `GatewayError` if it is not open, or if the answer is invalid: then it stays open. */
  answer(owner: string, id: string, answer: AnswerRequest): Promise<void>
}

/** Stores questions and answers in `inbox`. The calls that wait for answers run in this process. */
export function createQuestionInbox(inbox: Inbox, events: EventHub): QuestionInbox {
  const waiting = new Map<string, (answer: Answer) => void>()

  async function ask(owner: string, question: AskedQuestion, signal: AbortSignal): Promise<Answer> {
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
    answererFor: (owner, host) => ({
      channel: 'inbox',
      ask: (question, { signal }) =>
        ask(
          owner,
          { ...shownQuestion(question), ...(host === undefined ? {} : { askingHost: host }) },
          signal,
        ),
    }),
    async open(owner) {
      const rows = await inbox.open(owner)
      return rows.map(({ askedAt, payload }) => inboxItem(questionIn(payload), askedAt))
    },
    async answer(owner, id, request) {
      const item = isStorable('id', id) ? await inbox.get(owner, id) : undefined
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

/** A question, and the name of the MCP host whose call led to it. */
type AskedQuestion = Question & { readonly askingHost?: string }

/** The payload was written by `ask`. */
function questionIn(payload: unknown): AskedQuestion {
  return payload as AskedQuestion
}

function inboxItem(question: AskedQuestion, askedAt: Date): InboxItem {
  const { id, server, tool, message, askingHost } = question
  const commons = {
    id,
    askedAt: askedAt.toISOString(),
    server,
    message,
    ...(tool === undefined ? {} : { tool }),
    ...(askingHost === undefined ? {} : { host: askingHost }),
  }
  switch (question.kind) {
    case 'input':
      return { ...commons, kind: 'input', input: requestedInput(question) }
    case 'form':
      return { ...commons, kind: 'form', schema: question.schema }
    case 'url':
      return { ...commons, kind: 'url', page: requestedPage(question) }
    case 'consent':
      return { ...commons, kind: 'consent', page: requestedPage(question), scopes: question.scopes }
    case 'approval': {
      const { detail, arguments: args, reason, change } = question
      const decisions = decisionsOf(question)
      const because = reason === undefined ? message : `${message} (${reason})`
      const shown = change === undefined ? because : `${because}\n\n${change}`
      return { ...commons, kind: 'approval', message: shown, detail, arguments: args, decisions }
    }
  }
}

function requestedPage({ url, host, warnings }: QuestionUrl): RequestedPage {
  return { url, host, warnings }
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
async function validAnswer(question: Question, request: AnswerRequest): Promise<Answer> {
  if (request.action !== 'accept') return { action: request.action }
  switch (question.kind) {
    case 'approval':
      return approvalOf(question, request.decision ?? 'once')
    case 'input':
      return inputOf(question, request.content?.['value'])
    case 'url':
    case 'consent':
      return { action: 'accept' }
    case 'form': {
      const checked = await checkAnswer(question.schema, request.content ?? {})
      if (checked.kind === 'valid') return { action: 'accept', content: checked.content }
      throw invalidAnswer(checked.issues)
    }
  }
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
