import {
  type ClientCapabilities,
  type ElicitRequest,
  type McpClientOptions,
  McpError,
  McpErrorCode,
  type RequestOptions,
  type SamplingRequest,
  type SamplingResult,
  type ServerDescription,
} from '@toolbridge/client'
import { LATEST_MODERN_VERSION, isJsonObject } from '@toolbridge/client/internal'
import type { Answer } from '../../elicitation/question.ts'
import { type Origin, originKey } from '../../origin.ts'
import type { CallInFlight, QuestionSource, QuestionRouter } from '../../elicitation/router.ts'
import type { Emit } from '../../journal/events/emit.ts'
import type { Redaction } from '../../journal/redaction/redaction.ts'
import type { Roots } from '../../roots.ts'
import type { Sampling } from '../../sampling.ts'
import type { CallsInFlight } from './calls-in-flight.ts'
import type { ConnectionScope } from './connection-scope.ts'

/** Capabilities that this client declares. */
export interface ClientFeatures {
  readonly router: QuestionRouter
  readonly sampling: Sampling | undefined
  readonly roots: Roots | undefined
  readonly emit: Emit
  /** Secrets that are removed from messages. */
  readonly redaction: Redaction
}

export interface ServerQuestionsOptions {
  readonly server: string
  readonly scope: ConnectionScope
  readonly calls: CallsInFlight
  readonly features: ClientFeatures
  /** Whether the server may ask at any time, not only in the result of a call; then no other origin may use the connection. */
  readonly mayAskAnytime: boolean
  /** Keeps the connection open until the returned function is called. */
  readonly hold: () => () => void
}

/** Request options that let the server ask in the result. */
export type RequestQuestions = Pick<RequestOptions, 'onRequest' | 'capabilities'>

/**
 * Handles the questions of a server over one connection. In the legacy era a question does not name its call and may
 * arrive when no call is in flight, so the connection belongs to one origin or does not declare elicitation. In the modern
 * era a question is part of a call's result and goes to the caller.
 */
export class ServerQuestions {
  readonly #options: ServerQuestionsOptions
  readonly #capabilities: ClientCapabilities
  /** Ids of URL elicitations that were accepted and are not complete. */
  readonly #openPages = new Set<string>()
  #era: 'unknown' | 'legacy' | 'modern' = 'unknown'

  constructor(options: ServerQuestionsOptions) {
    this.#options = options
    this.#capabilities = capabilitiesOf(options)
  }

  /** Client options for the whole connection. */
  get clientOptions(): Partial<McpClientOptions> {
    const { features, mayAskAnytime } = this.#options
    const { roots } = features
    const sampling = this.#sampling
    return {
      offersUrls: true,
      ...(sampling === undefined ? {} : { samplingTools: sampling.offersTools }),
      ...(roots === undefined ? {} : { roots: () => roots.list() }),
      ...(mayAskAnytime ? { onElicitation: (request, { signal }) => this.#askAnytime(request, signal) } : {}),
      ...(mayAskAnytime && sampling !== undefined
        ? { onSampling: (request, { signal }) => this.#sampleAnytime(sampling, request, signal) }
        : {}),
    }
  }

  /** Records the era of the open connection. */
  opened({ protocolVersion }: ServerDescription): void {
    this.#era = protocolVersion >= LATEST_MODERN_VERSION ? 'modern' : 'legacy'
  }

  get isModern(): boolean {
    return this.#era === 'modern'
  }

  /** Whether the server may ask while no call is in flight. */
  get mayAskLate(): boolean {
    return this.#options.mayAskAnytime && !this.isModern
  }

  /** Whether calls of an origin may use this connection. */
  serves(origin: Origin): boolean {
    const { mayAskAnytime, scope } = this.#options
    if (!mayAskAnytime || this.isModern || origin === scope) return true
    return originKey(origin) === originKey(scope)
  }

  /** Request options of an origin; empty in the legacy era. */
  questionsFor(origin: Origin): RequestQuestions {
    return this.isModern ? this.questionsOf(origin, undefined) : {}
  }

  /** Request options in the modern era. Made for every call. */
  questionsOf(origin: Origin, call: CallInFlight | undefined): Required<RequestQuestions> {
    return {
      capabilities: this.#capabilities,
      onRequest: (method, params, { signal }) => this.#answer(method, params, origin, call, signal),
    }
  }

  /** Handles `notifications/elicitation/complete`. Ignores ids that were not accepted. */
  completed(params: unknown): void {
    const { elicitationId } = isJsonObject(params) ? params : {}
    const { features, server, scope } = this.#options
    if (typeof elicitationId !== 'string' || !this.#openPages.delete(elicitationId)) return
    const { principal, conversation } = scope
    features.emit({ type: 'question.completed', server, origin: { principal, conversation } })
  }

  get #sampling(): Sampling | undefined {
    const { features, server } = this.#options
    return features.sampling?.isOfferedTo(server) === true ? features.sampling : undefined
  }

  async #answer(
    method: string,
    params: unknown,
    origin: Origin,
    call: CallInFlight | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { features, server } = this.#options
    const calls = call === undefined ? [] : [call]
    const asker: QuestionSource = { server, origin, calls, latestAnswerer: call?.answerer }
    const sampling = this.#sampling
    // The client has validated both.
    if (method === 'elicitation/create') return features.router.ask(params as ElicitRequest, asker, signal)
    if (method === 'sampling/createMessage' && sampling !== undefined)
      return this.#sample(sampling, params as SamplingRequest, asker, signal)
    throw new McpError(`${method} is not answered for a call`, {
      kind: 'unsupported',
      code: McpErrorCode.MethodNotFound,
    })
  }

  async #askAnytime(request: ElicitRequest, signal: AbortSignal): Promise<Answer> {
    // A question outside of a call cannot be attributed to an origin.
    if (this.isModern) return { action: 'decline' }
    const answer = await this.#whileHeld(() =>
      this.#options.features.router.ask(request, this.#owner, signal),
    )
    if (request.mode === 'url' && request.elicitationId !== undefined && answer.action === 'accept')
      this.#openPages.add(request.elicitationId)
    return answer
  }

  async #sampleAnytime(
    sampling: Sampling,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingResult> {
    return this.#whileHeld(() => this.#sample(sampling, request, this.#owner, signal))
  }

  #sample(
    sampling: Sampling,
    request: SamplingRequest,
    { server, origin, calls, latestAnswerer }: QuestionSource,
    signal: AbortSignal,
  ): Promise<SamplingResult> {
    const ofCall = [...calls].findLast((call) => call.answerer !== undefined)?.answerer
    const answerer = this.#options.features.router.answererFor(origin, ofCall ?? latestAnswerer)
    return sampling.sample(request, { server, origin, answerer }, signal)
  }

  /** The origin that owns this connection. */
  get #owner(): QuestionSource {
    const { server, scope, calls } = this.#options
    return { server, origin: scope, calls, latestAnswerer: calls.latestAnswerer }
  }

  async #whileHeld<T>(work: () => Promise<T>): Promise<T> {
    const letGo = this.#options.hold()
    try {
      return await work()
    } finally {
      letGo()
    }
  }
}

function capabilitiesOf({
  features: { sampling, roots },
  server,
}: ServerQuestionsOptions): ClientCapabilities {
  const canSample = sampling?.isOfferedTo(server) === true
  return {
    elicitation: { form: {}, url: {} },
    ...(canSample ? { sampling: sampling.offersTools ? { tools: {} } : {} } : {}),
    ...(roots === undefined ? {} : { roots: {} }),
  }
}
