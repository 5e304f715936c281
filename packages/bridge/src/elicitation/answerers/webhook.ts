import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { abortable, isJsonObject, jsonFault, linkedSignal } from '@toolbridge/client/internal'
import { parseAnswer } from '../parse-answer.ts'
import type { Answer, Answerer, Question } from '../question.ts'
import { guardedPost, type PostResponse } from './guarded-post.ts'
import { isSigned, type SignedBody, signBody } from './signature.ts'

export type { SignedBody } from './signature.ts'

/** Options of `webhookAnswerer`. */
export interface WebhookAnswererOptions extends Pick<Answerer, 'kinds'> {
  /** The URL that receives questions: https, and no private network unless the guard allows it. */
  readonly url: string
  /** The shared secret that signs questions and answers. At least 16 characters; not part of the URL. */
  readonly secret: string
  /** Timeout of the POST request, not of the person's answer. Default: 10 s. */
  readonly timeoutMs?: number
  /** Exceptions of the URL guard. Default: public https URLs only. */
  readonly guard?: UrlGuardOptions
  /** Returns milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number
}

/** An answerer that posts questions to a web service. */
export interface WebhookAnswerer extends Answerer {
  /**
   * Receives a later answer: `{ "id": …, "answer": … }`, signed in the same way. Returns false if the signature or the
   * answer is invalid, or the question is no longer open.
   */
  receive(message: SignedBody): boolean
}

/**
 * Creates an answerer that posts each question as `{ "type": "question", "question": … }`. A 200 response carries the
 * answer in its body; after a 202 response the answer arrives through `receive`. A withdrawn question is posted as
 * `{ "type": "withdrawn", "id": … }`. The headers `toolbridge-timestamp` and `toolbridge-signature` authenticate the
 * sender: the signature is `v1=` and the HMAC-SHA256 of the timestamp, a dot and the body.
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
    // A service that misses the withdrawal learns of it when its answer is rejected.
    if (signal.aborted) void post({ type: 'withdrawn', id }, undefined, options).catch(() => {})
    throw error
  } finally {
    open.delete(id)
  }
}

/** The answer of a 200 response, or the one received after a 202 response. */
async function answerIn(response: Promise<PostResponse>, received: Promise<Answer>): Promise<Answer> {
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
): Promise<PostResponse> {
  const { body, timestamp, signature } = signBody(JSON.stringify(message), secret, now())
  const headers = { 'toolbridge-timestamp': timestamp, 'toolbridge-signature': signature }
  // `AbortSignal.timeout` may be garbage-collected while it is awaited.
  const tooLate = new AbortController()
  const timer = setTimeout(() => tooLate.abort(), timeoutMs)
  using ended = linkedSignal(signal, tooLate.signal)
  try {
    return await guardedPost({ url, body, headers, guard, signal: ended.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** What two readers could read differently is no answer. */
function read(body: string): Readonly<Record<string, unknown>> {
  if (jsonFault(body) !== undefined) return {}
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
