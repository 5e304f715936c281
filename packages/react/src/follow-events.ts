import type { GatewayEvent } from '@toolbridge/api'
import type { GatewayClient } from './gateway-client.ts'
import { GatewayError } from './gateway-error.ts'

/** State of the connection to the event stream. */
export type EventStreamState = 'connecting' | 'open' | 'lost'

/** Options of `followEvents`. */
export interface FollowEventsOptions {
  /** Aborting ends the stream. */
  readonly signal: AbortSignal
  /** Called for each event. */
  onEvent(event: GatewayEvent): void
  /** Called when the state of the connection changes. */
  onState?(link: EventStreamState): void
}

const firstDelayMs = 500
const longestDelayMs = 15_000

/**
 * Reads the event stream until the signal is aborted. Reconnects with increasing delays, from 0.5 s to 15 s, and at once when the
 * browser goes offline or online: the connection may be dead without having ended. Events in between are lost: fetch the
 * current state after each `hello`. Rejects if the bearer token is rejected or if `onEvent` throws.
 */
export async function followEvents(
  client: Pick<GatewayClient, 'events'>,
  follower: FollowEventsOptions,
): Promise<void> {
  let delayMs = firstDelayMs
  while (!follower.signal.aborted) {
    const network = watchNetwork()
    const attempt = AbortSignal.any([follower.signal, network.changed])
    try {
      follower.onState?.('connecting')
      if (await readOnce(client, follower, attempt)) delayMs = firstDelayMs
      if (follower.signal.aborted) return
      follower.onState?.('lost')
      await pause(delayMs, attempt)
    } finally {
      network.unwatch()
    }
    delayMs = network.changed.aborted ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs)
  }
}

interface Network {
  /** Aborted when the browser goes offline or online. Other runtimes do not tell. */
  readonly changed: AbortSignal
  readonly unwatch: () => void
}

function watchNetwork(): Network {
  const change = new AbortController()
  const onChange = (): void => change.abort()
  const types = typeof addEventListener === 'function' ? ['online', 'offline'] : []
  for (const type of types) addEventListener(type, onChange)
  return {
    changed: change.signal,
    unwatch: () => types.forEach((type) => removeEventListener(type, onChange)),
  }
}

/** Returns whether an event arrived before the stream ended. */
async function readOnce(
  client: Pick<GatewayClient, 'events'>,
  follower: FollowEventsOptions,
  attempt: AbortSignal,
): Promise<boolean> {
  let hasEvents = false
  try {
    for await (const event of client.events({ signal: attempt })) {
      if (!hasEvents) follower.onState?.('open')
      hasEvents = true
      follower.onEvent(event)
    }
  } catch (error) {
    if (!attempt.aborted && !isWorthRetrying(error)) throw error
  }
  return hasEvents
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof GatewayError && error.kind !== 'unauthorized'
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
