import { errorBody, ignoredBody } from '../../http/body-sinks.ts'
import { deliver } from '../../http/deliver.ts'
import { HttpEndpoint } from '../../http/http-endpoint.ts'
import { sessionLostError, statusError } from '../../http/http-errors.ts'
import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  type JsonRpcRequest,
  McpError,
  type RequestId,
} from '../../jsonrpc/jsonrpc.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import { loadDeferredHttp } from '../../loading/load-deferred-http.ts'
import type { HttpTransportConfig } from '../http-transport-config.ts'
import { DEFAULT_MAX_MESSAGE_BYTES } from '../messages/max-message-bytes.ts'
import type { SseLink } from '../sse/sse-link.ts'
import { HttpCall, isSessionless } from './http-call.ts'
import type { HttpContext } from './http-context.ts'
import type { ServerChannel } from './server-channel.ts'
import type { SessionRenewal } from './session-renewal.ts'

/** Timeout for the server to acknowledge a notification or a response. */
const ACKNOWLEDGE_MS = 30_000

/** Timeout for the server to end the session. */
const END_SESSION_MS = 1_000

/**
 * Connects to a server over Streamable HTTP, or over the HTTP+SSE transport of 2024-11-05 if the server refuses the
 * handshake. Each message is a POST; the answer is JSON or an event stream, whose messages are handled as they arrive.
 *
 * @example
 * ```ts
 * import { HttpTransport, McpClient } from '@toolbridge/client'
 *
 * const client = new McpClient(new HttpTransport({ url })) // url: 'https://example.com/mcp'
 * await client.connect()
 * console.log((await client.listTools()).map((tool) => tool.name)) // [ 'hello', 'repeat' ]
 * await client.close()
 * ```
 */
export class HttpTransport extends BaseJsonRpcTransport {
  readonly usesHttp = true
  readonly #config: HttpTransportConfig
  readonly #context: HttpContext
  readonly #lifetime = new AbortController()
  #channel: ServerChannel | undefined
  /** Created when the first session is lost. */
  #sessions: SessionRenewal | undefined
  /** Set while a new session is being opened. */
  #renewal: Promise<void> | undefined
  #isNegotiated = false
  #sse: SseLink | undefined
  #closing: Promise<void> | undefined

  /** Throws a `TypeError` for an invalid URL or header. */
  constructor(config: HttpTransportConfig) {
    super()
    this.#config = config
    this.#context = this.#createContext(config)
  }

  /** Sends nothing: the handshake shows whether the server is reachable. */
  start(): Promise<void> {
    return this.#context.endpoint.open((warning) => this.warn(warning))
  }

  /** Sets the revision that later requests name in their header. */
  setProtocolVersion(version: string): void {
    this.#isNegotiated = true
    this.#context.endpoint.protocolVersion = version
    this.#sse?.setProtocolVersion(version)
  }

  /**
   * Opens the stream for the server's own messages, if the server has one, and keeps it open until the transport closes.
   * Resolves when the stream was requested: messages sent before that may be lost.
   */
  async listen(): Promise<void> {
    if (this.#sse !== undefined) return
    const { ServerChannel: Channel } = await loadDeferredHttp()
    if (this.isEnded) return
    this.#channel ??= new Channel(this.#context)
    this.#channel.listen()
  }

  /** Aborts what is in flight and ends the session at the server, waiting for it at most one second. */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#shutDown()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> | undefined {
    if (this.#sse !== undefined) return this.#sse.post(message, options?.headers)
    if (this.#renewal !== undefined && !isHandshake(message)) {
      return this.#sendAfter(this.#renewal, message, options)
    }
    if (!isRequest(message)) return this.deliver(message)
    this.#call(message, options)
    return undefined
  }

  /** In a session, closing the connection does not cancel a request, so the server is notified first. */
  protected override cancel(id: RequestId, reason: string, options?: WireOptions): void {
    if (!isSessionless(options)) super.cancel(id, reason)
    this.#context.calls.get(id)?.abort(closedError('the request is over'))
  }

  #createContext(config: HttpTransportConfig): HttpContext {
    return {
      endpoint: new HttpEndpoint(config),
      lifetime: this.#lifetime,
      maxBytes: config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      calls: new Map(),
      receive: (message, callId, text) => this.receive(message, callId, text),
      isPending: (id) => this.isPending(id),
      fail: (request, reason) => this.#fail(request, reason),
      setPaused: (id, isPaused) => this.setPaused(id, isPaused),
      failCall: (id, reason) => this.failCall(id, reason),
      warn: (warning) => this.warn(warning),
      renewSession: (lost) => this.#renewSession(lost),
      onAccepted: () => this.#onAccepted(),
    }
  }

  #call(request: JsonRpcRequest, options: WireOptions | undefined): void {
    const { calls, endpoint } = this.#context
    if (request.method === 'initialize') endpoint.forgetSession()
    const call = new HttpCall(this.#context, request, options)
    call.send()
    calls.set(request.id, call)
  }

  /** Sends a notification or a response, which the server only acknowledges. */
  protected async deliver(message: JsonRpcMessage): Promise<void> {
    const { endpoint } = this.#context
    const { sessionId } = endpoint
    const post = { method: 'POST', body: JSON.stringify(message), mayRepeat: true } as const
    await deliver(endpoint, post, {
      timeoutMs: ACKNOWLEDGE_MS,
      refuse: (head) => {
        if (head.status === 404 && sessionId !== undefined) return this.#dropAfterLoss(sessionId, message)
        return errorBody((text) => statusError(endpoint.url, head.status, text))
      },
    })
    if (isHandshake(message)) this.#sessions?.opened()
  }

  /** A message of a lost session has no meaning in the next one, unless it is part of the handshake. */
  #dropAfterLoss(sessionId: string, message: JsonRpcMessage): typeof ignoredBody {
    if (isHandshake(message)) throw sessionLostError()
    this.#renewSession(sessionId).catch(() => undefined)
    return ignoredBody
  }

  async #sendAfter(renewal: Promise<void>, message: JsonRpcMessage, options?: WireOptions): Promise<void> {
    await renewal
    if (isRequest(message) && this.isPending(message.id)) this.#call(message, options)
  }

  #onAccepted(): void {
    this.#sessions?.confirm()
    this.#channel?.reconnect()
  }

  /** All calls that find the session lost share one renewal; messages sent meanwhile wait for it. */
  async #renewSession(lost: string): Promise<void> {
    if (this.#context.endpoint.sessionId === lost) {
      this.#renewal ??= this.#openSession().finally(() => {
        this.#renewal = undefined
      })
    }
    await this.#renewal
  }

  async #openSession(): Promise<void> {
    const { SessionRenewal: Renewal } = await loadDeferredHttp()
    this.#sessions ??= new Renewal({
      endpoint: this.#context.endpoint,
      reopen: () => this.openNewSession(),
      onLost: (reason) => this.#loseSession(reason),
      warn: (warning) => this.warn(warning),
    })
    await this.#sessions.renew()
  }

  #loseSession(reason: unknown): void {
    this.lose(reason instanceof McpError ? reason : sessionLostError())
    void this.close()
  }

  #fail(request: JsonRpcRequest, reason: unknown): void {
    if (request.method === 'initialize' && !this.#isNegotiated) void this.#fallBack(request, reason)
    else this.failCall(request.id, reason)
  }

  /** Tries the transport of 2024-11-05 if the refusal suggests it. If that fails too, the first refusal is the error. */
  async #fallBack(request: JsonRpcRequest, reason: unknown): Promise<void> {
    try {
      const { isOlderServer, openSseLink } = await loadDeferredHttp()
      if (!isOlderServer(reason) || !this.isPending(request.id)) throw reason
      const lose = (lost: McpError): void => this.lose(lost)
      this.#sse = await openSseLink(this.#config, { ...this.#context, signal: this.#lifetime.signal, lose })
    } catch {
      return this.failCall(request.id, reason)
    }
    await this.#sse.post(request).catch((error: unknown) => this.failCall(request.id, error))
  }

  async #shutDown(): Promise<void> {
    const { endpoint, calls } = this.#context
    this.#lifetime.abort()
    this.#channel?.stop(closedError('the connection was closed'))
    for (const call of calls.values()) call.abort(closedError('the connection was closed'))
    if (endpoint.sessionId !== undefined) await this.#endSession()
    endpoint.close()
  }

  /** Best effort: a server that does not support it ends the session later. */
  async #endSession(): Promise<void> {
    const request = { method: 'DELETE', mayRepeat: true } as const
    const options = { timeoutMs: END_SESSION_MS, refuse: () => ignoredBody }
    await deliver(this.#context.endpoint, request, options).catch(() => undefined)
  }
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}

/** Whether a message is part of opening a session. */
function isHandshake(message: JsonRpcMessage): boolean {
  const method = 'method' in message ? message.method : undefined
  return method === 'initialize' || method === 'notifications/initialized'
}
