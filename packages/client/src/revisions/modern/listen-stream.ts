import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, McpErrorCode } from '../../jsonrpc/jsonrpc.ts'
import type { SubscriptionFilter, SubscriptionListener } from '../subscription.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import type { ModernRequests } from './modern-requests.ts'

export interface ListenStreamOptions {
  readonly id: string
  readonly filter: SubscriptionFilter
  readonly listener: SubscriptionListener
  readonly signal: AbortSignal
  readonly requests: ModernRequests
}

const DEFAULT_AGREEMENT_MS = 60_000

/** One `subscriptions/listen` request. */
export class ListenStream {
  /** Resolves when the server ends the stream. Rejects when it refuses, or when the stream is lost or aborted. */
  readonly ended: Promise<unknown>
  readonly #listener: SubscriptionListener
  readonly #stop = new AbortController()
  readonly #agreement: Promise<SubscriptionFilter>
  #agree: (honoured: SubscriptionFilter) => void = () => undefined
  #isAgreed = false

  constructor({ id, filter, listener, signal, requests }: ListenStreamOptions) {
    this.#listener = listener
    this.#agreement = new Promise((resolve) => {
      this.#agree = resolve
    })
    const options = { signal: AbortSignal.any([signal, this.#stop.signal]), timeoutMs: Infinity }
    this.ended = requests.sendOnce('subscriptions/listen', { notifications: filter }, options, { id })
  }

  get isAgreed(): boolean {
    return this.#isAgreed
  }

  /** Resolves with the filter that the server accepted. Aborts the stream after a timeout. */
  async agreed(timeoutMs: number = DEFAULT_AGREEMENT_MS): Promise<SubscriptionFilter> {
    const timer = unrefTimer(setTimeout(() => this.#stop.abort(lateError(timeoutMs)), timeoutMs))
    try {
      return await Promise.race([this.#agreement, this.ended.then(endedEarly)])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Handles a notification with this stream's id. */
  onNotification(method: string, params: JsonObject): void {
    if (method !== 'notifications/subscriptions/acknowledged') return this.#listener(method, params)
    this.#isAgreed = true
    this.#agree(isJsonObject(params['notifications']) ? params['notifications'] : {})
  }
}

function endedEarly(): never {
  throw new McpError('the server ended the subscription before it agreed to it', {
    kind: 'closed',
    code: McpErrorCode.ConnectionClosed,
  })
}

function lateError(timeoutMs: number): McpError {
  return new McpError(`the server did not agree to the subscription in time (${timeoutMs} ms)`, {
    kind: 'timeout',
    code: McpErrorCode.RequestTimeout,
  })
}
