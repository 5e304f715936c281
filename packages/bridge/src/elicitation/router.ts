import { randomUUID } from 'node:crypto'
import type { ElicitRequest } from '@toolbridge/client'
import { abortable, printable } from '@toolbridge/client/internal'
import { redactingAnswerer } from './redacting-answerer.ts'
import { defaultPolicy, type Policy } from '../config/spec/policy.ts'
import type { Emit } from '../journal/events/emit.ts'
import type { Redaction } from '../journal/redaction/redaction.ts'
import type { Clock } from '../async/clock.ts'
import { checkUrl } from './check-url.ts'
import { createAnswerChecks, describeIssues } from './check-answer.ts'
import { type FormField, readForm } from './form.ts'
import type { QuestionPolicy } from './question-policy.ts'
import { type Answer, type Answerer, canShow, type FormQuestion, type UrlQuestion } from './question.ts'
import type { Origin } from '../origin.ts'
import { FoldedMessages } from '../journal/events/folded-messages.ts'
import { RateLimit } from './rate-limit.ts'
import { secretField } from './secret-fields.ts'

/** A call in flight, as the router sees it. */
export interface CallInFlight {
  /** Id in the journal. Empty or omitted if there is none. */
  readonly id?: string
  /** Public name of the tool. */
  readonly tool?: string
  readonly answerer: Answerer | undefined
  /** Resolves when the call has ended. */
  readonly over: Promise<void>
  /** Whether the server answered the call. */
  readonly isAnswered: boolean
}

/** The source of a question: a server, and the origin it acts for. */
export interface QuestionSource {
  readonly server: string
  readonly origin: Origin
  /** Calls of that origin in flight that may have led to the question, oldest first. All have the same channel or none. */
  readonly calls: readonly CallInFlight[]
  /** Answerer of the origin's latest call. Late questions go there, and those of calls without a channel. */
  readonly latestAnswerer: Answerer | undefined
  /** Who answers, in order. */
  readonly order: Policy['elicitation']
}

export interface QuestionRouterOptions {
  /** Default channel for questions of `origin`. */
  readonly answerer: Answerer | undefined
  readonly origin: Origin
  readonly emit: Emit
  readonly redaction: Redaction
  readonly clock: Clock
  /** Whether the application has a journal. Without one, declined questions are reported on stderr. */
  readonly hasJournal: boolean
  readonly policy: Pick<QuestionPolicy, 'answerTimeoutMs' | 'maxPerMinute'>
  /** Whether the permission rules let a server ask. */
  readonly mayAsk: (server: string, kind: 'form' | 'url', origin: Origin) => boolean
}

/** A question that may be asked, or the reason to decline it. */
type Readable =
  | { readonly kind: 'form'; readonly question: FormQuestion; readonly fields: readonly FormField[] }
  | { readonly kind: 'url'; readonly question: UrlQuestion }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }

/** Brings questions of servers to the answerer of the calling origin, or declines them. */
export class QuestionRouter {
  readonly #options: QuestionRouterOptions
  readonly #rate: RateLimit
  readonly #excess: FoldedMessages
  readonly #answerCheck = createAnswerChecks()

  constructor(options: QuestionRouterOptions) {
    this.#options = options
    this.#rate = new RateLimit(options.policy.maxPerMinute, options.clock)
    this.#excess = new FoldedMessages(options.clock, 1)
  }

  /** The answerer for an origin. The default answerer belongs to one person and never gets another's questions. */
  answererFor(
    origin: Origin,
    ofCall: Answerer | undefined,
    order: Policy['elicitation'] = defaultPolicy.elicitation,
  ): Answerer | undefined {
    const isSamePerson = origin.principal === this.#options.origin.principal
    const handler = isSamePerson ? this.#options.answerer : undefined
    const answerer = firstOf(order, { route: ofCall, handler })
    return answerer && redactingAnswerer(answerer, this.#options.redaction)
  }

  /** Answers a question. Never rejects: a failure cancels the question and leaves a diagnostic. */
  async ask(request: ElicitRequest, asker: QuestionSource, signal: AbortSignal): Promise<Answer> {
    const { server, origin, calls } = asker
    if (!this.#rate.admit(JSON.stringify([server, origin.principal]))) return this.#declineExcess(server)
    const readable = read(request, asker)
    if (readable.kind === 'refused') return this.#decline(server, readable.code, readable.reason)
    if (!this.#options.mayAsk(server, readable.kind, origin))
      return this.#decline(server, 'question_denied', 'asks a question and a rule says that it may not')
    const ofCall = calls.findLast((call) => call.answerer !== undefined)?.answerer
    const answerer = this.answererFor(origin, ofCall ?? asker.latestAnswerer, asker.order)
    if (answerer === undefined)
      return this.#decline(
        server,
        'question_unanswerable',
        'asks a question and there is nobody to answer it',
      )
    if (!canShow(answerer, readable.kind)) {
      const reason = `asks a question that the channel of this conversation cannot show (${readable.kind})`
      return this.#decline(server, 'question_unshowable', reason)
    }
    return this.#put(readable, answerer, calls, AbortSignal.any([signal, whenGivenUp(calls)]))
  }

  /** Declines a question that may be of any of several callers. */
  declineUnattributed(server: string): Answer {
    if (!this.#rate.admit(JSON.stringify([server]))) return this.#declineExcess(server)
    const reason = 'asks a question outside of calls, over a connection that several callers used'
    return this.#decline(server, 'question_unattributed', reason)
  }

  async #put(
    readable: Exclude<Readable, { readonly kind: 'refused' }>,
    answerer: Answerer,
    calls: readonly CallInFlight[],
    withdrawn: AbortSignal,
  ): Promise<Answer> {
    const { id: questionId, kind, server, origin } = readable.question
    const { emit } = this.#options
    emit({ type: 'question.asked', questionId, kind, server, origin, ...idOfOnly(calls) })
    const answer = await this.#answerOf(readable, answerer, withdrawn)
    emit({ type: 'question.answered', questionId, server, action: answer.action })
    return answer
  }

  async #answerOf(
    readable: Exclude<Readable, { readonly kind: 'refused' }>,
    answerer: Answerer,
    withdrawn: AbortSignal,
  ): Promise<Answer> {
    const { question } = readable
    const tooLate = new AbortController()
    const { answerTimeoutMs } = this.#options.policy
    const stop = this.#options.clock.after(answerTimeoutMs, () => tooLate.abort())
    const signal = AbortSignal.any([withdrawn, tooLate.signal])
    try {
      const answer = await abortable(answerer.ask(question, { signal }), signal)
      if (answer.action === 'decline') return { action: 'decline' }
      if (answer.action !== 'accept') return { action: 'cancel' }
      return readable.kind === 'url' ? { action: 'accept' } : await this.#fitting(readable, answer)
    } catch {
      // The error of an answerer may contain the answer, so it is not reported.
      if (!withdrawn.aborted) this.#tellUnanswered(question.server, tooLate.signal.aborted)
      return { action: 'cancel' }
    } finally {
      stop()
    }
  }

  async #fitting(
    { question, fields }: Readable & { readonly kind: 'form' },
    { content = {} }: Answer & { readonly action: 'accept' },
  ): Promise<Answer> {
    const checked = this.#answerCheck(fields)(content)
    if (checked.kind === 'valid') return { action: 'accept', content: checked.content }
    this.#tell(
      question.server,
      'answer_invalid',
      `the answer to its question was not usable: ${describeIssues(checked.issues)}`,
    )
    return { action: 'cancel' }
  }

  #tellUnanswered(server: string, isTooLate: boolean): void {
    const { answerTimeoutMs } = this.#options.policy
    if (isTooLate)
      this.#tell(server, 'answer_timed_out', `nobody answered its question within ${answerTimeoutMs} ms`)
    else this.#tell(server, 'answerer_failed', 'its question could not be put to anybody')
  }

  /** Reported once per minute: a server may ask thousands of times per second. */
  #declineExcess(server: string): Answer {
    const message = this.#excess.next(server, 'asks too often; it was declined')
    if (message !== undefined) this.#tellDeclined(server, 'question_rate_exceeded', message)
    return { action: 'decline' }
  }

  #decline(server: string, code: string, message: string): Answer {
    this.#tellDeclined(server, code, `${message}; it was declined`)
    return { action: 'decline' }
  }

  #tellDeclined(server: string, code: string, message: string): void {
    const { hasJournal, redaction } = this.#options
    this.#tell(server, code, message)
    if (hasJournal) return
    const line = redaction.text(`server "${server}" ${message} (${code})`)
    process.stderr.write(`${printable(line, { maxLength: maxLineLength })}\n`)
  }

  #tell(server: string, code: string, message: string): void {
    this.#options.emit({ type: 'diagnostic', code, server, message: `server "${server}": ${message}` })
  }
}

/** The id of the call that led to a question, if only one can have. */
function idOfOnly([call, another]: readonly CallInFlight[]): { readonly callId?: string } {
  const { id = '' } = another === undefined ? (call ?? {}) : {}
  return id === '' ? {} : { callId: id }
}

/** The first answerer in the order; undefined if declining comes first. */
function firstOf(
  order: Policy['elicitation'],
  answerers: Readonly<Record<'route' | 'handler', Answerer | undefined>>,
): Answerer | undefined {
  for (const step of order) {
    if (step === 'decline' || step === 'off') return undefined
    if (answerers[step] !== undefined) return answerers[step]
  }
  return undefined
}

function read(request: ElicitRequest, { server, origin, calls }: QuestionSource): Readable {
  const [call, another] = calls
  const tool = another === undefined ? call?.tool : undefined
  const named = tool === undefined ? {} : { tool }
  const commons = { id: randomUUID(), origin, server, message: request.message, ...named }
  if (JSON.stringify(request).length > maxLength)
    return unsupported(`it is longer than ${maxLength} characters`)
  if (request.mode === 'url') {
    const checked = checkUrl(request.url)
    return checked.kind === 'refused'
      ? refused('question_unsafe_address', `asks to open a page: ${checked.problem}`)
      : { kind: 'url', question: { kind: 'url', ...commons, ...checked.address } }
  }
  const { requestedSchema: schema } = request
  const form = readForm(schema)
  if (form.kind === 'unsupported') return unsupported(form.problem)
  const secret = secretField(form.fields, request.message)
  if (secret !== undefined)
    return refused(
      'question_asks_secret',
      `asks for a secret by a form (${JSON.stringify(secret.name)}), which passes through programs that must not know it; it has to ask by an address (mode "url")`,
    )
  return { kind: 'form', question: { kind: 'form', ...commons, schema }, fields: form.fields }
}

const maxLineLength = 500

/** More than a person reads. Channels keep questions until they are answered. */
const maxLength = 262_144

function unsupported(problem: string): Readable {
  return refused('question_unsupported', `asks in a way that is not supported: ${problem}`)
}

function refused(code: string, reason: string): Readable {
  return { kind: 'refused', code, reason }
}

/**
 * Aborted when all calls that may have led to a request of the server have ended without an answer of the server. Otherwise
 * the request stays open until the server withdraws it or the connection ends.
 */
export function whenGivenUp(calls: readonly CallInFlight[]): AbortSignal {
  const controller = new AbortController()
  void Promise.all(calls.map((call) => call.over)).then(() => {
    if (calls.length > 0 && calls.every(({ isAnswered }) => !isAnswered)) controller.abort()
  })
  return controller.signal
}
