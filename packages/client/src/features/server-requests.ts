import { answerElicitation } from '../elicitation.ts'
import { methodNotFound } from '../jsonrpc.ts'
import type { ClientHost } from '../revisions/codec.ts'
import type { IncomingRequestHandler } from '../transport.ts'

/** Has the host answer what a server asks, in whichever way its era lets it ask; what was not offered is refused. */
export function hostAnswers(host: ClientHost): IncomingRequestHandler {
  return async (method, params, context) => {
    const { onElicitation, offersUrls, onSampling, roots, samplingTools } = host
    if (method === 'elicitation/create' && onElicitation !== undefined) {
      return answerElicitation(params, offersUrls, (request) => onElicitation(request, context))
    }
    if (method === 'sampling/createMessage' && onSampling !== undefined) {
      // Loaded when needed, so that a page that offers no model does not carry it.
      const { answerSampling } = await import('./on-demand.ts')
      return answerSampling(params, context, { onSampling, samplingTools })
    }
    if (method === 'roots/list' && roots !== undefined) {
      const { answerRoots } = await import('./on-demand.ts')
      return answerRoots(roots)
    }
    if (host.onServerRequest !== undefined) return host.onServerRequest(method, params, context)
    throw methodNotFound(method)
  }
}
