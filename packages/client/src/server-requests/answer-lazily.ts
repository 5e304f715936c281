import type { ServerRequestHandlers } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { loadDeferred } from '../loading/load-deferred.ts'

/**
 * Has the host answer what a server asks, in whichever way its era lets it ask; what was not offered is refused. How is
 * loaded with the first question, so that a page that is never asked does not carry it.
 */
export async function answerLazily(
  host: ServerRequestHandlers,
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  const { answerServerRequest } = await loadDeferred()
  return answerServerRequest(host, method, params, context)
}
