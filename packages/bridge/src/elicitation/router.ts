import { randomUUID } from 'node:crypto'
import type { ElicitRequest } from '@toolbridge/client'
import { abortable } from '../abortable.ts'
import type { Emit } from '../journal/emit.ts'
import { describeIssues, prepareAnswerCheck } from './check-answer.ts'
import { type FormField, readForm } from './form.ts'
import { type Answer, type Answerer, canShow, type FormQuestion, type Origin } from './question.ts'

/** A call in flight, as far as questions are concerned. */
export interface AskableCall {
  /** Public name. */
  readonly tool: string
  readonly answerer: Answerer | undefined
  /** Resolves when the call is over, whatever became of it. */
  readonly over: Promise<void>
}

/** A connection that can be asked over: it belongs to one origin for its life, so its questions do as well. */
export interface Asker {
  readonly server: string
  readonly origin: Origin
  /** The calls in flight, oldest first. */
  readonly calls: Iterable<AskableCall>
}

export interface QuestionRouterOptions {
  /** Takes questions to the person of `origin` when no call in flight says where to. */
  readonly answerer: Answerer | undefined
  readonly origin: Origin
  readonly emit: Emit
}

/** Brings a server's questions to the person on whose behalf it was called, or declines them. */
export class QuestionRouter {
  readonly #options: QuestionRouterOptions

  constructor(options: QuestionRouterOptions) {
    this.#options = options
  }

  /** Who may be asked on behalf of an origin. The default answerer is one person's: it never gets another's questions. */
  answererFor(origin: Origin, ofCall: Answerer | undefined): Answerer | undefined {
    const isSamePerson = origin.principal === this.#options.origin.principal
    return ofCall ?? (isSamePerson ? this.#options.answerer : undefined)
  }

  /** Answers a server's question. Never rejects: what goes wrong is a cancelled question and a diagnostic. */
  async ask(request: ElicitRequest, asker: Asker, signal: AbortSignal): Promise<Answer> {
    if (request.mode === 'url') return this.#decline(asker, 'question_unsupported', 'asks to open a page')
    const form = readForm(request.requestedSchema)
    if (form.kind === 'unsupported') {
      return this.#decline(
        asker,
        'question_unsupported',
        `asks in a way that is not supported: ${form.problem}`,
      )
    }
    const calls = [...asker.calls]
    const answerer = this.answererFor(
      asker.origin,
      calls.findLast((call) => call.answerer !== undefined)?.answerer,
    )
    if (answerer === undefined || !canShow(answerer, 'form')) {
      return this.#decline(asker, 'question_unanswerable', 'asks a question and there is nobody to answer it')
    }
    const question = formQuestion(request.message, request.requestedSchema, asker, calls)
    const withdrawn = AbortSignal.any([signal, whenAllAreOver(calls)])
    return this.#put(question, answerer, form.fields, withdrawn)
  }

  async #put(
    question: FormQuestion,
    answerer: Answerer,
    fields: readonly FormField[],
    withdrawn: AbortSignal,
  ): Promise<Answer> {
    const { id: questionId, server, origin } = question
    const { emit } = this.#options
    emit({ type: 'question.asked', questionId, server, origin })
    const answer = await this.#answerOf(question, answerer, fields, withdrawn)
    emit({ type: 'question.answered', questionId, server, action: answer.action })
    return answer
  }

  async #answerOf(
    question: FormQuestion,
    answerer: Answerer,
    fields: readonly FormField[],
    withdrawn: AbortSignal,
  ): Promise<Answer> {
    try {
      const answer = await abortable(answerer.ask(question, { signal: withdrawn }), withdrawn)
      if (answer.action === 'decline') return { action: 'decline' }
      if (answer.action !== 'accept') return { action: 'cancel' }
      const check = await prepareAnswerCheck(fields)
      const checked = check(answer.content ?? {})
      if (checked.kind === 'valid') return { action: 'accept', content: checked.content }
      this.#tell(
        question.server,
        'answer_invalid',
        `the answer to its question was not usable: ${describeIssues(checked.issues)}`,
      )
    } catch {
      // The reason of a withdrawal is known to whoever withdrew; what an answerer throws may hold what was answered.
      if (!withdrawn.aborted)
        this.#tell(question.server, 'answerer_failed', 'its question could not be put to anybody')
    }
    return { action: 'cancel' }
  }

  #decline(asker: Asker, code: string, message: string): Answer {
    this.#tell(asker.server, code, `${message}; it was declined`)
    return { action: 'decline' }
  }

  #tell(server: string, code: string, message: string): void {
    this.#options.emit({ type: 'diagnostic', code, server, message: `server "${server}": ${message}` })
  }
}

function formQuestion(
  message: string,
  schema: FormQuestion['schema'],
  { server, origin }: Asker,
  calls: readonly AskableCall[],
): FormQuestion {
  const [call, another] = calls
  const question = { kind: 'form', id: randomUUID(), origin, server, message, schema } as const
  return call === undefined || another !== undefined ? question : { ...question, tool: call.tool }
}

/**
 * Aborted when every call that may have led to a question is over: then nobody waits for its answer. A question that
 * came while no call was in flight stays open until its server withdraws it or the connection ends.
 */
function whenAllAreOver(calls: readonly AskableCall[]): AbortSignal {
  const controller = new AbortController()
  if (calls.length > 0) void Promise.all(calls.map((call) => call.over)).then(() => controller.abort())
  return controller.signal
}
