import { loadDeferred } from '../../loading/load-deferred.ts'
import { answerLazily } from '../../server-requests/answer-lazily.ts'
import { type McpError, URL_ELICITATION_REQUIRED } from '../../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from '../subscription.ts'
import type {
  IncomingRequestContext,
  McpTransport,
  RequestOptions,
  SentRequest,
} from '../../jsonrpc/transport.ts'
import type { HostOptions, RevisionCodec } from '../codec.ts'
import { initialize } from './initialize.ts'
import type { UrlElicitations } from './url-elicitations.ts'
import type { LegacySubscriptions } from './legacy-subscriptions.ts'
import type { SessionState } from './session-state.ts'
import { type Wire, type WireOptions, wire } from '../../jsonrpc/wire-options.ts'
import { isSameInEveryRevision } from '../versions.ts'

/** Marks a repeated request. */
const REPEATED: Wire = {}

/** The era of the `initialize` handshake: 2024-11-05 to 2025-11-25. */
export class LegacyCodec implements RevisionCodec {
  readonly #transport: McpTransport
  readonly #options: HostOptions
  /** Created on first use, to keep idle connections small. */
  #controller: AbortController | undefined
  description: ServerDescription | undefined
  /** Why the connection was lost since it began to be opened. */
  #lost: McpError | undefined
  #session: SessionState | undefined
  #subscriptions: LegacySubscriptions | undefined
  #urls: UrlElicitations | undefined

  constructor(transport: McpTransport, host: HostOptions) {
    this.#transport = transport
    this.#options = host
  }

  /** Opens or reopens the connection. No other request may be sent before it resolves. */
  async open(options: RequestOptions): Promise<void> {
    this.#lost = undefined
    const description = await initialize(this.#transport, this.#options, options)
    this.requireLink()
    this.description = description
  }

  /** Throws if the connection was lost while it was being opened, which nobody has reported yet. */
  requireLink(): void {
    if (this.#lost !== undefined) throw this.#lost
  }

  request(method: string, params: object, options: RequestOptions): Promise<unknown> {
    // The path of most calls: an extra promise is measurable.
    return this.passesThrough(method, options)
      ? this.#transport.request(method, params, options)
      : this.#check(method, params, options)
  }

  passesThrough(method: string, options: RequestOptions): boolean {
    return isSameInEveryRevision(method) && options.onRequest === undefined
  }

  /** The server may require that the user visits a URL first. */
  onRefused(refusal: McpError, request: SentRequest<WireOptions>): Promise<unknown> | undefined {
    const isMendable = this.#options.offersUrls === true && refusal.code === URL_ELICITATION_REQUIRED
    return isMendable && request.options[wire] !== REPEATED ? this.#afterUrls(refusal, request) : undefined
  }

  async #check(method: string, params: object, options: RequestOptions): Promise<unknown> {
    if (!isSameInEveryRevision(method)) await this.#requireDefined(method)
    const own =
      options.onRequest === undefined
        ? options
        : (await loadDeferred()).checkedHandler(options, this.#options)
    return this.#send(method, params, own)
  }

  async #afterUrls(refusal: McpError, request: SentRequest): Promise<unknown> {
    const { UrlElicitations: Visits } = await loadDeferred()
    this.#urls ??= new Visits(this.#options, this.#lifetime.signal, ({ method, params = {}, options }) =>
      this.#send(method, params, { ...options, [wire]: REPEATED } as WireOptions),
    )
    return this.#urls.retry(refusal, request)
  }

  async ping(options: RequestOptions): Promise<void> {
    await this.#transport.request('ping', undefined, options)
  }

  async setLogLevel(level: LogLevel, options: RequestOptions): Promise<void> {
    await this.#send('logging/setLevel', { level }, options)
  }

  async rootsChanged(): Promise<void> {
    if (this.#options.roots !== undefined) await this.#transport.notify('notifications/roots/list_changed')
  }

  async subscribe(
    filter: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions,
  ): Promise<Subscription> {
    const { LegacySubscriptions: Subscriptions } = await loadDeferred()
    const ask = (method: string, params: object, own: RequestOptions): Promise<unknown> =>
      this.#send(method, params, own)
    this.#subscriptions ??= new Subscriptions(ask, this.#lifetime.signal)
    return this.#subscriptions.open(filter, listener, this.description?.capabilities ?? {}, options)
  }

  /** Servers of this era do not mark results as cacheable. */
  invalidateCache(): void {}

  async onRequest(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown> {
    return method === 'ping' ? {} : answerLazily(this.#options, method, params, context)
  }

  onNotification(method: string, params: unknown): void {
    this.#subscriptions?.onNotification(method, params)
    this.#urls?.onNotification(method, params)
    this.#options.onNotification?.(method, params)
  }

  /** Opens a new session after the server lost it, and restores its state. */
  async onSessionLost(): Promise<void> {
    await this.open({})
    await this.#session?.restore(this.#transport)
  }

  onClose(reason: McpError): void {
    this.#lost = reason
    // While the connection is being opened, `open` reports its end.
    if (this.description === undefined) return
    this.close(reason)
    this.#options.onClose?.(reason)
  }

  onWarning(warning: McpError): void {
    this.#options.onWarning?.(warning)
  }

  close(reason: McpError): void {
    this.#lifetime.abort(reason)
  }

  get #lifetime(): AbortController {
    this.#controller ??= new AbortController()
    return this.#controller
  }

  #send(method: string, params: object, options: RequestOptions): Promise<unknown> {
    const asked = this.#transport.request(method, params, options)
    return isSameInEveryRevision(method) ? asked : this.#recorded(asked, method, params)
  }

  async #recorded(asked: Promise<unknown>, method: string, params: object): Promise<unknown> {
    const result = await asked
    const { SessionState: Memory } = await loadDeferred()
    this.#session ??= new Memory()
    this.#session.record(method, params)
    return result
  }

  async #requireDefined(method: string): Promise<void> {
    const { requireDefined } = await loadDeferred()
    const { protocolVersion } = this.description ?? {}
    if (protocolVersion !== undefined) requireDefined(method, protocolVersion, this.#options.extensions)
  }
}
