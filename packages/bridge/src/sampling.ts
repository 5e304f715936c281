import {
  type SamplingMessage,
  type SamplingRequest,
  type SamplingResult,
  samplingRejected,
} from '@toolbridge/client'
import type { Answerer } from './elicitation/question.ts'
import { type Origin, originKey } from './origin.ts'
import { DeniedError } from './errors.ts'
import type { Emit } from './journal/events/emit.ts'

/** Runs the host's model for servers. */
export interface Sampler {
  /** `request.maxTokens` is what the budget leaves and must be kept to. Everything else in the request is untrusted. */
  sample(request: SamplingRequest, options: SamplerOptions): Promise<SamplerResult>
}

export interface SamplerOptions {
  readonly server: string
  readonly origin: Origin
  readonly signal: AbortSignal
}

/** What the model answered. */
export interface SamplerResult {
  readonly result: SamplingResult
  /** How many tokens it cost; as many as were allowed unless told. */
  readonly tokens?: number
}

/** Which servers may have the host's model answer, and how much of it. */
export interface SamplingOptions {
  readonly sampler: Sampler
  /** Names of the servers that may; no other server is told that there is a model. */
  readonly servers: readonly string[]
  /** How often one server may, for one conversation: 20 times unless told. */
  readonly maxCalls?: number
  /** How many tokens in all one server may use for one conversation: 100,000 unless told. */
  readonly maxTokens?: number
  /** How many tokens one answer may have: 4,096 unless told. */
  readonly maxTokensPerCall?: number
  /** The sampler can offer a server's tools to the model; not unless told. */
  readonly offersTools?: boolean
  /** How often the model may have called tools before one answer: 8 times unless told. */
  readonly maxToolRounds?: number
}

/** A server that wants the model, and on whose behalf it was called. */
export interface SamplingSource {
  readonly server: string
  readonly origin: Origin
  readonly answerer: Answerer | undefined
}

export interface SamplingServices {
  readonly emit: Emit
  /** Resolves when a person, or a rule, allows it; rejects with a `DeniedError`. */
  readonly permit: (asker: SamplingSource, request: SamplingRequest, signal: AbortSignal) => Promise<unknown>
}

/** Hosts may never say that a conversation is over. */
const maxConversations = 10_000

interface Spent {
  calls: number
  tokens: number
}

/** Has the host's model answer servers: those that may, within their budgets, each time with somebody's consent. */
export class Sampling {
  readonly #options: SamplingOptions
  readonly #services: SamplingServices
  readonly #spent = new Map<string, Map<string, Spent>>()

  constructor(options: SamplingOptions, services: SamplingServices) {
    this.#options = options
    this.#services = services
  }

  isOfferedTo(server: string): boolean {
    return this.#options.servers.includes(server)
  }

  get offersTools(): boolean {
    return this.#options.offersTools ?? false
  }

  /** Rejects with what the server is told, which is never more than that it was refused. */
  async sample(
    request: SamplingRequest,
    asker: SamplingSource,
    signal: AbortSignal,
  ): Promise<SamplingResult> {
    const { server, origin } = asker
    const spent = this.#spentBy(asker)
    const problem = this.#problemWith(request, asker, spent)
    if (problem !== undefined) throw this.#refuse(asker, problem)
    spent.calls += 1
    const { maxTokens: allowed = 100_000, maxTokensPerCall = 4_096 } = this.#options
    const maxTokens = Math.min(request.maxTokens, maxTokensPerCall, allowed - spent.tokens)
    // Taken before anybody waits, so that requests at the same time do not share what is left.
    spent.tokens += maxTokens
    const bounded = { ...request, maxTokens }
    let isBegun = false
    try {
      await this.#services.permit(asker, bounded, signal)
      isBegun = true
      const { result, tokens = maxTokens } = await this.#options.sampler.sample(bounded, {
        server,
        origin,
        signal,
      })
      spent.tokens += tokens - maxTokens
      this.#services.emit({ type: 'sampling.finished', server, origin, outcome: 'ok', tokens })
      return result
    } catch (error) {
      // A server that takes its request back has had the model work nevertheless.
      if (!isBegun || !signal.aborted) spent.tokens -= maxTokens
      throw this.#failed(asker, error)
    }
  }

  /** A conversation is over: what was spent for it does not count any more. */
  forget(origin: Origin): void {
    this.#spent.delete(originKey(origin))
  }

  #spentBy({ server, origin }: SamplingSource): Spent {
    const key = originKey(origin)
    const ofOrigin = this.#spent.get(key) ?? new Map<string, Spent>()
    // In the order of last use, so that the longest unused goes first.
    this.#spent.delete(key)
    this.#spent.set(key, ofOrigin)
    const [oldest] = this.#spent.keys()
    if (this.#spent.size > maxConversations && oldest !== undefined) this.#spent.delete(oldest)
    const spent = ofOrigin.get(server) ?? { calls: 0, tokens: 0 }
    ofOrigin.set(server, spent)
    return spent
  }

  #problemWith(request: SamplingRequest, { server }: SamplingSource, spent: Spent): string | undefined {
    const { maxCalls = 20, maxTokens = 100_000, maxToolRounds = 8 } = this.#options
    if (!this.isOfferedTo(server)) return 'is not among the servers that may use the model'
    if (!(request.maxTokens > 0)) return `asks for an answer of ${request.maxTokens} tokens`
    if (spent.calls >= maxCalls) return `has used the model ${maxCalls} times, which is as often as it may`
    if (spent.tokens >= maxTokens) return `has used ${maxTokens} tokens, which is as many as it may`
    if (request.messages.filter(usesTools).length > maxToolRounds)
      return `wants more than ${maxToolRounds} rounds of tools for one answer`
    return undefined
  }

  #refuse(asker: SamplingSource, problem: string): Error {
    const { server, origin } = asker
    const message = `server "${server}" ${problem}; it was refused`
    this.#services.emit({ type: 'diagnostic', code: 'sampling_refused', server, message })
    this.#services.emit({ type: 'sampling.finished', server, origin, outcome: 'refused', tokens: 0 })
    return samplingRejected()
  }

  #failed({ server, origin }: SamplingSource, error: unknown): Error {
    const outcome = error instanceof DeniedError ? 'refused' : 'failed'
    this.#services.emit({ type: 'sampling.finished', server, origin, outcome, tokens: 0 })
    if (outcome === 'refused') return samplingRejected()
    // What went wrong may quote the prompt or a key, and is none of the server's business.
    const message = `server "${server}" could not be given an answer of the model`
    this.#services.emit({ type: 'diagnostic', code: 'sampling_failed', server, message })
    return samplingRejected('the model could not be used')
  }
}

function usesTools({ role, content }: SamplingMessage): boolean {
  const blocks = Array.isArray(content) ? content : [content]
  return role === 'assistant' && blocks.some((block) => block.type === 'tool_use')
}
