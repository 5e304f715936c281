import type { ReadResourceRequest } from '@toolbridge/api'
import type { ResourceSubscription } from '@toolbridge/bridge'
import type { EventHub } from '../activity/event-hub.ts'
import { GatewayError } from '../errors/gateway-error.ts'

/** How long a subscription stays without being renewed: a page that is closed says nothing. */
const lifetimeMs = 120_000
const maxPerOwner = 32

/** How a person subscribes to a resource. */
export interface Subscribing {
  /** Subscribes at the server. */
  readonly subscribe: (
    options: Pick<ResourceSubscription, 'onEnd' | 'onUpdate'> & { readonly signal: AbortSignal },
  ) => Promise<void>
  /** Whether the current rules deny the resource. */
  readonly isDenied: () => boolean
  /** Aborted when the token of the request ends. */
  readonly revoked: AbortSignal | undefined
}

interface OpenSubscription {
  readonly opened: Promise<void>
  readonly end: () => void
  timer: NodeJS.Timeout
}

/** Subscriptions of people to resources. Changes are events of the person. */
export class ResourceSubscriptions {
  readonly #events: Pick<EventHub, 'publish'>
  readonly #stopping: AbortSignal
  readonly #ofOwner = new Map<string, Map<string, OpenSubscription>>()

  constructor(events: Pick<EventHub, 'publish'>, stopping: AbortSignal) {
    this.#events = events
    this.#stopping = stopping
  }

  /** Subscribes, or keeps a subscription open for longer. Returns when it ends. Rejects if the server does not agree. */
  async renew(owner: string, resource: ReadResourceRequest, subscribing: Subscribing): Promise<Date> {
    if (subscribing.isDenied()) this.end(owner, resource)
    const subscription = this.#find(owner, resource) ?? this.#open(owner, resource, subscribing)
    await subscription.opened
    subscription.timer.refresh()
    return new Date(Date.now() + lifetimeMs)
  }

  /** Does nothing if there is no such subscription. */
  end(owner: string, resource: ReadResourceRequest): void {
    this.#find(owner, resource)?.end()
  }

  #find(owner: string, resource: ReadResourceRequest): OpenSubscription | undefined {
    return this.#ofOwner.get(owner)?.get(keyOf(resource))
  }

  #open(
    owner: string,
    resource: ReadResourceRequest,
    { subscribe, isDenied, revoked }: Subscribing,
  ): OpenSubscription {
    const ofOwner = this.#ofOwner.get(owner) ?? new Map<string, OpenSubscription>()
    if (ofOwner.size >= maxPerOwner) throw tooMany()
    const { server, uri } = resource
    const ending = new AbortController()
    const signal = AbortSignal.any([
      ending.signal,
      this.#stopping,
      ...(revoked === undefined ? [] : [revoked]),
    ])
    const publish = (change: 'updated' | 'ended'): void =>
      this.#events.publish(owner, { type: 'resource', server, uri, change })
    const end = (): void => {
      if (this.#forget(owner, resource, subscription)) publish('ended')
      ending.abort()
    }
    const onUpdate = (): void => (isDenied() ? end() : publish('updated'))
    const opened = subscribe({ signal, onUpdate, onEnd: end })
    signal.addEventListener('abort', end, { once: true })
    const subscription = { opened, end, timer: setTimeout(end, lifetimeMs).unref() }
    this.#ofOwner.set(owner, ofOwner.set(keyOf(resource), subscription))
    opened.catch(() => {
      this.#forget(owner, resource, subscription)
      ending.abort()
    })
    return subscription
  }

  /** Returns whether it was not forgotten before. */
  #forget(owner: string, resource: ReadResourceRequest, subscription: OpenSubscription): boolean {
    const ofOwner = this.#ofOwner.get(owner)
    if (ofOwner?.get(keyOf(resource)) !== subscription) return false
    clearTimeout(subscription.timer)
    ofOwner.delete(keyOf(resource))
    if (ofOwner.size === 0) this.#ofOwner.delete(owner)
    return true
  }
}

function keyOf({ server, uri }: ReadResourceRequest): string {
  return JSON.stringify([server, uri])
}

function tooMany(): GatewayError {
  return new GatewayError(
    'too_many_subscriptions',
    `the limit is ${maxPerOwner} resources; end another subscription first`,
  )
}
