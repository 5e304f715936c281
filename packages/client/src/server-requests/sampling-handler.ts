import { McpError } from '../jsonrpc/jsonrpc.ts'
import type { SamplingContent, SamplingRequest, SamplingResult } from '../model/sampling.ts'
import type { SamplingHandler } from './server-request-handlers.ts'
import type { IncomingRequestContext } from '../jsonrpc/transport.ts'

/** Answer of a model in the terms of model APIs. */
export interface ModelAnswer {
  /** Text or blocks of the answer. */
  readonly content: string | SamplingContent | readonly SamplingContent[]
  /** `stop`, `length`, `tool-calls`, or the API's own value. */
  readonly finishReason?: string
  /** The model that answered. Default: the requested model. */
  readonly model?: string
}

/** A model and a function that runs it. */
export interface SamplingModel {
  /** Name of the model. */
  readonly model: string
  /** Runs the model with the server's request. */
  readonly complete: (
    request: SamplingRequest & { readonly model: string },
    context: IncomingRequestContext,
  ) => Promise<ModelAnswer>
}

/** The specification's code for a sampling request that the user rejected. */
const USER_REJECTED = -1

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  'tool-calls': 'toolUse',
  tool_calls: 'toolUse',
}

/** Creates an `onSampling` handler from a model. A function is returned unchanged. */
export function samplingHandler(config: SamplingHandler | SamplingModel): SamplingHandler {
  if (typeof config === 'function') return config
  const { model, complete } = config
  return async (request, context) => toResult(model, await complete({ ...request, model }, context))
}

/** The error with which a sampling handler reports that the user refused. Default message: a generic one. */
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
