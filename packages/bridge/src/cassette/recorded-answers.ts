import { type JsonRpcErrorObject, McpErrorCode } from '@toolbridge/client'
import type { JsonObject } from '@toolbridge/client/internal'
import { type Exchange, type Outcome, outcomeOf, type Question, questionsOf } from './exchanges.ts'
import { firstDifference, matches, paramsOf } from './match-params.ts'

/** Where a replay continues after a question. */
interface Continuation {
  readonly exchange: Exchange
  /** Index of the question's step. */
  readonly index: number
}

/** Chooses the recorded exchange for each message of a client, in any order. */
export class RecordedAnswers {
  readonly #byMethod = new Map<string, Exchange[]>()
  /** How often each exchange, the first of those that are alike, was asked for. */
  readonly #uses = new Map<Exchange, number>()

  constructor(exchanges: readonly Exchange[]) {
    for (const exchange of exchanges) {
      const known = this.#byMethod.get(exchange.method)
      if (known === undefined) this.#byMethod.set(exchange.method, [exchange])
      else known.push(exchange)
    }
  }

  /** The next recording of a message; the last one again when all were used. Undefined if there is none. */
  next(method: string, params: JsonObject): Exchange | undefined {
    const wanted = paramsOf(method, params)
    const alike = (this.#byMethod.get(method) ?? []).filter((each) => matches(each.params, wanted))
    const complete = alike.filter(isComplete)
    const [first] = complete
    if (first === undefined) return undefined
    const uses = this.#uses.get(first) ?? 0
    this.#uses.set(first, uses + 1)
    return complete[Math.min(uses, complete.length - 1)]
  }

  /**
   * Where to continue after the answer to a question: in the same exchange if the answer is the recorded one, else in
   * another recording of the same request that got this answer, else nowhere. Only elicitations are compared: roots and the
   * words of a model differ everywhere.
   */
  after(
    exchange: Exchange,
    question: Question,
    answer: Outcome,
  ): Continuation | { error: JsonRpcErrorObject } {
    const same = { exchange, index: exchange.steps.indexOf(question) }
    const difference = differenceOf(question, answer)
    if (difference === undefined) return same
    const position = questionsOf(exchange).indexOf(question)
    const others = (this.#byMethod.get(exchange.method) ?? []).filter((each) =>
      isAlike(each, exchange, position),
    )
    for (const other of others) {
      const asked = questionsOf(other)[position]
      if (
        asked !== undefined &&
        matches(asked.params, question.params) &&
        differenceOf(asked, answer) === undefined
      )
        return { exchange: other, index: other.steps.indexOf(asked) }
    }
    return { error: { code: McpErrorCode.InvalidParams, message: otherAnswer(question, difference) } }
  }
}

/** A subscription stays open, so it has no answer. */
function isComplete(exchange: Exchange): boolean {
  return (
    !exchange.isRequest || exchange.method === 'subscriptions/listen' || outcomeOf(exchange) !== undefined
  )
}

/** Whether another exchange is the same request and went the same way before its question at this position. */
function isAlike(other: Exchange, exchange: Exchange, position: number): boolean {
  const [before, otherBefore] = [exchange, other].map((each) => questionsOf(each).slice(0, position))
  return (
    other !== exchange &&
    isComplete(other) &&
    matches(exchange.params, other.params) &&
    matches(
      before?.map(({ answer }) => answer),
      otherBefore?.map(({ answer }) => answer),
    )
  )
}

/** The part of an answer that differs from the recorded one. */
function differenceOf({ method, answer }: Question, given: Outcome): string | undefined {
  if (method !== 'elicitation/create' || answer === undefined) return undefined
  return firstDifference(answer, given)
}

/** Names what differs, not the values: they are of a person. */
function otherAnswer({ params }: Question, difference: string): string {
  const what = difference.replace(/^result\.?/, '') || 'the answer'
  return `the answer to ${JSON.stringify(params['message'])} is not the recorded one: ${what} differs`
}
