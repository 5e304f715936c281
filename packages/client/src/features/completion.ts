import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { CompleteRequest, Completion } from '../model/completion.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { requireCapability } from './capabilities.ts'
import type { Requester } from './requester.ts'

/** The first revision in which a server can say that it completes; before, one just tries. */
const DECLARED_SINCE = '2025-03-26'

/** The first revision in which a server may be told the other arguments. */
const CONTEXT_SINCE = '2025-06-18'

/** What the server proposes for an argument that is being typed. */
export async function complete(
  requester: Requester,
  { ref, argument, context }: CompleteRequest,
  options?: RequestOptions,
): Promise<Completion> {
  const { server } = requester
  if (server.protocolVersion >= DECLARED_SINCE) requireCapability(server, 'completions', 'completion')
  const isTold = context !== undefined && server.protocolVersion >= CONTEXT_SINCE
  const params = isTold ? { ref, argument, context } : { ref, argument }
  return parseCompletion(await requester.request('completion/complete', params, options))
}

function parseCompletion(result: unknown): Completion {
  const completion = isJsonObject(result) ? result['completion'] : undefined
  if (isCompletion(completion)) return completion
  throw malformedError("the server's answer to completion/complete has no list of values")
}

function isCompletion(value: unknown): value is Completion {
  const values = isJsonObject(value) ? value['values'] : undefined
  return Array.isArray(values) && values.every((each) => typeof each === 'string')
}
