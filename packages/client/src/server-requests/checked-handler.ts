import { answerElicitation } from './answer-elicitation.ts'
import type { SamplingResult } from '../model/sampling.ts'
import type { SamplingHandler, ServerRequestHandlers } from './server-request-handlers.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { answerSampling } from './answer-sampling.ts'

/** A request's own handler is held to the same rules of elicitation and sampling as the connection's. */
export function checkedHandler(
  options: RequestOptions,
  { offersUrls = false, samplingTools = false }: Pick<ServerRequestHandlers, 'offersUrls' | 'samplingTools'>,
): RequestOptions {
  const { onRequest } = options
  if (onRequest === undefined) return options
  return {
    ...options,
    async onRequest(method, params, context) {
      const ask = (request: unknown): Promise<unknown> => onRequest(method, request, context)
      if (method === 'elicitation/create') return answerElicitation(params, offersUrls, ask)
      // Whoever answers sampling answers with a result of it; the server would be told otherwise.
      const onSampling: SamplingHandler = async (request) => (await ask(request)) as SamplingResult
      if (method === 'sampling/createMessage')
        return answerSampling(params, context, { onSampling, samplingTools })
      return ask(params)
    },
  }
}
