/** What a connection over HTTP loads when it is first needed, in one piece. */

export { awaitAnswer, listenToServer } from './listening.ts'
export { recover } from './recovery.ts'
export { redirectTarget } from './redirects.ts'
export { Sessions } from './sessions.ts'
export { openSseLink } from './sse-link.ts'
