import {
  type SamplingContent,
  type SamplingMessage,
  type SamplingRequest,
  type SamplingResult,
  samplingRejected,
} from '@toolbridge/client'
import type { Answerer } from './elicitation/question.ts'
import { type Origin, originKey } from './origin.ts'
import { DeniedError } from './errors.ts'
import type { Emit } from './journal/events/emit.ts'

/** Runs the application's model for servers. */
export interface Sampler {
  /** Must respect `request.maxTokens`, the remaining budget. Everything else in the request is untrusted. */
  sample(request: SamplingRequest, options: SamplerOptions): Promise<SamplerResult>
}

/** Context of a sampling request. */
export interface SamplerOptions {
  /** Name of the requesting server. */
  readonly server: string
  /** The caller on whose behalf the server was called. */
  readonly origin: Origin
  /** Aborted when the request is withdrawn, its call is aborted, or the connection closes. */
  readonly signal: AbortSignal
}

/** The answer of the model. */
export interface SamplerResult {
  /** The answer of the model. */
  readonly result: SamplingResult
  /** Tokens used. Default: the allowed maximum, and an estimate of those of the request. */
  readonly tokens?: number
}

/** Which servers may use sampling, and their budgets. */
export interface SamplingOptions {
  /** Answers sampling requests. */
  readonly sampler: Sampler
  /** Names of the servers that may. The capability is not declared to others. */
  readonly servers: readonly string[]
  /** Requests per server and conversation. Default: 20. */
  readonly maxCalls?: number
  /** Tokens of requests and answers, per server and conversation. Default: 100,000. */
  readonly maxTokens?: number
  /** Tokens per answer. Default: 4,096. */
  readonly maxTokensPerCall?: number
  /** Whether the sampler supports tools in requests. Default: false. */
  readonly offersTools?: boolean
  /** Tool calls before one answer. Default: 8. */
  readonly maxToolRounds?: number
}

/** The server that sent a sampling request, and its caller. */
export interface SamplingSource {
  readonly server: string
  readonly origin: Origin
  readonly answerer: Answerer | undefined
}

export interface SamplingServices {
  readonly emit: Emit
  /** Resolves if a rule or a person allows it; rejects with a `DeniedError`. */
  readonly permit: (asker: SamplingSource, request: SamplingRequest, signal: AbortSignal) => Promise<unknown>
}

/** Conversations may never be released explicitly, so the number of budgets is bounded. */
const maxConversations = 10_000

interface Spent {
  calls: number
  tokens: number
}

/** Answers sampling requests of permitted servers, within their budgets, after approval. */
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

  /** Rejects with an error that tells the server only that it was refused. */
  async sample(
    request: SamplingRequest,
    asker: SamplingSource,
    signal: AbortSignal,
  ): Promise<SamplingResult> {
    const { server, origin } = asker
    const spent = this.#spentBy(asker)
    const input = inputTokens(request)
    const problem = this.#problemWith(request, input, asker, spent)
    if (problem !== undefined) throw this.#refuse(asker, problem)
    spent.calls += 1
    const { maxTokens: allowed = 100_000, maxTokensPerCall = 4_096 } = this.#options
    const maxTokens = Math.min(request.maxTokens, maxTokensPerCall, allowed - spent.tokens)
    const reserved = maxTokens + input
    // Reserved before waiting, so that concurrent requests do not share the remainder.
    spent.tokens += reserved
    const bounded = { ...request, maxTokens }
    let isBegun = false
    try {
      await this.#services.permit(asker, bounded, signal)
      isBegun = true
      const { result, tokens: counted = reserved } = await this.#options.sampler.sample(bounded, {
        server,
        origin,
        signal,
      })
      // A negative count would extend the budget.
      const tokens = counted >= 0 ? counted : reserved
      spent.tokens += tokens - reserved
      this.#services.emit({ type: 'sampling.finished', server, origin, outcome: 'ok', tokens })
      return result
    } catch (error) {
      // A request that is withdrawn has used the model nevertheless.
      if (!isBegun || !signal.aborted) spent.tokens -= reserved
      throw this.#failed(asker, error, signal)
    }
  }

  /** Refuses a request that may be of any of several callers. Returns the error for the server. */
  refuseUnattributed(server: string): Error {
    const message = `server "${server}" asks for the model outside of calls, over a connection that several callers used; it was refused`
    this.#services.emit({ type: 'diagnostic', code: 'sampling_refused', server, message })
    return samplingRejected()
  }

  /** Forgets the budgets of a conversation. */
  forget(origin: Origin): void {
    this.#spent.delete(budgetKey(origin))
  }

  #spentBy({ server, origin }: SamplingSource): Spent {
    const key = budgetKey(origin)
    const ofOrigin = this.#spent.get(key) ?? new Map<string, Spent>()
    // Ordered by last use: the least recently used is dropped first.
    this.#spent.delete(key)
    this.#spent.set(key, ofOrigin)
    const [oldest] = this.#spent.keys()
    if (this.#spent.size > maxConversations && oldest !== undefined) this.#spent.delete(oldest)
    const spent = ofOrigin.get(server) ?? { calls: 0, tokens: 0 }
    ofOrigin.set(server, spent)
    return spent
  }

  #problemWith(
    request: SamplingRequest,
    input: number,
    { server }: SamplingSource,
    spent: Spent,
  ): string | undefined {
    const { maxCalls = 20, maxTokens = 100_000, maxToolRounds = 8 } = this.#options
    if (!this.isOfferedTo(server)) return 'is not among the servers that may use the model'
    if (!(request.maxTokens > 0)) return `asks for an answer of ${request.maxTokens} tokens`
    if (spent.calls >= maxCalls) return `has used the model ${maxCalls} times, which is as often as it may`
    if (spent.tokens >= maxTokens) return `has reached its limit of ${maxTokens} tokens`
    if (spent.tokens + input >= maxTokens) return `sends more than what is left of its ${maxTokens} tokens`
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

  #failed({ server, origin }: SamplingSource, error: unknown, { aborted }: AbortSignal): Error {
    const outcome = error instanceof DeniedError ? 'refused' : 'failed'
    this.#services.emit({ type: 'sampling.finished', server, origin, outcome, tokens: 0 })
    if (outcome === 'refused') return samplingRejected()
    // The error may quote the prompt or a key, so the server does not get it.
    const message = `server "${server}" could not be given an answer of the model`
    if (!aborted) this.#services.emit({ type: 'diagnostic', code: 'sampling_failed', server, message })
    return samplingRejected('the model could not be used')
  }
}

/** Anonymous conversations of a principal share a budget: each may be a single call. */
function budgetKey(origin: Origin): string {
  return origin.isAnonymous === true ? JSON.stringify([origin.principal]) : originKey(origin)
}

function usesTools({ role, content }: SamplingMessage): boolean {
  const blocks = Array.isArray(content) ? content : [content]
  return role === 'assistant' && blocks.some((block) => block.type === 'tool_use')
}

/** About as many as providers count for a request. Media are not counted: each provider does that differently. */
function inputTokens({ messages, systemPrompt, tools }: SamplingRequest): number {
  const blocks = messages.flatMap(({ content }) => content).map(withoutMedia)
  return Math.floor(JSON.stringify([systemPrompt, tools, blocks]).length / charactersPerToken)
}

const charactersPerToken = 4

function withoutMedia(block: SamplingContent): unknown {
  if (block.type !== 'tool_result') return isMedia(block) ? '' : block
  return { ...block, content: [block.content].flat().filter((inner) => !isMedia(inner)) }
}

function isMedia({ type }: { readonly type: string }): boolean {
  return type === 'image' || type === 'audio'
}
