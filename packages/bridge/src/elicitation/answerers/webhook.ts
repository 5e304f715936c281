import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { abortable, isJsonObject, linkedSignal } from '@toolbridge/client/internal'
import { parseAnswer } from '../parse-answer.ts'
import type { Answer, Answerer, Question } from '../question.ts'
import { guardedPost, type PostAnswer } from './guarded-post.ts'
import { isSigned, type SignedBody, signBody } from './signature.ts'

export type { SignedBody } from './signature.ts'

export interface WebhookAnswererOptions extends Pick<Answerer, 'kinds'> {
  /** Where questions are posted to: https, and no private network unless the guard says so. */
  readonly url: string
  /** Signs what is posted, and what comes back. At least 16 characters; never part of the address. */
  readonly secret: string
  /** How long the other side may take to take a question: 10,000 unless told. A person's time to answer does not count. */
  readonly timeoutMs?: number
  readonly guard?: UrlGuardOptions
  /** Milliseconds since the epoch: the machine's clock unless told. */
  readonly now?: () => number
}

/** Brings questions to a program that somebody runs, by HTTP. */
export interface WebhookAnswerer extends Answerer {
  /**
   * Takes an answer that came later: `{ "id": …, "answer": … }`, signed in the same way. False when the signature is not
   * right, the question is not open any more, or there is no answer in it.
   */
  receive(message: SignedBody): boolean
}

/**
 * Posts each question as `{ "type": "question", "question": … }`. Who answers 200 answers at once, in the body; who
 * answers 202 answers later, by `receive`. A question that is withdrawn is told as `{ "type": "withdrawn", "id": … }`.
 * The headers `toolbridge-timestamp` and `toolbridge-signature` prove who posts: `v1=` and the HMAC-SHA256 of the time,
 * a dot and the body.
 */
export function webhookAnswerer(options: WebhookAnswererOptions): WebhookAnswerer {
  const { secret, kinds, now = Date.now } = options
  if (secret.length < 16) throw new TypeError('the secret of a webhook has at least 16 characters')
  const open = new Map<string, (answer: Answer) => void>()
  return {
    ...(kinds === undefined ? {} : { kinds }),
    ask: (question, { signal }) => ask(question, signal, options, open),
    receive: (message) => {
      const { id, answer } = isSigned(message, secret, now()) ? read(message.body) : {}
      const parsed = parseAnswer(answer)
      const resolve = typeof id === 'string' ? open.get(id) : undefined
      if (parsed === undefined || resolve === undefined) return false
      resolve(parsed)
      return open.delete(String(id))
    },
  }
}

async function ask(
  question: Question,
  signal: AbortSignal,
  options: WebhookAnswererOptions,
  open: Map<string, (answer: Answer) => void>,
): Promise<Answer> {
  const { id } = question
  const received = new Promise<Answer>((resolve) => open.set(id, resolve))
  try {
    const responded = answerIn(post({ type: 'question', question }, signal, options), received)
    return await abortable(Promise.race([received, responded]), signal)
  } catch (error) {
    // Whoever cannot be told finds out when its answer is not taken.
    if (signal.aborted) void post({ type: 'withdrawn', id }, undefined, options).catch(() => {})
    throw error
  } finally {
    open.delete(id)
  }
}

/** The answer in a response, or the one that the response puts off. */
async function answerIn(response: Promise<PostAnswer>, received: Promise<Answer>): Promise<Answer> {
  const { status, body } = await response
  if (status === 202) return received
  const answer = status === 200 ? parseAnswer(read(body)) : undefined
  if (answer === undefined) throw new Error(`the webhook answered ${status} and no answer`)
  return answer
}

async function post(
  message: object,
  signal: AbortSignal | undefined,
  { url, secret, timeoutMs = 10_000, guard = {}, now = Date.now }: WebhookAnswererOptions,
): Promise<PostAnswer> {
  const { body, timestamp, signature } = signBody(JSON.stringify(message), secret, now())
  const headers = { 'toolbridge-timestamp': timestamp, 'toolbridge-signature': signature }
  // Node's own signals of time may be collected while somebody waits for them.
  const tooLate = new AbortController()
  const timer = setTimeout(() => tooLate.abort(), timeoutMs)
  using ended = linkedSignal(signal, tooLate.signal)
  try {
    return await guardedPost({ url, body, headers, guard, signal: ended.signal })
  } finally {
    clearTimeout(timer)
  }
}

function read(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
