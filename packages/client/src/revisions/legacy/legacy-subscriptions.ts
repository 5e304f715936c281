import { isJsonObject } from '../../jsonrpc/json.ts'
import { McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ServerCapabilities } from '../../model/capability.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from '../subscription.ts'
import { matchesFilter, supportedFilter } from '../subscription-filter.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'

interface OpenSubscription {
  readonly filter: SubscriptionFilter
  readonly listener: SubscriptionListener
  readonly onEnd: SubscribeOptions['onEnd']
}

type SendRequest = (method: string, params: object, options: RequestOptions) => Promise<unknown>

/** Subscriptions of the legacy era: list changes are always sent, resources are subscribed to one by one. */
export class LegacySubscriptions {
  readonly #request: SendRequest
  readonly #open = new Map<symbol, OpenSubscription>()

  constructor(request: SendRequest, lifetime: AbortSignal) {
    this.#request = request
    lifetime.addEventListener('abort', () => this.#endAll(lifetime.reason), { once: true })
  }

  async open(
    wanted: SubscriptionFilter,
    listener: SubscriptionListener,
    capabilities: ServerCapabilities,
    options: SubscribeOptions,
  ): Promise<Subscription> {
    const { taskIds: _, ...filter } = supportedFilter(wanted, capabilities)
    const key = Symbol('subscription')
    const added = this.#unsubscribed(filter)
    this.#open.set(key, { filter, listener, onEnd: options.onEnd })
    const close = (): Promise<void> => this.#close(key, options)
    try {
      for (const uri of added) await this.#send('resources/subscribe', uri, options)
    } catch (error) {
      await close()
      throw error
    }
    options.signal?.addEventListener('abort', () => void close().catch(() => undefined), { once: true })
    return { honoured: filter, close }
  }

  /** Passes a notification of the server to the subscriptions that match it. */
  onNotification(method: string, params: unknown): void {
    const about = isJsonObject(params) ? params : {}
    for (const { filter, listener } of this.#open.values()) {
      if (matchesFilter(filter, method, about)) listener(method, params)
    }
  }

  #endAll(reason: unknown): void {
    const ended = [...this.#open.values()]
    this.#open.clear()
    for (const { onEnd } of ended) onEnd?.(reason instanceof McpError ? reason : undefined)
  }

  async #close(key: symbol, options: SubscribeOptions): Promise<void> {
    const closed = this.#open.get(key)
    if (closed === undefined) return
    this.#open.delete(key)
    const { signal: _, ...unhurried } = options
    for (const uri of this.#unsubscribed(closed.filter))
      await this.#send('resources/unsubscribe', uri, unhurried)
  }

  /** The resources of a filter that no open subscription has. */
  #unsubscribed({ resourceSubscriptions = [] }: SubscriptionFilter): readonly string[] {
    const all = [...this.#open.values()].flatMap(({ filter }) => filter.resourceSubscriptions ?? [])
    return resourceSubscriptions.filter((uri) => !all.includes(uri))
  }

  async #send(method: string, uri: string, { signal, timeoutMs }: SubscribeOptions): Promise<void> {
    const options: RequestOptions = {
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }
    await this.#request(method, { uri }, options)
  }
}
