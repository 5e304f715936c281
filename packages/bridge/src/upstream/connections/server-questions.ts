import {
  type ClientCapabilities,
  type ElicitRequest,
  type IncomingRequestContext,
  type McpClientOptions,
  McpError,
  McpErrorCode,
  type RequestOptions,
  type SamplingRequest,
  type SamplingResult,
  type ServerDescription,
} from '@toolbridge/client'
import { LATEST_MODERN_VERSION, isJsonObject } from '@toolbridge/client/internal'
import type { Answer, Answerer } from '../../elicitation/question.ts'
import type { Policy } from '../../config/spec/policy.ts'
import type { Origin } from '../../origin.ts'
import { type QuestionSource, type QuestionRouter, whenGivenUp } from '../../elicitation/router.ts'
import type { Emit } from '../../journal/events/emit.ts'
import type { Redaction } from '../../journal/redaction/redaction.ts'
import type { Roots, ServerRoots } from '../../roots.ts'
import type { Sampling } from '../../sampling.ts'
import type { CallsInFlight, RequestInFlight } from './calls-in-flight.ts'
import type { Claim } from './claim.ts'
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
  /** The roots that the server may know. Default: the capability is not declared. */
  readonly roots?: ServerRoots | undefined
  /** Who answers elicitations, in order. */
  readonly elicitation: Policy['elicitation']
  /** Whether the server may ask at any time, not only in the result of a call; then one caller at a time uses the connection. */
  readonly mayAskAnytime: boolean
  /** Which caller that is. */
  readonly claim: Claim
  /** Keeps the connection open until the returned function is called. */
  readonly hold: () => () => void
}

/** Request options that let the server ask in the result. */
export type RequestQuestions = Pick<RequestOptions, 'onRequest' | 'capabilities'>

/**
 * Handles the questions of a server over one connection. In the legacy era a question does not name its call and may
 * arrive when no call is in flight, so one caller at a time uses the connection, or it does not declare elicitation. In the
 * modern era a question is part of a call's result and goes to the caller.
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
    const { roots, mayAskAnytime } = this.#options
    const mayElicit = mayAskAnytime && this.#capabilities.elicitation !== undefined
    const sampling = this.#sampling
    return {
      offersUrls: true,
      ...(sampling === undefined ? {} : { samplingTools: sampling.offersTools }),
      ...(roots === undefined ? {} : { roots: () => roots.list() }),
      ...(mayElicit ? { onElicitation: (request, context) => this.#askAnytime(request, context) } : {}),
      ...(mayAskAnytime && sampling !== undefined
        ? { onSampling: (request, context) => this.#sampleAnytime(sampling, request, context) }
        : {}),
    }
  }

  /** Records the era of the open connection. */
  opened({ protocolVersion }: ServerDescription): void {
    this.#era = protocolVersion === LATEST_MODERN_VERSION ? 'modern' : 'legacy'
  }

  get isModern(): boolean {
    return this.#era === 'modern'
  }

  /** Whether the server may ask while no call is in flight. */
  get mayAskLate(): boolean {
    return this.#options.mayAskAnytime && !this.isModern
  }

  /** Options of a request other than a call; empty in the legacy era. */
  questionsFor(request: RequestInFlight): RequestQuestions {
    return this.isModern ? this.questionsOf(request) : {}
  }

  /** Request options in the modern era. Made for every call. */
  questionsOf(call: RequestInFlight): Required<RequestQuestions> {
    return {
      capabilities: this.#capabilities,
      onRequest: (method, params, { signal }) => this.#answer(method, params, call, signal),
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
    call: RequestInFlight,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { features } = this.#options
    const asker = this.#asker([call], call.origin, undefined)
    const sampling = this.#sampling
    // The client has validated both.
    if (method === 'elicitation/create' && this.#capabilities.elicitation !== undefined)
      return features.router.ask(params as ElicitRequest, asker, signal)
    if (method === 'sampling/createMessage' && sampling !== undefined)
      return this.#sample(sampling, params as SamplingRequest, asker, signal)
    throw new McpError(`${method} is not answered for a call`, {
      kind: 'unsupported',
      code: McpErrorCode.MethodNotFound,
    })
  }

  async #askAnytime(request: ElicitRequest, context: IncomingRequestContext): Promise<Answer> {
    const { features, server } = this.#options
    const asker = this.#askerOf(context)
    if (asker === undefined) return features.router.declineUnattributed(server)
    const answer = await this.#whileHeld(() => features.router.ask(request, asker, context.signal))
    if (request.mode === 'url' && request.elicitationId !== undefined && answer.action === 'accept')
      this.#openPages.add(request.elicitationId)
    return answer
  }

  async #sampleAnytime(
    sampling: Sampling,
    request: SamplingRequest,
    context: IncomingRequestContext,
  ): Promise<SamplingResult> {
    const asker = this.#askerOf(context)
    if (asker === undefined) throw sampling.refuseUnattributed(this.#options.server)
    return this.#whileHeld(() => this.#sample(sampling, request, asker, context.signal))
  }

  #sample(
    sampling: Sampling,
    request: SamplingRequest,
    { server, origin, calls, latestAnswerer }: QuestionSource,
    signal: AbortSignal,
  ): Promise<SamplingResult> {
    const ofCall = calls.findLast((call) => call.answerer !== undefined)?.answerer
    const answerer = this.#options.features.router.answererFor(origin, ofCall ?? latestAnswerer)
    const withdrawn = AbortSignal.any([signal, whenGivenUp(calls)])
    return sampling.sample(request, { server, origin, answerer }, withdrawn)
  }

  /**
   * The origin that a question outside of results belongs to: that of the call on whose stream it arrived, else of the calls
   * in flight, which have one origin, else of the connection. Undefined if several callers had the connection, and in the
   * modern era.
   */
  #askerOf({ request }: IncomingRequestContext): QuestionSource | undefined {
    const { scope, claim } = this.#options
    if (this.isModern) return undefined
    const related = this.#callsOf(request)
    const [call] = related
    const latest = claim.answerer
    if (call !== undefined) return this.#asker(related, call.origin, latest)
    return claim.hasPassed ? undefined : this.#asker([], claim.origin ?? scope, latest)
  }

  #callsOf(request: IncomingRequestContext['request']): readonly RequestInFlight[] {
    const { calls } = this.#options
    if (request === undefined) return [...calls]
    return request === 'ended' ? [] : calls.thatSent(request)
  }

  #asker(
    calls: readonly RequestInFlight[],
    { principal, conversation, isAnonymous }: Origin,
    latestAnswerer: Answerer | undefined,
  ): QuestionSource {
    const anonymous = isAnonymous === true ? { isAnonymous } : {}
    return {
      server: this.#options.server,
      origin: { principal, conversation, ...anonymous },
      calls,
      latestAnswerer,
      order: this.#options.elicitation,
    }
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

function capabilitiesOf(options: ServerQuestionsOptions): ClientCapabilities {
  const { features, server, roots } = options
  const { sampling } = features
  const canSample = sampling?.isOfferedTo(server) === true
  return {
    ...(canElicit(options) ? { elicitation: { form: {}, url: {} } } : {}),
    ...(canSample ? { sampling: sampling.offersTools ? { tools: {} } : {} } : {}),
    ...(roots === undefined ? {} : { roots: {} }),
  }
}

/** Whether anybody but `off` can answer elicitations. A call may bring an answerer at any time. */
function canElicit({ elicitation, scope, features: { router } }: ServerQuestionsOptions): boolean {
  const first = elicitation.find(
    (step) => step !== 'handler' || router.answererFor(scope, undefined) !== undefined,
  )
  return first !== undefined && first !== 'off'
}
