/** What a connection over HTTP loads when it is first needed, in one piece. */

export { AuthorizedExchange } from '../../http/authorized-exchange.ts'
export { ServerChannel } from './server-channel.ts'
export { skipOversizedEvent } from '../messages/skip-oversized-event.ts'
export { recover } from './recover.ts'
export { redirectTarget } from '../../http/redirect-target.ts'
export { SessionRenewal } from './session-renewal.ts'
export { isOlderServer, openSseLink } from '../sse/sse-link.ts'
