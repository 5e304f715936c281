import { McpError } from '../jsonrpc/jsonrpc.ts'
import type { SamplingContent, SamplingRequest, SamplingResult } from '../model/sampling.ts'
import type { SamplingHandler } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'

/** What a model answered, in the words that model interfaces use. */
export interface ModelAnswer {
  readonly content: string | SamplingContent | readonly SamplingContent[]
  /** `stop`, `length`, `tool-calls` or whatever the interface calls it. */
  readonly finishReason?: string
  /** The model that answered, if it is another than the one that was asked. */
  readonly model?: string
}

export interface SamplingModel {
  readonly model: string
  /** Runs the model; the request is the server's, with every parameter. */
  readonly complete: (
    request: SamplingRequest & { readonly model: string },
    context: IncomingRequestContext,
  ) => Promise<ModelAnswer>
}

/** What the specification lets a client answer when the user does not want the model to be used. */
const USER_REJECTED = -1

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  'tool-calls': 'toolUse',
  tool_calls: 'toolUse',
}

/** Makes an `onSampling` handler of a function, which is used as it is, or of a model and the way to run it. */
export function samplingHandler(config: SamplingHandler | SamplingModel): SamplingHandler {
  if (typeof config === 'function') return config
  const { model, complete } = config
  return async (request, context) => toResult(model, await complete({ ...request, model }, context))
}

/** What a handler rejects with when the user refused: the server is told so and nothing else. */
export function samplingRejected(message = 'the user rejected the sampling request'): McpError {
  return new McpError(message, { kind: 'unsupported', code: USER_REJECTED })
}

function toResult(asked: string, { content, finishReason, model }: ModelAnswer): SamplingResult {
  const stopReason = finishReason === undefined ? undefined : (STOP_REASONS[finishReason] ?? finishReason)
  return {
    role: 'assistant',
    model: model ?? asked,
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
    ...(stopReason === undefined ? {} : { stopReason }),
  }
}
