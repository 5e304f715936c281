import { answerElicitation } from './answer-elicitation.ts'
import { isJsonObject } from '../jsonrpc/json.ts'
import { methodNotFound } from '../jsonrpc/jsonrpc.ts'
import type { ServerRequestHandlers } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'
import { answerRoots } from './answer-roots.ts'
import { answerSampling } from './answer-sampling.ts'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Answers a request of the server by the host's handler for it. Refuses it if there is none. */
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

/** The answer to a request that belongs to a task names the same task. */
function withRelatedTask(params: unknown, answer: unknown): unknown {
  const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
  const task = meta[RELATED_TASK]
  if (task === undefined || !isJsonObject(answer)) return answer
  const own = isJsonObject(answer['_meta']) ? answer['_meta'] : {}
  return { ...answer, _meta: { ...own, [RELATED_TASK]: task } }
}
