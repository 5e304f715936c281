import type { ActivityEntry } from './activity.ts'

/**
 * One event of the stream `GET /api/events` (`text/event-stream`, read with `fetch` and a bearer), as JSON in the event's
 * `data`; `hello` comes first. It says what changed; the reader fetches the new state itself, so a lost event costs nothing
 * once the stream is open again.
 */
export type GatewayEvent =
  | { readonly type: 'hello' }
  | { readonly type: 'inbox' }
  | { readonly type: 'servers' }
  | { readonly type: 'tools' }
  | { readonly type: 'config'; readonly version: number }
  | { readonly type: 'activity'; readonly entry: ActivityEntry }
