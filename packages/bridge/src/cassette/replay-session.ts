import type { JsonRpcMessage, RequestId } from '@toolbridge/client'
import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import type { RecordedServer } from './cassette.ts'
import {
  type Exchange,
  exchangesOf,
  objectOf,
  type Outcome,
  type Question,
  subscriptionKey,
} from './exchanges.ts'
import { notRecorded } from './not-recorded.ts'
import { RecordedAnswers } from './recorded-answers.ts'

/** A request of the client that is being answered. */
interface Playing {
  /** Undefined for a notification. */
  readonly id: RequestId | undefined
  readonly progressToken: unknown
  isCancelled: boolean
}

/** A recorded server at one end of a connection. Knows nothing of the transport. */
export class ReplaySession {
  readonly #exchanges: readonly Exchange[]
  readonly #answers: RecordedAnswers
  readonly #send: (message: JsonRpcMessage) => void
  readonly #playing = new Map<unknown, Playing>()
  readonly #asked = new Map<unknown, (outcome: Outcome) => void>()
  #capabilities: JsonObject = {}
  #questions = 0

  constructor(server: RecordedServer, send: (message: JsonRpcMessage) => void) {
    this.#exchanges = exchangesOf(server)
    this.#answers = new RecordedAnswers(this.#exchanges)
    this.#send = send
  }

  /** Handles a message of the client. */
  receive(message: unknown): void {
    if (Array.isArray(message)) return message.forEach((each) => this.receive(each))
    if (!isJsonObject(message)) return
    const { id, method, result, error } = message
    const params = objectOf(message['params'])
    if (typeof method !== 'string') this.#asked.get(id)?.(error === undefined ? { result } : { error })
    else if (method === 'notifications/cancelled') this.#cancel(params['requestId'])
    else if (typeof id === 'number' || typeof id === 'string') this.#request(id, method, params)
    else this.#notification(method, params)
  }

  #request(id: RequestId, method: string, params: JsonObject): void {
    if (method === 'initialize') this.#capabilities = objectOf(params['capabilities'])
    const exchange = this.#answers.next(method, params)
    if (exchange !== undefined) return this.#start(exchange, id, params)
    // Every server answers these, whether they were recorded or not.
    if (method === 'ping' || method === 'logging/setLevel') return this.#respond(id, { result: {} })
    this.#respond(id, { error: notRecorded(method, params, this.#exchanges) })
  }

  #notification(method: string, params: JsonObject): void {
    const exchange = this.#answers.next(method, params)
    if (exchange !== undefined) this.#start(exchange, undefined, params)
  }

  #start(exchange: Exchange, id: RequestId | undefined, params: JsonObject): void {
    const { progressToken } = objectOf(params['_meta'])
    const playing: Playing = { id, progressToken, isCancelled: false }
    if (id !== undefined) this.#playing.set(id, playing)
    void this.#play(exchange, playing).finally(() => this.#playing.delete(id))
  }

  #cancel(id: unknown): void {
    const playing = this.#playing.get(id)
    if (playing !== undefined) playing.isCancelled = true
  }

  async #play(exchange: Exchange, playing: Playing): Promise<void> {
    let current = exchange
    for (let index = 0; index < current.steps.length && !playing.isCancelled; index += 1) {
      const step = current.steps[index]
      if (step?.kind === 'notification') this.#notify(step.method, step.params, playing)
      if (step?.kind === 'response') this.#respond(playing.id, outcomeFor(step.outcome, playing))
      if (step?.kind !== 'question' || !this.#mayAsk(step)) continue
      const outcome = await this.#ask(step)
      const next = this.#answers.after(current, step, outcome)
      if ('error' in next) return this.#respond(playing.id, next)
      current = next.exchange
      index = next.index
    }
  }

  #notify(method: string, params: JsonObject, { id, progressToken }: Playing): void {
    if (method !== 'notifications/progress')
      this.#send({ jsonrpc: '2.0', method, params: withSubscription(params, id) })
    else if (progressToken !== undefined)
      this.#send({ jsonrpc: '2.0', method, params: { ...params, progressToken } })
  }

  /** A server asks only for what the client has declared; else the recorded answer is assumed. */
  #mayAsk({ method, params }: Question): boolean {
    const declared = this.#capabilities[capabilityOf[method] ?? '']
    if (params['mode'] === 'url') return objectOf(declared)['url'] !== undefined
    return declared !== undefined
  }

  async #ask({ method, params }: Question): Promise<Outcome> {
    const id = `replay-${++this.#questions}`
    const answered = new Promise<Outcome>((resolve) => this.#asked.set(id, resolve))
    this.#send({ jsonrpc: '2.0', id, method, params })
    const outcome = await answered
    this.#asked.delete(id)
    return outcome
  }

  #respond(id: RequestId | undefined, outcome: Outcome): void {
    // Recorded as it was, so its type is that of a response.
    if (id !== undefined) this.#send({ jsonrpc: '2.0', id, ...outcome } as JsonRpcMessage)
  }
}

const capabilityOf: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

function outcomeFor(outcome: Outcome, { id }: Playing): Outcome {
  return 'result' in outcome && isJsonObject(outcome.result)
    ? { result: withSubscription(outcome.result, id) }
    : outcome
}

/** The id of a subscription is that of its request. */
function withSubscription(params: JsonObject, id: RequestId | undefined): JsonObject {
  const meta = objectOf(params['_meta'])
  return meta[subscriptionKey] === undefined
    ? params
    : { ...params, _meta: { ...meta, [subscriptionKey]: id } }
}
