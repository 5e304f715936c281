import type { SamplingHandler, SamplingResult } from '../model/sampling.ts'
import type { ClientHost } from '../revisions/codec.ts'
import type { IncomingRequestContext, RequestOptions } from '../transport.ts'
import { onDemand } from './load.ts'

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

/** A request's own handler is held to the same rules of elicitation and sampling as the connection's. */
export function ownQuestions(
  options: RequestOptions,
  { offersUrls, samplingTools }: Pick<ClientHost, 'offersUrls' | 'samplingTools'>,
): RequestOptions {
  const { onRequest } = options
  if (onRequest === undefined) return options
  return {
    ...options,
    async onRequest(method, params, context) {
      const ask = (request: unknown): Promise<unknown> => onRequest(method, request, context)
      const { answerElicitation, answerSampling } = await onDemand()
      if (method === 'elicitation/create') return answerElicitation(params, offersUrls, ask)
      // Whoever answers sampling answers with a result of it; the server would be told otherwise.
      const onSampling: SamplingHandler = async (request) => (await ask(request)) as SamplingResult
      if (method === 'sampling/createMessage')
        return answerSampling(params, context, { onSampling, samplingTools })
      return ask(params)
    },
  }
}
