/** What a connection over HTTP loads when it is first needed, in one piece. */

export { AuthorizedExchange } from './authorized-exchange.ts'
export { ServerChannel } from './listening.ts'
export { skipOversized } from './oversized-event.ts'
export { recover } from './recovery.ts'
export { redirectTarget } from './redirects.ts'
export { Sessions } from './sessions.ts'
export { isOlderServer, openSseLink } from './sse-link.ts'
