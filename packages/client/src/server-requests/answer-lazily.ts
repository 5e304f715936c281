import type { ServerRequestHandlers } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { loadDeferred } from '../loading/load-deferred.ts'

/** Answers a request of the server by the host's handlers, which are loaded with the first request. */
export async function answerLazily(
  host: ServerRequestHandlers,
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  const { answerServerRequest } = await loadDeferred()
  return answerServerRequest(host, method, params, context)
}
