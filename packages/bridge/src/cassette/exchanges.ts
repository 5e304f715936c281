import type { RequestId } from '@toolbridge/client'
import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import type { RecordedConnection, RecordedMessage, RecordedServer } from './cassette.ts'
import { paramsOf } from './match-params.ts'

/** The result or error of a request. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** What the server did because of a message of the client, in its order. */
export type Step =
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** A request of the server, with the client's answer once there is one. */
  | {
      readonly kind: 'question'
      readonly method: string
      readonly params: JsonObject
      answer: Outcome | undefined
    }
  | { readonly kind: 'response'; readonly outcome: Outcome }

/** A request or notification of the client, with everything that followed from it. */
export interface Exchange {
  readonly method: string
  /** Parameters without `_meta`. */
  readonly params: JsonObject
  readonly isRequest: boolean
  readonly steps: Step[]
}

export type Question = Extract<Step, { kind: 'question' }>

/** Groups the messages of all connections of a server by the client's message that they belong to. */
export function exchangesOf({ connections }: RecordedServer): readonly Exchange[] {
  return connections.flatMap((connection) => new Grouping().of(connection))
}

/** The answer to an exchange; undefined for a notification and where the recording ended before. */
export function outcomeOf({ steps }: Exchange): Outcome | undefined {
  return steps.find((step) => step.kind === 'response')?.outcome
}

/** The server's questions during an exchange. */
export function questionsOf({ steps }: Exchange): readonly Question[] {
  return steps.filter((step) => step.kind === 'question')
}

class Grouping {
  readonly #exchanges: Exchange[] = []
  /** Requests without an answer, in their order. */
  readonly #open = new Map<unknown, Exchange>()
  readonly #byToken = new Map<unknown, Exchange>()
  readonly #questions = new Map<unknown, Question>()

  of({ messages }: RecordedConnection): readonly Exchange[] {
    for (const recorded of messages) {
      if (recorded.direction === 'sent') this.#sent(recorded.message)
      else this.#received(recorded)
    }
    return this.#exchanges
  }

  #sent(message: JsonObject): void {
    const { id, method } = message
    if (typeof method !== 'string') return this.#answered(id, message)
    // It names a request by an id that nobody else uses.
    if (method === 'notifications/cancelled') return
    const params = objectOf(message['params'])
    const exchange: Exchange = {
      method,
      params: paramsOf(method, params),
      isRequest: id !== undefined,
      steps: [],
    }
    this.#exchanges.push(exchange)
    if (id !== undefined) this.#open.set(id, exchange)
    const { progressToken } = objectOf(params['_meta'])
    if (progressToken !== undefined) this.#byToken.set(progressToken, exchange)
  }

  #answered(id: unknown, message: JsonObject): void {
    const question = this.#questions.get(id)
    if (question !== undefined) question.answer = outcomeIn(message)
    this.#questions.delete(id)
  }

  #received({ message, request }: RecordedMessage): void {
    const { id, method } = message
    if (typeof method !== 'string') return this.#respond(id ?? request, message)
    const params = objectOf(message['params'])
    if (isHousekeeping(method)) return
    const owner = this.#ownerOf(method, params, request)
    if (owner === undefined) return
    if (id === undefined) return void owner.steps.push({ kind: 'notification', method, params })
    const question: Question = { kind: 'question', method, params, answer: undefined }
    owner.steps.push(question)
    this.#questions.set(id, question)
  }

  #respond(id: unknown, message: JsonObject): void {
    this.#open.get(id)?.steps.push({ kind: 'response', outcome: outcomeIn(message) })
    this.#open.delete(id)
  }

  /**
   * The exchange that a message of the server belongs to: by its progress token, subscription or stream; else the latest
   * request in flight; else the latest message of the client.
   */
  #ownerOf(method: string, params: JsonObject, request: RequestId | undefined): Exchange | undefined {
    if (method === 'notifications/progress') return this.#byToken.get(params['progressToken'])
    const subscription = objectOf(params['_meta'])[subscriptionKey]
    const named = this.#open.get(subscription ?? request)
    if (named !== undefined) return named
    const waiting = [...this.#open.values()].filter((each) => each.method !== 'subscriptions/listen')
    return waiting.at(-1) ?? this.#exchanges.at(-1)
  }
}

/** Key of the id of the `subscriptions/listen` request that a notification belongs to. */
export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'

/** Messages about the connection, which a replay makes itself. */
function isHousekeeping(method: string): boolean {
  return method === 'ping' || method === 'notifications/cancelled'
}

function outcomeIn({ result, error }: JsonObject): Outcome {
  return error === undefined ? { result } : { error }
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
