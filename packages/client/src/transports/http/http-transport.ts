import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import {
  closedError,
  type JsonRpcMessage,
  type JsonRpcRequest,
  McpError,
  type RequestId,
} from '../../jsonrpc/jsonrpc.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import { errorBody, ignoredBody } from '../../http/body-sinks.ts'
import { deliver } from '../../http/deliver.ts'
import { HttpCall, isSessionless } from './http-call.ts'
import { sessionLostError, statusError } from '../../http/http-errors.ts'
import type { HttpContext } from './http-context.ts'
import { httpOnDemand } from './load-deferred.ts'
import { HttpEndpoint, type HttpEndpointConfig } from '../../http/http-endpoint.ts'
import type { ServerChannel } from './server-channel.ts'
import type { SessionRenewal } from './session-renewal.ts'
import type { SseLink } from '../sse/sse-link.ts'

export interface HttpTransportConfig extends HttpEndpointConfig {
  /**
   * The most that one message of the server may hold; 32 MiB if left out. A longer one is not read and fails only the
   * call that it answers.
   */
  readonly maxMessageBytes?: number
}

/** What `maxMessageBytes` is unless it is given. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024

/** How long the server may take to acknowledge what needs no answer, and the goodbye. */
const ACKNOWLEDGE_MS = 30_000
const GOODBYE_MS = 1_000

/**
 * A link to a server that speaks Streamable HTTP, or the older HTTP with events if it refuses the handshake. Each
 * message is a POST; the answer is JSON or a stream of events, which are routed as they arrive.
 */
export class HttpTransport extends BaseJsonRpcTransport {
  readonly usesHttp = true
  readonly #config: HttpTransportConfig
  readonly #link: HttpContext
  readonly #lifetime = new AbortController()
  #channel: ServerChannel | undefined
  /** Made when the first session is lost. */
  #sessions: SessionRenewal | undefined
  /** Set while a new session is being opened. */
  #renewal: Promise<void> | undefined
  #isNegotiated = false
  #sse: SseLink | undefined
  #closing: Promise<void> | undefined

  /** Throws a `TypeError` for an address or a header that cannot be used. */
  constructor(config: HttpTransportConfig) {
    super()
    this.#config = config
    this.#link = this.#createLink(config)
  }

  /** Sends nothing yet: whether the server is there shows in the handshake. */
  start(): Promise<void> {
    return this.#link.endpoint.open((warning) => this.warn(warning))
  }

  setProtocolVersion(version: string): void {
    this.#isNegotiated = true
    this.#link.endpoint.protocolVersion = version
    this.#sse?.setProtocolVersion(version)
  }

  /**
   * Listens to what the server says on its own, for as long as the link lives, if the server offers that. Resolves when
   * the server is being asked: before that, what it says may be lost.
   */
  async listen(): Promise<void> {
    if (this.#sse !== undefined) return
    const { ServerChannel: Channel } = await httpOnDemand()
    if (this.isEnded) return
    this.#channel ??= new Channel(this.#link)
    this.#channel.listen()
  }

  /** Gives up what is under way and ends the session at the server, if it can be told within a second. */
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
    if (!isRequest(message)) return this.#tell(message)
    this.#call(message, options)
    return undefined
  }

  /** Where there are sessions a dropped connection does not cancel, so the server is told before. */
  protected override cancel(id: RequestId, reason: string, options?: WireOptions): void {
    if (!isSessionless(options)) super.cancel(id, reason)
    this.#link.calls.get(id)?.abort(closedError('the request was given up'))
  }

  #createLink(config: HttpTransportConfig): HttpContext {
    return {
      endpoint: new HttpEndpoint(config),
      lifetime: this.#lifetime,
      maxBytes: config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      calls: new Map(),
      receive: (message, callId) => this.receive(message, callId),
      isPending: (id) => this.isPending(id),
      fail: (request, reason) => this.#fail(request, reason),
      setPaused: (id, isHeldUp) => this.holdUp(id, isHeldUp),
      failCall: (id, reason) => this.failCall(id, reason),
      warn: (warning) => this.warn(warning),
      renewSession: (lost) => this.#renewSession(lost),
      onAccepted: () => this.#heard(),
    }
  }

  #call(request: JsonRpcRequest, options: WireOptions | undefined): void {
    const { calls, endpoint: wire } = this.#link
    if (request.method === 'initialize') wire.forgetSession()
    const call = new HttpCall(this.#link, request, options)
    call.send()
    calls.set(request.id, call)
  }

  /** Notifications, and answers to the server: all that is expected back is that they were taken. */
  async #tell(message: JsonRpcMessage): Promise<void> {
    const { endpoint: wire } = this.#link
    const { sessionId } = wire
    const post = { method: 'POST', body: JSON.stringify(message), mayRepeat: true } as const
    await deliver(wire, post, {
      timeoutMs: ACKNOWLEDGE_MS,
      refuse: (head) => {
        if (head.status === 404 && sessionId !== undefined) return this.#missSession(sessionId, message)
        return errorBody((text) => statusError(wire.url, head.status, text))
      },
    })
    if (isHandshake(message)) this.#sessions?.opened()
  }

  /** What was said in a session that is gone means nothing to the next one, except to open it. */
  #missSession(sessionId: string, message: JsonRpcMessage): typeof ignoredBody {
    if (isHandshake(message)) throw sessionLostError()
    this.#renewSession(sessionId).catch(() => undefined)
    return ignoredBody
  }

  async #sendAfter(renewal: Promise<void>, message: JsonRpcMessage, options?: WireOptions): Promise<void> {
    await renewal
    if (isRequest(message) && this.isPending(message.id)) this.#call(message, options)
  }

  #heard(): void {
    this.#sessions?.confirm()
    this.#channel?.reconnect()
  }

  /** Once for everybody who finds it gone; what is sent meanwhile waits for the new one. */
  async #renewSession(lost: string): Promise<void> {
    if (this.#link.endpoint.sessionId === lost) {
      this.#renewal ??= this.#openSession().finally(() => {
        this.#renewal = undefined
      })
    }
    await this.#renewal
  }

  async #openSession(): Promise<void> {
    const { SessionRenewal: Renewal } = await httpOnDemand()
    this.#sessions ??= new Renewal({
      endpoint: this.#link.endpoint,
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

  /** Tries the transport of 2024-11-05 where that makes sense; if it is not there either, the first refusal says more. */
  async #fallBack(request: JsonRpcRequest, reason: unknown): Promise<void> {
    try {
      const { isOlderServer, openSseLink } = await httpOnDemand()
      if (!isOlderServer(reason) || !this.isPending(request.id)) throw reason
      const lose = (lost: McpError): void => this.lose(lost)
      this.#sse = await openSseLink(this.#config, { ...this.#link, signal: this.#lifetime.signal, lose })
    } catch {
      return this.failCall(request.id, reason)
    }
    await this.#sse.post(request).catch((error: unknown) => this.failCall(request.id, error))
  }

  async #shutDown(): Promise<void> {
    const { endpoint: wire, calls } = this.#link
    this.#lifetime.abort()
    this.#channel?.stop(closedError('the connection was closed'))
    for (const call of calls.values()) call.abort(closedError('the connection was closed'))
    if (wire.sessionId !== undefined) await this.#sayGoodbye()
    wire.close()
  }

  /** Best effort: a server that does not end sessions on request ends them by itself some day. */
  async #sayGoodbye(): Promise<void> {
    const goodbye = { method: 'DELETE', mayRepeat: true } as const
    const options = { timeoutMs: GOODBYE_MS, refuse: () => ignoredBody }
    await deliver(this.#link.endpoint, goodbye, options).catch(() => undefined)
  }
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}

/** What opens a session. */
function isHandshake(message: JsonRpcMessage): boolean {
  const method = 'method' in message ? message.method : undefined
  return method === 'initialize' || method === 'notifications/initialized'
}
