import type { JsonObject } from '@toolbridge/client/internal'
import { mask } from '../journal/redaction/secrets.ts'
import type { RecordedServer } from './cassette.ts'
import { type Exchange, objectOf, type Outcome, outcomeOf, questionsOf } from './exchanges.ts'
import { matches } from './match-params.ts'
import { describe } from './not-recorded.ts'

/** A question of the server with the answer that it got. */
export interface AnsweredQuestion {
  readonly method: string
  readonly params: JsonObject
  /** Result of the answer; undefined if it was refused or is missing. */
  readonly answer: unknown
}

/** A recorded request with all rounds of its questions. */
export interface RecordedRequest {
  /** The request in one line. */
  readonly subject: string
  readonly method: string
  readonly params: JsonObject
  readonly expected: Outcome
  readonly questions: readonly AnsweredQuestion[]
}

/** Requests that ask for something, other than lists. */
const repeatable: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
])

/** The recorded requests that can be sent again, in their order. */
export function requestsOf(exchanges: readonly Exchange[]): readonly RecordedRequest[] {
  return exchanges.flatMap((exchange, index) => {
    const { method, params } = exchange
    if (!repeatable.has(method) || isContinuation(params)) return []
    const rounds = roundsOf(exchange, exchanges.slice(index + 1))
    const expected = outcomeOf(rounds.at(-1) ?? exchange)
    if (expected === undefined || inputRequestsOf(expected) !== undefined) return []
    const questions = rounds.flatMap((round, at) => askedIn(round, rounds[at + 1]))
    return [{ subject: describe(method, params), method, params, expected, questions }]
  })
}

/** The items of a recorded list over all pages, as last recorded; undefined if it was not recorded. */
export function listedIn(
  exchanges: readonly Exchange[],
  method: string,
  field: string,
): readonly unknown[] | undefined {
  const pages = exchanges.filter((each) => each.method === method && resultOf(each) !== undefined)
  let page = pages.findLast((each) => each.params['cursor'] === undefined)
  if (page === undefined) return undefined
  const items: unknown[] = []
  for (const seen = new Set<Exchange>(); page !== undefined && !seen.has(page); ) {
    seen.add(page)
    const { [field]: found, nextCursor } = objectOf(resultOf(page))
    items.push(...(Array.isArray(found) ? found : []))
    page =
      nextCursor === undefined ? undefined : pages.findLast((each) => each.params['cursor'] === nextCursor)
  }
  return items
}

/** What the server said of itself when it was last opened. */
export function descriptionIn(exchanges: readonly Exchange[]): JsonObject {
  const opening = exchanges.findLast(
    (each) => ['initialize', 'server/discover'].includes(each.method) && resultOf(each) !== undefined,
  )
  return objectOf(opening && resultOf(opening))
}

/** The capabilities that the client declared when it last opened the server. */
export function declaredIn({ connections }: RecordedServer): JsonObject {
  const sent = connections.flatMap(({ messages }) => messages.filter(({ direction }) => direction === 'sent'))
  const declared = sent.flatMap(({ message }) => {
    const params = objectOf(message['params'])
    const capabilities =
      message['method'] === 'initialize'
        ? params['capabilities']
        : objectOf(params['_meta'])['io.modelcontextprotocol/clientCapabilities']
    return capabilities === undefined ? [] : [objectOf(capabilities)]
  })
  return declared.at(-1) ?? {}
}

/** Whether a value contains something that was redacted, so that it cannot be sent again. */
export function isRedacted(value: unknown): boolean {
  return JSON.stringify(value)?.includes(mask) === true
}

function resultOf(exchange: Exchange): unknown {
  const outcome = outcomeOf(exchange)
  return outcome !== undefined && 'result' in outcome ? outcome.result : undefined
}

/** A repetition with the answers to an `input_required` result. */
function isContinuation({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}

/** A request of the modern era with its repetitions, each with the answers to the previous result. */
function roundsOf(first: Exchange, later: readonly Exchange[]): readonly Exchange[] {
  const rounds = [first]
  for (const next of later) {
    const { requestState, inputRequests } = objectOf(resultOf(rounds.at(-1) ?? first))
    if (requestState === undefined && inputRequests === undefined) break
    const { inputResponses: _answers, requestState: state, ...params } = next.params
    if (
      next.method === first.method &&
      isContinuation(next.params) &&
      state === requestState &&
      matches(params, first.params)
    )
      rounds.push(next)
  }
  return rounds
}

/** The questions of one round: requests of the server, or those of its result with the answers of the next round. */
function askedIn(round: Exchange, next: Exchange | undefined): readonly AnsweredQuestion[] {
  const answers = objectOf(next?.params['inputResponses'])
  const inResult = Object.entries(inputRequestsOf(outcomeOf(round)) ?? {}).map(([key, request]) => {
    const { method, params } = objectOf(request)
    return { method: String(method), params: objectOf(params), answer: answers[key] }
  })
  const asRequests = questionsOf(round).map(({ method, params, answer }) => ({
    method,
    params,
    answer: answer !== undefined && 'result' in answer ? answer.result : undefined,
  }))
  return [...asRequests, ...inResult]
}

function inputRequestsOf(outcome: Outcome | undefined): JsonObject | undefined {
  if (outcome === undefined || !('result' in outcome)) return undefined
  const { resultType, inputRequests } = objectOf(outcome.result)
  return resultType === 'input_required' ? objectOf(inputRequests) : undefined
}
