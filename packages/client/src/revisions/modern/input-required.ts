import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode, malformedError } from '../../jsonrpc/jsonrpc.ts'
import { inputRequests as definedInputs } from '../registry.generated.ts'
import { LATEST_MODERN_VERSION } from '../versions.ts'
import { abortable } from '../../async/abortable.ts'
import { callFirstHandler } from '../../jsonrpc/incoming-requests.ts'
import { answerServerRequest } from '../../server-requests/answer-server-request.ts'
import { checkedHandler } from '../../server-requests/checked-handler.ts'
import type { ServerRequestHandlers } from '../../server-requests/server-request-handlers.ts'
import type { ModernRequests } from './modern-requests.ts'
import { delay } from '../../timing/delay.ts'
import type { IncomingRequestHandler, RequestOptions } from '../../jsonrpc/transport.ts'

/** A request that the server wants repeated with input responses. */
interface Repeatable {
  readonly method: string
  readonly options: RequestOptions
  /** Sends the request again, as a new one, with these additional parameters. */
  readonly repeat: (added: JsonObject, options: RequestOptions) => Promise<JsonObject>
  /** Answers one input request. */
  readonly answer: IncomingRequestHandler
  /** Aborted when the connection ends. */
  readonly lifetime: AbortSignal
  /** When the request was first sent, by `performance.now()`. */
  readonly startedAt: number
}

/** A request that can be repeated. */
export interface RepeatableRequest {
  readonly method: string
  readonly params: JsonObject
  readonly options: RequestOptions
  /** When the request was first sent, by `performance.now()`. */
  readonly startedAt: number
}

/** Maximum number of rounds. */
const MAX_ROUNDS = 10

/** Delay before repeating a request that needs no input. */
const PACE_MS = 250

/** Completes a request whose first result is `input_required`. The request's own handler answers first, then the host. */
export function completeRequest(
  first: JsonObject,
  { method, params, options, startedAt }: RepeatableRequest,
  requests: ModernRequests,
  host: ServerRequestHandlers,
  lifetime: AbortSignal,
): Promise<JsonObject> {
  const { onRequest } = checkedHandler(options, host)
  const byHost: IncomingRequestHandler = (...question) => answerServerRequest(host, ...question)
  return answerInputs(first, {
    method,
    options,
    startedAt,
    repeat: (added, left) => requests.send(method, { ...params, ...added }, left),
    answer: (asked, about, { signal }) => callFirstHandler([onRequest, byHost], asked, about, { signal }),
    lifetime,
  })
}

/**
 * Answers the server's input requests and repeats the request until its result is complete. Each round sends the answers
 * of that round and the server's last state. Rejects when an input request cannot be answered.
 */
async function answerInputs(first: JsonObject, request: Repeatable): Promise<JsonObject> {
  const signal = endOf(request)
  let result = first
  let answeringMs = 0
  for (let round = 1; result['resultType'] === 'input_required'; round++) {
    if (round > MAX_ROUNDS) throw tooManyRounds(request.method)
    const askedAt = performance.now()
    const added = await abortable(answersTo(result, request, signal), signal)
    answeringMs += performance.now() - askedAt
    result = await request.repeat(added, withTimeLeft(request, answeringMs))
  }
  return result
}

async function answersTo(result: JsonObject, request: Repeatable, signal: AbortSignal): Promise<JsonObject> {
  const { inputRequests = {}, requestState } = result
  const state = requestState === undefined ? {} : { requestState }
  const questions = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
  if (questions.length > 0) return { inputResponses: await answerAll(questions, request, signal), ...state }
  await delay(PACE_MS, signal)
  return state
}

/** Answers all in parallel. If one fails, the others are aborted. */
async function answerAll(
  questions: readonly (readonly [string, unknown])[],
  { answer }: Repeatable,
  signal: AbortSignal,
): Promise<JsonObject> {
  const giveUp = new AbortController()
  const context = { signal: AbortSignal.any([signal, giveUp.signal]) }
  const ask = async ([key, question]: readonly [string, unknown]): Promise<readonly [string, unknown]> => {
    const { method, params } = parseQuestion(question)
    return [key, await answer(method, params, context).catch((error) => refuse(method, error))]
  }
  try {
    return Object.fromEntries(await Promise.all(questions.map(ask)))
  } catch (error) {
    giveUp.abort(error)
    throw error
  }
}

function refuse(method: string, error: unknown): never {
  const isOffered = !(error instanceof McpError) || error.code !== McpErrorCode.MethodNotFound
  if (isOffered) throw error
  const message = `the server asks for ${method}, which this client did not announce`
  throw new McpError(message, { kind: 'unsupported', code: McpErrorCode.MethodNotFound })
}

function parseQuestion(question: unknown): { method: string; params: unknown } {
  const { method, params } = isJsonObject(question) ? question : {}
  if (typeof method !== 'string') throw malformedError('the server asks for input without saying which')
  const isDefined = definedInputs[LATEST_MODERN_VERSION]?.includes(method) === true
  if (!isDefined)
    throw malformedError(`the server asks for ${JSON.stringify(method)}, which is not an input request`)
  return { method, params }
}

/** The time for answers does not count. */
function withTimeLeft({ method, options, startedAt }: Repeatable, answeringMs: number): RequestOptions {
  if (options.maxTimeoutMs === undefined) return options
  const leftMs = options.maxTimeoutMs - (performance.now() - startedAt - answeringMs)
  if (leftMs > 0) return { ...options, maxTimeoutMs: leftMs }
  throw new McpError(`the server did not complete ${method} in time (${options.maxTimeoutMs} ms in all)`, {
    kind: 'timeout',
    code: McpErrorCode.RequestTimeout,
  })
}

function endOf({ options, lifetime }: Repeatable): AbortSignal {
  // Always a new signal: Node reports a leak if one signal has many listeners.
  return AbortSignal.any(options.signal === undefined ? [lifetime] : [options.signal, lifetime])
}

function tooManyRounds(method: string): McpError {
  return malformedError(`the server still asked for input after ${MAX_ROUNDS} rounds of ${method}`)
}
