import { answerElicitation } from './answer-elicitation.ts'
import { isJsonObject } from '../jsonrpc/json.ts'
import { methodNotFound } from '../jsonrpc/jsonrpc.ts'
import type { ServerRequestHandlers } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { answerRoots } from './answer-roots.ts'
import { answerSampling } from './answer-sampling.ts'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Has one request of the server answered by the handler that the host has for it; without one it is refused. */
export async function answerServerRequest(
  host: ServerRequestHandlers,
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  return withRelatedTask(params, await handle(host, method, params, context))
}

async function handle(
  host: ServerRequestHandlers,
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  const {
    onElicitation,
    offersUrls = false,
    onSampling,
    roots,
    samplingTools = false,
    onServerRequest,
  } = host
  if (method === 'elicitation/create' && onElicitation !== undefined) {
    return answerElicitation(params, offersUrls, (request) => onElicitation(request, context))
  }
  if (method === 'sampling/createMessage' && onSampling !== undefined) {
    return answerSampling(params, context, { onSampling, samplingTools })
  }
  if (method === 'roots/list' && roots !== undefined) return answerRoots(roots)
  if (onServerRequest !== undefined) return onServerRequest(method, params, context)
  throw methodNotFound(method)
}

/** An answer to what a task asks names that task as the question did. */
function withRelatedTask(params: unknown, answer: unknown): unknown {
  const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
  const task = meta[RELATED_TASK]
  if (task === undefined || !isJsonObject(answer)) return answer
  const own = isJsonObject(answer['_meta']) ? answer['_meta'] : {}
  return { ...answer, _meta: { ...own, [RELATED_TASK]: task } }
}
