import type { GatewayEvent } from '@toolbridge/api'
import type { GatewayClient } from './gateway-client.ts'
import { GatewayError } from './gateway-error.ts'

/** Whether events arrive right now. */
export type EventStreamState = 'connecting' | 'open' | 'lost'

/** What `followEvents` tells. */
export interface FollowEventsOptions {
  readonly signal: AbortSignal
  onEvent(event: GatewayEvent): void
  onState?(link: EventStreamState): void
}

const firstDelayMs = 500
const longestDelayMs = 15_000

/**
 * Reads the event stream until the signal is aborted, and opens it again when it breaks, waiting longer each time. Events
 * in between are lost: after each `hello` the follower fetches what it shows. Rejects when the bearer is
 * refused, and with whatever `onEvent` throws.
 */
export async function followEvents(
  client: Pick<GatewayClient, 'events'>,
  follower: FollowEventsOptions,
): Promise<void> {
  let delayMs = firstDelayMs
  while (!follower.signal.aborted) {
    follower.onState?.('connecting')
    if (await readOnce(client, follower)) delayMs = firstDelayMs
    if (follower.signal.aborted) return
    follower.onState?.('lost')
    await pause(delayMs, follower.signal)
    delayMs = Math.min(delayMs * 2, longestDelayMs)
  }
}

/** Returns whether anything was heard before the stream ended. */
async function readOnce(
  client: Pick<GatewayClient, 'events'>,
  follower: FollowEventsOptions,
): Promise<boolean> {
  let heard = false
  try {
    for await (const event of client.events({ signal: follower.signal })) {
      if (!heard) follower.onState?.('open')
      heard = true
      follower.onEvent(event)
    }
  } catch (error) {
    if (!follower.signal.aborted && !isWorthRetrying(error)) throw error
  }
  return heard
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof GatewayError && error.kind !== 'unauthorized'
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
