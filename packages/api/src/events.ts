import type { ActivityEntry } from './activity.ts'
import type { ConnectedHost } from './hosts.ts'
import type { StartedCall } from './started-calls.ts'

/**
 * An event of the stream `GET /api/events`, sent as JSON in `data`. `hello` is always the first event. An event says what
 * changed; fetch the new state from the API. After a reconnect, fetch everything again: missed events are not repeated.
 */
export type GatewayEvent =
  | { readonly type: 'hello' }
  | { readonly type: 'inbox' }
  | { readonly type: 'servers' }
  | { readonly type: 'tools' }
  | { readonly type: 'resources' }
  | { readonly type: 'prompts' }
  | { readonly type: 'config'; readonly version: number }
  /** The person's permission rules were saved. */
  | { readonly type: 'permissions'; readonly version: number }
  /** An MCP host has connected, or sent a request after a pause. */
  | { readonly type: 'host'; readonly host: ConnectedHost }
  | { readonly type: 'activity'; readonly entry: ActivityEntry }
  | {
      /** A resource that the person subscribed to has changed, or is no longer watched. */
      readonly type: 'resource'
      readonly server: string
      readonly uri: string
      readonly change: 'updated' | 'ended'
    }
  | { readonly type: 'call'; readonly call: StartedCall }
