import type { ClientHost } from '../revisions/codec.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { onDemand } from '../loading/load-deferred.ts'

/**
 * Has the host answer what a server asks, in whichever way its era lets it ask; what was not offered is refused. How is
 * loaded with the first question, so that a page that is never asked does not carry it.
 */
export async function answerByHost(
  host: ClientHost,
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  const { answerAsHost } = await onDemand()
  return answerAsHost(host, method, params, context)
}
