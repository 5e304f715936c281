import { type JsonRpcErrorObject, McpError, McpErrorCode, methodNotFound, type RequestId } from './jsonrpc.ts'
import type { PendingCall } from './pending-calls.ts'
import type { IncomingMcpHandlers, IncomingRequestHandler } from './transport.ts'
import { unanswered } from './wire-options.ts'

/** What goes back to the server. */
export type IncomingResponse = { readonly result: unknown } | { readonly error: JsonRpcErrorObject }

interface IncomingRequest {
  readonly call: PendingCall | undefined
  readonly controller: AbortController
  /** Nobody waits for the answer any more. */
  readonly withdraw: (reason: McpError) => void
}

/** The server's requests that are being answered, and the ways in which they end early. */
export class IncomingRequests {
  readonly #open = new Map<RequestId, IncomingRequest>()

  /**
   * Asks the handler of the call on whose stream the request came, then the connection's. Undefined if it is to stay
   * unanswered, and as soon as the server withdraws the request.
   */
  async answer(
    id: RequestId,
    method: string,
    params: unknown,
    {
      call,
      handlers: own,
    }: { readonly call: PendingCall | undefined; readonly handlers: IncomingMcpHandlers },
  ): Promise<IncomingResponse | undefined> {
    const { request, withdrawn } = openRequest(call)
    this.#open.set(id, request)
    const handlers = [call?.options.onRequest, own.onRequest?.bind(own)]
    const answered = responseFor(callFirstHandler(handlers, method, params, request.controller.signal))
    const outcome = await Promise.race([answered, withdrawn])
    if (this.#open.get(id) === request) this.#open.delete(id)
    return outcome
  }

  /** The server withdraws one request; ids that are not open are ignored. */
  withdraw(id: unknown, reason: McpError): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.withdraw(reason)
  }

  withdrawAll(reason: McpError): void {
    for (const request of this.#open.values()) request.withdraw(reason)
  }

  /** The call they belong to is over: their handlers may stop thinking, but the server still gets an answer. */
  abortRequestsOf(call: PendingCall, reason: unknown): void {
    for (const request of this.#open.values()) if (request.call === call) request.controller.abort(reason)
  }
}

function openRequest(call: PendingCall | undefined): {
  readonly request: IncomingRequest
  readonly withdrawn: Promise<undefined>
} {
  const controller = new AbortController()
  let resolve: (value: undefined) => void = () => undefined
  const withdrawn = new Promise<undefined>((settle) => {
    resolve = settle
  })
  const withdraw = (reason: McpError): void => {
    resolve(undefined)
    controller.abort(reason)
  }
  return { request: { call, controller, withdraw }, withdrawn }
}

/** Asks each handler in turn until one knows the method. */
export async function callFirstHandler(
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

async function responseFor(answer: Promise<unknown>): Promise<IncomingResponse | undefined> {
  try {
    const result = (await answer) ?? {}
    return result === unanswered ? undefined : { result }
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
