import type { GatewayEvent } from '@toolbridge/api'
import type { GatewayClient } from './gateway-client.ts'
import { GatewayError } from './gateway-error.ts'
import { untilShown, watchPage } from './page-interruptions.ts'

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
 * browser goes offline or online: the connection may be dead without having ended. A page that is hidden for some seconds is
 * disconnected until it is shown, because a browser opens only six connections to a gateway for all its tabs. Events in between
 * are lost: fetch the current state after each `hello`. Rejects if the bearer token is rejected or if `onEvent` throws.
 */
export async function followEvents(
  client: Pick<GatewayClient, 'events'>,
  follower: FollowEventsOptions,
): Promise<void> {
  let delayMs = firstDelayMs
  while (!follower.signal.aborted) {
    follower.onState?.('connecting')
    await untilShown(follower.signal)
    const page = watchPage()
    const attempt = AbortSignal.any([follower.signal, page.signal])
    try {
      if (await readOnce(client, follower, attempt)) delayMs = firstDelayMs
      if (!attempt.aborted) {
        follower.onState?.('lost')
        await pause(delayMs, attempt)
      }
    } finally {
      page.unwatch()
    }
    delayMs = page.signal.aborted ? firstDelayMs : Math.min(delayMs * 2, longestDelayMs)
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
