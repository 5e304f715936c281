import { type JsonRpcErrorObject, McpError, McpErrorCode, methodNotFound, type RequestId } from './jsonrpc.ts'
import type { PendingCall } from './pending-calls.ts'
import type { IncomingRequestHandler } from './transport.ts'

/** What goes back to the server. */
export type Outcome = { readonly result: unknown } | { readonly error: JsonRpcErrorObject }

interface IncomingRequest {
  readonly call: PendingCall | undefined
  readonly controller: AbortController
  /** Nobody waits for the answer any more. */
  isWithdrawn: boolean
}

/** The server's requests that are being answered, and the ways in which they end early. */
export class IncomingRequests {
  readonly #open = new Map<RequestId, IncomingRequest>()

  /**
   * Asks the handler of the call on whose stream the request came, then the connection's. Undefined when the server
   * withdrew the request in the meantime and must not be answered.
   */
  async answer(
    id: RequestId,
    method: string,
    params: unknown,
    from: { readonly call: PendingCall | undefined; readonly handler: IncomingRequestHandler | undefined },
  ): Promise<Outcome | undefined> {
    const request = { call: from.call, controller: new AbortController(), isWithdrawn: false }
    this.#open.set(id, request)
    const handlers = [from.call?.options.onRequest, from.handler]
    const outcome = await outcomeOf(firstWilling(handlers, method, params, request.controller.signal))
    if (this.#open.get(id) === request) this.#open.delete(id)
    return request.isWithdrawn ? undefined : outcome
  }

  /** The server withdraws one request; ids that are not open are ignored. */
  withdraw(id: unknown, reason: McpError): void {
    const request = typeof id === 'string' || typeof id === 'number' ? this.#open.get(id) : undefined
    if (request !== undefined) withdraw(request, reason)
  }

  withdrawAll(reason: McpError): void {
    for (const request of this.#open.values()) withdraw(request, reason)
  }

  /** The call they belong to is over: their handlers may stop thinking, but the server still gets an answer. */
  abortThoseOf(call: PendingCall, reason: unknown): void {
    for (const request of this.#open.values()) if (request.call === call) request.controller.abort(reason)
  }
}

function withdraw(request: IncomingRequest, reason: McpError): void {
  request.isWithdrawn = true
  request.controller.abort(reason)
}

/** Asks each handler in turn until one knows the method. */
async function firstWilling(
  handlers: readonly (IncomingRequestHandler | undefined)[],
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  for (const handler of handlers) {
    try {
      if (handler !== undefined) return await handler(method, params, { signal })
    } catch (error) {
      if (!(error instanceof McpError) || error.code !== McpErrorCode.MethodNotFound) throw error
    }
  }
  throw methodNotFound(method)
}

async function outcomeOf(answer: Promise<unknown>): Promise<Outcome> {
  try {
    return { result: (await answer) ?? {} }
  } catch (error) {
    return { error: errorForPeer(error) }
  }
}

/** What the server may know of a failure on our side: errors meant for it, and of others only that there was one. */
function errorForPeer(error: unknown): JsonRpcErrorObject {
  if (!(error instanceof McpError)) {
    return { code: McpErrorCode.InternalError, message: 'the client failed to answer' }
  }
  const { code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}
