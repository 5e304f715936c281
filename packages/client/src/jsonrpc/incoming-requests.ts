import { type JsonRpcErrorObject, McpError, McpErrorCode, methodNotFound, type RequestId } from './jsonrpc.ts'
import type { PendingCall } from './pending-calls.ts'
import { refusedMessage } from './reading/refused-message.ts'
import type { IncomingMcpHandlers, IncomingRequestContext, IncomingRequestHandler } from './transport.ts'
import { unanswered } from './wire-options.ts'

/** The response to a request of the server. */
export type IncomingResponse = { readonly result: unknown } | { readonly error: JsonRpcErrorObject }

interface IncomingRequest {
  readonly call: PendingCall | undefined
  readonly controller: AbortController
  /** Ends the request without an answer. */
  readonly withdraw: (reason: McpError) => void
}

/** Requests of the server that are answered at a time. More are refused. */
const MAX_OPEN = 1_000

/** Where a request of the server arrived. */
interface IncomingRequestSource {
  /** The call on whose stream it arrived; `ended` if that call is over. */
  readonly call: PendingCall | 'ended' | undefined
  readonly handlers: IncomingMcpHandlers
  /** The message or batch that it is part of. */
  readonly text: string | undefined
}

/** The requests of the server that are being answered. */
export class IncomingRequests {
  readonly #open = new Map<RequestId, IncomingRequest>()

  /**
   * Calls the handler of the call on whose stream the request arrived, then the connection's. Resolves with undefined if
   * no answer is to be sent, and as soon as the server cancels the request.
   */
  async answer(
    id: RequestId,
    method: string,
    params: unknown,
    { call, handlers: own, text }: IncomingRequestSource,
  ): Promise<IncomingResponse | undefined> {
    const refused = text === undefined ? undefined : refusedMessage(text)
    if (refused !== undefined) return { error: { code: refused.code, message: refused.message } }
    if (this.#open.size >= MAX_OPEN) return { error: TOO_MANY }
    const { request, withdrawn } = openRequest(call === 'ended' ? undefined : call)
    this.#open.set(id, request)
    const handlers = [request.call?.options.onRequest, own.onRequest?.bind(own)]
    const { signal } = request.controller
    const context = call === undefined ? { signal } : { signal, request: call }
    const answered = responseFor(callFirstHandler(handlers, method, params, context))
    const outcome = await Promise.race([answered, withdrawn])
    if (this.#open.get(id) === request) this.#open.delete(id)
    return outcome
  }

  /** Ends a request that the server cancelled. Unknown ids are ignored. */
  withdraw(id: unknown, reason: McpError): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.withdraw(reason)
  }

  withdrawAll(reason: McpError): void {
    for (const request of this.#open.values()) request.withdraw(reason)
  }

  /** Aborts the handlers of requests on the stream of a call that has ended. They are still answered. */
  abortRequestsOf(call: PendingCall, reason: unknown): void {
    for (const request of this.#open.values()) if (request.call === call) request.controller.abort(reason)
  }
}

const TOO_MANY: JsonRpcErrorObject = {
  code: McpErrorCode.InternalError,
  message: 'too many requests at a time',
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

/** Calls the handlers in order until one does not reject with `MethodNotFound`. */
export async function callFirstHandler(
  handlers: readonly (IncomingRequestHandler | undefined)[],
  method: string,
  params: unknown,
  context: IncomingRequestContext,
): Promise<unknown> {
  for (const handler of handlers) {
    try {
      if (handler !== undefined) return await handler(method, params, context)
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

/** Only an `McpError` is sent as it is. Other errors may contain data that the server must not see. */
function errorForPeer(error: unknown): JsonRpcErrorObject {
  if (!(error instanceof McpError)) {
    return { code: McpErrorCode.InternalError, message: 'the client failed to answer' }
  }
  const { code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}
