import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { CompleteRequest, Completion } from '../model/completion.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { requireCapability } from './capabilities.ts'
import type { Requester } from './requester.ts'

/** The first revision with a capability for completion. In earlier ones, requests are sent without a check. */
const DECLARED_SINCE = '2025-03-26'

/** The first revision in which a request can include the other arguments. */
const CONTEXT_SINCE = '2025-06-18'

/** Gets the server's suggestions for the value of an argument. */
export async function complete(
  requester: Requester,
  { ref, argument, context }: CompleteRequest,
  options?: RequestOptions,
): Promise<Completion> {
  const { server } = requester
  if (server.protocolVersion >= DECLARED_SINCE) requireCapability(server, 'completions', 'completion')
  const sendsContext = context !== undefined && server.protocolVersion >= CONTEXT_SINCE
  const params = sendsContext ? { ref, argument, context } : { ref, argument }
  return parseCompletion(await requester.request('completion/complete', params, options))
}

function parseCompletion(result: unknown): Completion {
  const completion = isJsonObject(result) ? result['completion'] : undefined
  if (isCompletion(completion)) return completion
  throw malformedError('invalid answer to completion/complete: no list of values')
}

function isCompletion(value: unknown): value is Completion {
  const values = isJsonObject(value) ? value['values'] : undefined
  return Array.isArray(values) && values.every((each) => typeof each === 'string')
}
