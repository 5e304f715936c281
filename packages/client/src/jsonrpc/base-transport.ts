import { loadDeferred } from '../loading/load-deferred.ts'
import { isTooDeep, MAX_DEPTH } from './depth.ts'
import type { IncomingRequests } from './incoming-requests.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import {
  closedError,
  type JsonRpcMessage,
  McpError,
  McpErrorCode,
  droppedError,
  malformedError,
  type RequestId,
  readErrorObject,
} from './jsonrpc.ts'
import { readProgress, withMeta } from './request-meta.ts'
import { type Abandonment, type PendingCall, PendingCalls, timeoutError } from './pending-calls.ts'
import { type DirectTransport, sendDirect } from './direct-transport.ts'
import type { IncomingMcpHandlers, RequestOptions } from './transport.ts'
import { type WireOptions, wire } from './wire-options.ts'

const NONE: RequestOptions & IncomingMcpHandlers = {}

/**
 * Base of all transports: requests in flight, routing of incoming messages, timeouts, cancellation, and answers to
 * requests of the server. A subclass sends messages and passes received ones to `receive`.
 */
export abstract class BaseJsonRpcTransport implements DirectTransport {
  /** Static, to keep idle connections small. */
  static readonly #abandoned = (transport: BaseJsonRpcTransport, call: PendingCall, how: Abandonment): void =>
    transport.#abandon(call, how)

  readonly #pending = new PendingCalls<BaseJsonRpcTransport>(this, BaseJsonRpcTransport.#abandoned)
  /** Loaded with the first request of the server. Cancellations wait for it as well, to keep the order. */
  #incoming: Promise<IncomingRequests> | undefined
  #handlers: IncomingMcpHandlers = NONE
  #ended: McpError | undefined

  /** Opens the channel. */
  abstract start(): Promise<void>
  /** Closes the channel. Resolves when all resources are released. */
  abstract close(): Promise<void>

  /**
   * Sends one message; `options` are those of its request. A rejection means that the message did not reach the server or
   * that its answer is lost: the request fails with that reason.
   */
  protected abstract sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> | void

  /** Sends one request. Subclasses override it if they can serialize a request faster than a message. */
  protected sendRequest(
    id: RequestId,
    method: string,
    params: object | undefined,
    options: WireOptions,
  ): Promise<void> | void {
    return this.sendMessage({ jsonrpc: '2.0', id, method, params: withMeta(params, options, id) }, options)
  }

  /** Sends a request and resolves with its result. */
  request(method: string, params?: object, options: RequestOptions = NONE): Promise<unknown> {
    return new Promise((resolve, reject) => this[sendDirect](method, params, options, resolve, reject))
  }

  /** Like `request`, without creating a promise. */
  [sendDirect](
    method: string,
    params: object | undefined,
    options: RequestOptions,
    resolve: (result: unknown) => void,
    reject: (reason: unknown) => void,
  ): void {
    if (this.#ended !== undefined) return reject(this.#ended)
    if (options.signal?.aborted === true) return reject(options.signal.reason)
    const call = this.#pending.open(method, params, options, resolve, reject)
    try {
      this.sendRequest(call.id, method, params, options)?.catch((error: unknown) => this.#fail(call, error))
    } catch (error) {
      this.#fail(call, error)
    }
  }

  /** Sends a notification. */
  async notify(method: string, params?: object): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    await this.sendMessage({ jsonrpc: '2.0', method, params })
  }

  /** Sets the handlers for incoming messages, before `start`. */
  setHandlers(handlers: IncomingMcpHandlers): void {
    this.#handlers = handlers
  }

  /**
   * Handles a parsed message or batch. `callId` is the request on whose stream it arrived. By `text`, its JSON, a request is
   * refused that other readers would understand differently; and the check of its depth is cheaper.
   */
  protected receive(message: unknown, callId?: RequestId, text?: string): void {
    // Each level has two brackets. Short messages are not looked at.
    const mayBeDeep = text === undefined || text.length > 2 * MAX_DEPTH
    if (Array.isArray(message)) message.forEach((part) => this.#route(part, callId, mayBeDeep, text))
    else this.#route(message, callId, mayBeDeep, text)
  }

  /** Returns whether a request waits for its answer. */
  protected isPending(id: RequestId): boolean {
    return this.#pending.get(id) !== undefined
  }

  /** Fails a request, unless it has ended. */
  protected failCall(id: RequestId, reason: unknown): void {
    const call = this.#pending.get(id)
    if (call !== undefined) this.#fail(call, reason)
  }

  /** Pauses or resumes the timeout of a request that waits on this side. */
  protected setPaused(id: RequestId, isPaused: boolean): void {
    const call = this.#pending.get(id)
    if (call !== undefined) call.pausedBy += isPaused ? 1 : -1
  }

  /** Reports a lost connection: requests in flight fail, and `onClose` is called. No effect if it has already ended. */
  protected lose(reason: McpError): void {
    if (this.#ended !== undefined) return
    this.#end(reason)
    this.#handlers.onClose?.(reason)
  }

  /** Ends the connection from this side: requests in flight and later ones fail. */
  protected finish(reason: McpError = closedError('the connection was closed')): void {
    if (this.#ended === undefined) this.#end(reason)
  }

  /** Accepts requests again after the connection was replaced. */
  protected reopen(): void {
    this.#ended = undefined
  }

  /** Opens a new session after the server lost it. Undefined if there is no handler for that. */
  protected openNewSession(): Promise<void> | undefined {
    return this.#handlers.onSessionLost?.()
  }

  /** Whether the connection has ended. */
  protected get isEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Reports dropped data to the host. */
  protected warn(warning: McpError): void {
    this.#handlers.onWarning?.(warning)
  }

  /** Adds details of the transport to the error of a request without an answer. */
  protected explain(_method: string, error: McpError): McpError {
    return error
  }

  /** Notifies the server that a request is cancelled. */
  protected cancel(id: RequestId, reason: string, _options?: WireOptions): void {
    const params = { requestId: id, reason }
    // Best effort: the request has already been rejected, and a lost connection is reported separately.
    this.#sendWithRetry({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, () => undefined)
  }

  #send(message: JsonRpcMessage, onError: (error: unknown) => void): void {
    try {
      this.sendMessage(message)?.catch(onError)
    } catch (error) {
      onError(error)
    }
  }

  #end(reason: McpError): void {
    this.#ended = reason
    for (const call of this.#pending.takeAll()) call.reject(reason)
    this.#notifyIncoming((incoming) => incoming.withdrawAll(reason))
  }

  #fail(call: PendingCall, reason: unknown): void {
    if (this.#pending.take(call.id) === undefined) return
    if (call.pausedBy > 0) this.#abortRequestsOf(call, reason)
    // `JSON.stringify` overflowed the stack.
    call.reject(reason instanceof RangeError ? localFailure('the request is nested too deep') : reason)
  }

  #abandon(call: PendingCall, how: Abandonment): void {
    const reason: unknown =
      how === 'aborted' ? call.options.signal?.reason : this.explain(call.method, timeoutError(call))
    if (call.pausedBy > 0) this.#abortRequestsOf(call, reason)
    call.reject(reason)
    // The specification forbids cancelling `initialize`, and a legacy server does not know the probe.
    const isOpening = call.method === 'initialize' || call.options[wire]?.isProbe === true
    if (!isOpening) this.cancel(call.id, how, call.options)
  }

  /** Aborts the handlers of the server's requests on the stream of a call. */
  #abortRequestsOf(call: PendingCall, reason: unknown): void {
    this.#notifyIncoming((incoming) => incoming.abortRequestsOf(call, reason))
  }

  #notifyIncoming(notify: (incoming: IncomingRequests) => void): void {
    // A failure to load is reported where it is needed.
    this.#incoming?.then(notify, () => undefined)
  }

  /** Only what no recursive code can reach is used of a message that is too deep. */
  #route(
    message: unknown,
    callId: RequestId | undefined,
    mayBeDeep: boolean,
    text: string | undefined,
  ): void {
    if (!isJsonObject(message)) return this.warn(droppedError('an invalid message'))
    const { id, method } = message
    if (typeof method === 'string') {
      const isDeep = mayBeDeep && isTooDeep(message)
      if (isDeep) this.warn(droppedError('a message nested too deep'))
      const params = isDeep ? {} : message['params']
      if (typeof id === 'number' || typeof id === 'string')
        void this.#answer(id, method, params, { callId, text: isDeep ? undefined : text })
      else this.#notice(method, params)
    } else if (id !== undefined || message['error'] !== undefined) {
      this.#settle(message, id ?? callId, mayBeDeep)
    } else {
      this.warn(droppedError('an invalid message'))
    }
  }

  #settle(message: JsonObject, id: unknown, mayBeDeep: boolean): void {
    if (id === undefined || id === null) return this.warn(droppedError('an invalid message'))
    const call = this.#pending.take(id)
    // A late, repeated or unexpected answer.
    if (call === undefined) return
    if (call.pausedBy > 0) this.#abortRequestsOf(call, closedError('the request is over'))
    // The reader of a list leaves out only the entries that are too deep.
    const isDeep = mayBeDeep && !call.method.endsWith('/list') && isTooDeep(message)
    const { result, error } = isDeep ? {} : message
    if (error !== undefined && error !== null) this.#refuse(call, McpError.fromPeer(readErrorObject(error)))
    else if (result !== undefined) call.resolve(result)
    else call.reject(malformedError(`the answer to ${call.method} is empty or nested too deep`))
  }

  #refuse(call: PendingCall, refusal: McpError): void {
    const replacement = this.#handlers.onRefused?.(refusal, call)
    if (replacement === undefined) call.reject(refusal)
    else call.resolve(replacement)
  }

  #notice(method: string, params: unknown): void {
    try {
      if (method === 'notifications/progress') this.#progress(params)
      else if (method === 'notifications/cancelled') this.#withdraw(params)
      else this.#handlers.onNotification?.(method, params)
    } catch (cause) {
      this.warn(localFailure(`the handler of ${method} failed`, cause))
    }
  }

  #progress(params: unknown): void {
    const notice = readProgress(params)
    const call = this.#pending.get(notice?.token)
    if (notice === undefined || call === undefined) return
    this.#pending.extend(call)
    call.options.onProgress?.(notice.progress)
  }

  #withdraw(params: unknown): void {
    const { requestId } = isJsonObject(params) ? params : {}
    const reason = closedError('the server withdrew its request')
    this.#notifyIncoming((incoming) => incoming.withdraw(requestId, reason))
    // The only request of a client that a server may cancel.
    const call = this.#pending.get(requestId)
    if (call?.method === 'subscriptions/listen') this.#pending.take(call.id)?.resolve({})
  }

  /** Retries once, because the connection may have been lost at that moment. Duplicates are harmless. */
  #sendWithRetry(message: JsonRpcMessage, onFailed: (cause: unknown) => void): void {
    this.#send(message, () => this.#send(message, onFailed))
  }

  async #answer(
    id: RequestId,
    method: string,
    params: unknown,
    { callId, text }: { readonly callId: RequestId | undefined; readonly text: string | undefined },
  ): Promise<void> {
    const call = callId === undefined ? undefined : this.#pending.get(callId)
    const waiting = call ?? this.#pending
    waiting.pausedBy++
    const isLate = callId !== undefined && call === undefined
    const from = { call: isLate ? ('ended' as const) : call, handlers: this.#handlers, text }
    this.#incoming ??= loadIncoming()
    const outcome = await this.#incoming
      .then((incoming) => incoming.answer(id, method, params, from))
      .catch((cause: unknown) => this.warn(localFailure(`the server's ${method} was not answered`, cause)))
    waiting.pausedBy--
    if (outcome === undefined) return
    this.#sendWithRetry({ jsonrpc: '2.0', id, ...outcome }, (cause) => {
      this.warn(localFailure(`the answer to the server's ${method} was not delivered`, cause))
    })
  }
}

async function loadIncoming(): Promise<IncomingRequests> {
  const { IncomingRequests: Requests } = await loadDeferred()
  return new Requests()
}

function localFailure(message: string, cause?: unknown): McpError {
  return new McpError(message, { kind: 'unsupported', code: McpErrorCode.InternalError, cause })
}
