import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { ServerCapabilities } from '../../model/capability.ts'
import type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from '../subscription.ts'
import { supportedFilter } from '../subscription-filter.ts'
import { delayUnref } from '../../timing/delay.ts'
import { ListenStream } from './listen-stream.ts'
import type { ModernRequests } from './modern-requests.ts'

export interface ModernSubscriptionsOptions {
  readonly requests: ModernRequests
  readonly capabilities: ServerCapabilities
  /** Aborted when the connection ends. */
  readonly lifetime: AbortSignal
  /** Called when changes may have been missed. */
  readonly onGap: () => void
}

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'

/** Subscriptions of the modern era: streams opened by `subscriptions/listen`, and reopened when lost. */
export class ModernSubscriptions {
  readonly #options: ModernSubscriptionsOptions
  readonly #streams = new Map<string, ListenStream>()
  readonly #watched = new Map<unknown, Promise<Subscription>>()
  #opened = 0

  constructor(options: ModernSubscriptionsOptions) {
    this.#options = options
  }

  /** Resolves when the server has acknowledged; at once if it supports no part of the filter. */
  async open(
    wanted: SubscriptionFilter,
    listener: SubscriptionListener,
    options: SubscribeOptions = {},
  ): Promise<Subscription> {
    const filter = supportedFilter(wanted, this.#options.capabilities)
    if (Object.keys(filter).length === 0) return { honoured: filter, close: async () => undefined }
    const stop = new AbortController()
    const ends = [
      stop.signal,
      this.#options.lifetime,
      ...(options.signal === undefined ? [] : [options.signal]),
    ]
    const signal = AbortSignal.any(ends)
    const stream = this.#listen(filter, listener, signal)
    const honoured = await stream.agreed(options.timeoutMs).catch((error: unknown) => {
      stop.abort(error)
      throw error
    })
    void this.#follow(stream, { filter, listener, signal, options })
    return { honoured, close: async () => stop.abort() }
  }

  /** Subscribes to one resource. */
  async watch(uri: unknown, { signal, timeoutMs }: SubscribeOptions): Promise<object> {
    if (typeof uri !== 'string') throw new TypeError('a resource is subscribed to by its URI')
    const limits = {
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }
    const opening =
      this.#watched.get(uri) ?? this.open({ resourceSubscriptions: [uri] }, () => undefined, limits)
    this.#watched.set(uri, opening)
    await opening.catch((error: unknown) => {
      this.#watched.delete(uri)
      throw error
    })
    return {}
  }

  /** Ends a subscription made by `watch`. */
  async unwatch(uri: unknown): Promise<object> {
    const opening = this.#watched.get(uri)
    this.#watched.delete(uri)
    await (await opening)?.close()
    return {}
  }

  /** Passes a notification to the stream whose id it carries. */
  onNotification(method: string, params: JsonObject): void {
    const id = isJsonObject(params['_meta']) ? params['_meta'][SUBSCRIPTION_ID] : undefined
    if (typeof id === 'string') this.#streams.get(id)?.onNotification(method, params)
  }

  #listen(filter: SubscriptionFilter, listener: SubscriptionListener, signal: AbortSignal): ListenStream {
    const id = `listen-${++this.#opened}`
    const stream = new ListenStream({ id, filter, listener, signal, requests: this.#options.requests })
    this.#streams.set(id, stream)
    const forget = (): unknown => this.#streams.delete(id)
    stream.ended.then(forget, forget)
    return stream
  }

  /** Reopens the stream when it is lost, until either side ends it. */
  async #follow(
    first: ListenStream,
    { filter, listener, signal, options }: FollowedSubscription,
  ): Promise<void> {
    let stream = first
    let failures = 0
    for (;;) {
      const loss = await stream.ended.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (loss === undefined || !isLoss(loss) || signal.aborted) return this.#end(loss, signal, options)
      failures = stream.isAgreed ? 1 : failures + 1
      await delayUnref(backoffMs(failures), signal)
      if (signal.aborted) return this.#end(loss, signal, options)
      stream = this.#listen(filter, listener, signal)
      await stream.agreed(options.timeoutMs).then(
        () => this.#resume(options),
        () => undefined,
      )
    }
  }

  #resume({ onGap }: SubscribeOptions): void {
    this.#options.onGap()
    onGap?.()
  }

  #end(reason: unknown, signal: AbortSignal, { onEnd, signal: own }: SubscribeOptions): void {
    const { lifetime } = this.#options
    const isOurs = signal.aborted && !lifetime.aborted
    if (isOurs || own?.aborted === true) return
    const why = lifetime.aborted ? lifetime.reason : reason
    onEnd?.(why instanceof McpError ? why : undefined)
  }
}

interface FollowedSubscription {
  readonly filter: SubscriptionFilter
  readonly listener: SubscriptionListener
  readonly signal: AbortSignal
  readonly options: SubscribeOptions
}

/** Whether the connection failed. An answer of the server, even an error, is final. */
function isLoss(error: unknown): boolean {
  if (!(error instanceof McpError)) return false
  return error.kind === 'closed' || error.kind === 'unreachable' || error.code === McpErrorCode.RequestTimeout
}

/** With jitter, so that clients do not reconnect at the same time. */
function backoffMs(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 1.5 ** (failures - 1), MAX_BACKOFF_MS) * (0.5 + Math.random() / 2)
}
