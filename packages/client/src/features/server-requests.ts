import { answerElicitation } from '../elicitation.ts'
import { isJsonObject } from '../json.ts'
import { methodNotFound } from '../jsonrpc.ts'
import type { ClientHost } from '../revisions/codec.ts'
import type { IncomingRequestHandler } from '../transport.ts'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Has the host answer what a server asks, in whichever way its era lets it ask; what was not offered is refused. */
export function hostAnswers(host: ClientHost): IncomingRequestHandler {
  const answer = handlersOf(host)
  return async (method, params, context) => withRelatedTask(params, await answer(method, params, context))
}

function handlersOf(host: ClientHost): IncomingRequestHandler {
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

/** An answer to what a task asks names that task as the question did. */
function withRelatedTask(params: unknown, answer: unknown): unknown {
  const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
  const task = meta[RELATED_TASK]
  if (task === undefined || !isJsonObject(answer)) return answer
  const own = isJsonObject(answer['_meta']) ? answer['_meta'] : {}
  return { ...answer, _meta: { ...own, [RELATED_TASK]: task } }
}
