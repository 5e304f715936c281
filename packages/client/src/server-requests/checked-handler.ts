import { answerElicitation } from './answer-elicitation.ts'
import type { SamplingResult } from '../model/sampling.ts'
import type { SamplingHandler, ServerRequestHandlers } from './server-request-handlers.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { answerSampling } from './answer-sampling.ts'

/** Applies the connection's checks of elicitation and sampling to the handler of a single request. */
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
      // A handler that answers sampling returns a sampling result.
      const onSampling: SamplingHandler = async (request) => (await ask(request)) as SamplingResult
      if (method === 'sampling/createMessage')
        return answerSampling(params, context, { onSampling, samplingTools })
      return ask(params)
    },
  }
}
