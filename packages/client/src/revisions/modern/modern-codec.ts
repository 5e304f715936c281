import { onDemand } from '../../loading/load-deferred.ts'
import { answerByHost } from '../../server-requests/answer-lazily.ts'
import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { malformedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from '../subscription.ts'
import type { IncomingRequestHandler, McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import { unanswered } from '../../jsonrpc/wire-options.ts'
import type { ClientHost, RevisionCodec } from '../codec.ts'
import { HintedCache } from './hinted-cache.ts'
import { ModernRequests } from './modern-requests.ts'
import type { ModernSubscriptions } from './modern-subscriptions.ts'
import type { Revivals } from './server-restarts.ts'
import { isTimeless } from '../versions.ts'

/** A request under way, as far as it can be repeated. */
interface Asked {
  readonly method: string
  readonly params: JsonObject
  readonly options: RequestOptions
  readonly startedAt: number
}

/** The era without a handshake: 2026-07-28. */
export class ModernCodec implements RevisionCodec {
  readonly #transport: McpTransport
  readonly #host: ClientHost
  readonly description: ServerDescription
  readonly #requests: ModernRequests
  readonly #cache: HintedCache
  readonly #lifetime = new AbortController()
  #subscriptions: ModernSubscriptions | undefined
  #revivals: Revivals | undefined

  constructor(transport: McpTransport, host: ClientHost, description: ServerDescription) {
    this.#transport = transport
    this.#host = host
    this.description = description
    this.#requests = new ModernRequests(transport, host, description.protocolVersion)
    this.#cache = new HintedCache(host)
  }

  async request(method: string, params: object, options: RequestOptions): Promise<unknown> {
    const given = params as JsonObject
    if (method === 'resources/subscribe') return (await this.#listening()).watch(given['uri'], options)
    if (method === 'resources/unsubscribe') return (await this.#listening()).unwatch(given['uri'])
    if (!isTimeless(method)) await this.#requireDefined(method)
    const asked = { method, params: given, options, startedAt: performance.now() }
    const result = await this.#cache.through(method, given, () => this.#requests.send(method, given, options))
    if (method === 'tools/list') return this.#requests.learn(result)
    const isOver = result['resultType'] !== 'input_required' || options.inputRequired === 'return'
    return isOver ? result : this.#complete(asked, result)
  }

  /** There is no ping; every server can say who it is. */
  async ping(options: RequestOptions): Promise<void> {
    await this.#requests.send('server/discover', {}, options)
  }

  async setLogLevel(level: LogLevel): Promise<void> {
    this.#requests.setLogLevel(level)
  }

  /** The server asks for the roots whenever it needs them, so there is nobody to tell. */
  async rootsChanged(): Promise<void> {}

  async subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions,
  ): Promise<Subscription> {
    return (await this.#listening()).open(filter, listener, options)
  }

  invalidateCache(): void {
    this.#cache.clear()
  }

  async onRequest(method: string): Promise<unknown> {
    this.#host.onWarning?.(malformedError(`the server sent a request (${method}); it was dropped`))
    return unanswered
  }

  onNotification(method: string, params: unknown): void {
    this.#cache.notice(method, params)
    if (isJsonObject(params)) this.#subscriptions?.notice(method, params)
    this.#host.onNotification?.(method, params)
  }

  /** A process can be started again; there is no session that would be lost with it. */
  onClose(reason: McpError): void {
    const { restarts = 0 } = this.#host
    if (restarts > 0 && this.#transport.restart !== undefined) return void this.#revive(reason)
    this.close(reason)
    this.#host.onClose?.(reason)
  }

  onWarning(warning: McpError): void {
    this.#host.onWarning?.(warning)
  }

  close(reason: McpError): void {
    this.#lifetime.abort(reason)
  }

  /** Repeats a request with answers for as long as the server asks. */
  async #complete({ method, params, options, startedAt }: Asked, first: JsonObject): Promise<JsonObject> {
    const { answerInputs, firstWilling, ownQuestions } = await onDemand()
    const { onRequest } = ownQuestions(options, this.#host)
    const byHost: IncomingRequestHandler = (...question) => answerByHost(this.#host, ...question)
    return answerInputs(first, {
      method,
      options,
      startedAt,
      repeat: (added, left) => this.#requests.send(method, { ...params, ...added }, left),
      answer: (asked, about, { signal }) => firstWilling([onRequest, byHost], asked, about, signal),
      lifetime: this.#lifetime.signal,
    })
  }

  async #revive(reason: McpError): Promise<void> {
    const { Revivals: Attempts } = await onDemand()
    this.#revivals ??= new Attempts({
      transport: this.#transport,
      host: this.#host,
      signal: this.#lifetime.signal,
      // Subscriptions find out by themselves that their streams are gone, and open them again.
      onRevived: () => this.#cache.clear(),
      onGivenUp: (last) => this.close(last),
    })
    await this.#revivals.revive(reason)
  }

  async #requireDefined(method: string): Promise<void> {
    const { requireDefined } = await onDemand()
    requireDefined(method, this.description.protocolVersion, this.#host.extensions)
  }

  async #listening(): Promise<ModernSubscriptions> {
    const { ModernSubscriptions: Subscriptions } = await onDemand()
    this.#subscriptions ??= new Subscriptions({
      requests: this.#requests,
      capabilities: this.description.capabilities,
      lifetime: this.#lifetime.signal,
      onGap: () => this.#cache.clear(),
    })
    return this.#subscriptions
  }
}
