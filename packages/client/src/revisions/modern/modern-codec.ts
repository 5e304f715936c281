import { loadDeferred } from '../../loading/load-deferred.ts'
import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { droppedError, type McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from '../subscription.ts'
import type { McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import { unanswered } from '../../jsonrpc/wire-options.ts'
import type { HostOptions, RevisionCodec } from '../codec.ts'
import { HintedCache } from './hinted-cache.ts'
import type { RepeatableRequest } from './input-required.ts'
import { ModernRequests } from './modern-requests.ts'
import type { ModernSubscriptions } from './modern-subscriptions.ts'
import type { ServerRestarts } from './server-restarts.ts'
import { isSameInEveryRevision } from '../versions.ts'

/** The era without a handshake: 2026-07-28. */
export class ModernCodec implements RevisionCodec {
  readonly #transport: McpTransport
  readonly #options: HostOptions
  readonly description: ServerDescription
  readonly #requests: ModernRequests
  readonly #cache: HintedCache
  readonly #lifetime = new AbortController()
  #subscriptions: ModernSubscriptions | undefined
  #restarts: ServerRestarts | undefined

  constructor(transport: McpTransport, host: HostOptions, description: ServerDescription) {
    this.#transport = transport
    this.#options = host
    this.description = description
    this.#requests = new ModernRequests(transport, host, description.protocolVersion)
    this.#cache = new HintedCache(host)
  }

  async request(method: string, params: object, options: RequestOptions): Promise<unknown> {
    const given = params as JsonObject
    if (method === 'resources/subscribe') return (await this.#listening()).watch(given['uri'], options)
    if (method === 'resources/unsubscribe') return (await this.#listening()).unwatch(given['uri'])
    if (!isSameInEveryRevision(method)) await this.#requireDefined(method)
    const asked = { method, params: given, options, startedAt: performance.now() }
    const result = await this.#cache.through(method, given, () => this.#requests.send(method, given, options))
    if (method === 'tools/list') return this.#requests.readToolPage(result)
    const isOver = result['resultType'] !== 'input_required' || options.inputRequired === 'return'
    return isOver ? result : this.#complete(asked, result)
  }

  /** This era has no ping; `server/discover` replaces it. */
  async ping(options: RequestOptions): Promise<void> {
    await this.#requests.send('server/discover', {}, options)
  }

  async setLogLevel(level: LogLevel): Promise<void> {
    this.#requests.setLogLevel(level)
  }

  /** This era has no such notification: servers request the roots when they need them. */
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
    this.#options.onWarning?.(droppedError(`a request (${method})`))
    return unanswered
  }

  onNotification(method: string, params: unknown): void {
    this.#cache.onNotification(method, params)
    if (isJsonObject(params)) this.#subscriptions?.onNotification(method, params)
    this.#options.onNotification?.(method, params)
  }

  /** A process can be restarted without losing a session. */
  onClose(reason: McpError): void {
    const { restarts = 0 } = this.#options
    if (restarts > 0 && this.#transport.restart !== undefined) return void this.#restart(reason)
    this.close(reason)
    this.#options.onClose?.(reason)
  }

  onWarning(warning: McpError): void {
    this.#options.onWarning?.(warning)
  }

  close(reason: McpError): void {
    this.#lifetime.abort(reason)
  }

  /** Answers the server's input requests and repeats the request until its result is complete. */
  async #complete(request: RepeatableRequest, first: JsonObject): Promise<JsonObject> {
    const { completeRequest } = await loadDeferred()
    return completeRequest(first, request, this.#requests, this.#options, this.#lifetime.signal)
  }

  async #restart(reason: McpError): Promise<void> {
    const { ServerRestarts: Attempts } = await loadDeferred()
    this.#restarts ??= new Attempts({
      transport: this.#transport,
      host: this.#options,
      signal: this.#lifetime.signal,
      // Subscriptions notice the loss of their streams and reopen them.
      onRestarted: () => this.#cache.clear(),
      onGivenUp: (last) => this.close(last),
    })
    await this.#restarts.restart(reason)
  }

  async #requireDefined(method: string): Promise<void> {
    const { requireDefined } = await loadDeferred()
    requireDefined(method, this.description.protocolVersion, this.#options.extensions)
  }

  async #listening(): Promise<ModernSubscriptions> {
    const { ModernSubscriptions: Subscriptions } = await loadDeferred()
    this.#subscriptions ??= new Subscriptions({
      requests: this.#requests,
      capabilities: this.description.capabilities,
      lifetime: this.#lifetime.signal,
      onGap: () => this.#cache.clear(),
    })
    return this.#subscriptions
  }
}
