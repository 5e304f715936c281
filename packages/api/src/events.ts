import type { ActivityEntry } from './activity.ts'

/**
 * An event of the stream `GET /api/events`, sent as JSON in `data`. `hello` is always the first event. An event says what
 * changed; fetch the new state from the API. After a reconnect, fetch everything again: missed events are not repeated.
 */
export type GatewayEvent =
  | { readonly type: 'hello' }
  | { readonly type: 'inbox' }
  | { readonly type: 'servers' }
  | { readonly type: 'tools' }
  | { readonly type: 'config'; readonly version: number }
  | { readonly type: 'activity'; readonly entry: ActivityEntry }
