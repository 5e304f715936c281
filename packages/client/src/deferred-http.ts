/** Parts of the HTTP transports that are loaded on first use, in one chunk. */

export { AuthorizedExchange } from './http/authorized-exchange.ts'
export { redirectTarget } from './http/redirect-target.ts'
export { recover } from './transports/http/recover.ts'
export { ServerChannel } from './transports/http/server-channel.ts'
export { SessionRenewal } from './transports/http/session-renewal.ts'
export { skipOversizedEvent } from './transports/messages/skip-oversized-event.ts'
export { isOlderServer, openSseLink } from './transports/sse/sse-link.ts'
