import { BaseJsonRpcTransport } from '../base-transport.ts'
import { utf8Decoder } from '../bytes.ts'
import {
  closedError,
  type JsonRpcMessage,
  type JsonRpcRequest,
  McpError,
  malformedError,
  type RequestId,
} from '../jsonrpc.ts'
import { pause, unrefTimer } from '../timers.ts'
import { type WireOptions, wire } from '../wire-options.ts'
import { type BodySink, errorBody, ignoredBody, textBody } from './body-sinks.ts'
import { mediaType, type ResponseHead } from './carrier.ts'
import { EventStreamParser, newCursor, type StreamCursor } from './event-stream.ts'
import { redirectError, sessionLostError, statusError, unacknowledgedError } from './http-errors.ts'
import { HttpWire, type HttpWireConfig, postOf, streamRequest } from './http-wire.ts'
import { followStream, pauseBefore, type StreamOutcome } from './server-stream.ts'

export interface HttpTransportConfig extends HttpWireConfig {
  /** A longer message fails the call it answers; 32 MiB if left out. */
  readonly maxMessageBytes?: number
}

const DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024

/** How long the server may take to acknowledge what needs no answer, and the goodbye. */
const ACKNOWLEDGE_MS = 30_000
const GOODBYE_MS = 1_000

/** How long a stream may stay open after the answer; most servers end it at once, and its connection is used again. */
const LINGER_MS = 1_000

/** How often in a row the rest of a broken answer may be asked for in vain. */
const MAX_RESUME_FAILURES = 5

/**
 * A link to a server that speaks Streamable HTTP. Each message is a POST; the answer is JSON or a stream of events,
 * which are routed as they arrive.
 */
export class HttpTransport extends BaseJsonRpcTransport {
  readonly usesHttp = true
  readonly #wire: HttpWire
  readonly #maxBytes: number
  readonly #decode = utf8Decoder()
  readonly #lifetime = new AbortController()
  #closing: Promise<void> | undefined

  /** Throws a `TypeError` for an address or a header that cannot be used. */
  constructor(config: HttpTransportConfig) {
    super()
    this.#wire = new HttpWire(config)
    this.#maxBytes = config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES
  }

  /** Sends nothing yet: whether the server is there shows in the handshake. */
  async start(): Promise<void> {
    this.#wire.open()
  }

  setProtocolVersion(version: string): void {
    this.#wire.protocolVersion = version
  }

  /** Listens to what the server says on its own, for as long as the link lives, if the server offers that. */
  listen(): void {
    const cursor = newCursor()
    void followStream({
      cursor,
      attempt: () => this.#readStream(cursor),
      isWanted: () => !this.isEnded,
      maxFailures: Infinity,
      signal: this.#lifetime.signal,
    })
  }

  /** Gives up what is under way and ends the session at the server, if it can be told within a second. */
  close(): Promise<void> {
    this.finish()
    this.#closing ??= this.#shutDown()
    return this.#closing
  }

  protected override sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> {
    return 'method' in message && 'id' in message ? this.#call(message, options) : this.#tell(message)
  }

  /** Where there are sessions a dropped connection does not cancel, so the server is told before. */
  protected override cancel(id: RequestId, reason: string, options?: WireOptions): void {
    if (!isSessionless(options)) super.cancel(id, reason)
    this.#wire.get(id)?.abort(closedError('the request was given up'))
  }

  async #call(request: JsonRpcRequest, options: WireOptions | undefined): Promise<void> {
    const { id, method } = request
    const cursor = newCursor()
    const canResume = (): boolean => cursor.lastEventId !== undefined && !isSessionless(options)
    const post = { ...postOf(request, options?.[wire]?.headers), extraHeaders: options?.headers }
    try {
      await this.#wire.send(id, post, (head) => this.#openAnswer(head, request, cursor))
    } catch (error) {
      if (!isCutOff(error) || !canResume()) throw error
    }
    if (this.isPending(id) && canResume()) await this.#resume(id, cursor)
    if (this.isPending(id)) throw closedError(`the server ended its reply to ${method} without an answer`)
  }

  /** Notifications, and answers to the server: all that is expected back is that they were taken. */
  async #tell(message: JsonRpcMessage): Promise<void> {
    const key = Symbol('message')
    let isTaken = false
    const told = this.#wire.send(key, postOf(message), (head) => {
      const refusal = this.#refusal(head)
      isTaken = refusal === undefined
      return refusal ?? ignoredBody
    })
    const giveUp = (): void => this.#wire.get(key)?.abort(unacknowledgedError(this.#wire.url, ACKNOWLEDGE_MS))
    const timer = unrefTimer(setTimeout(giveUp, ACKNOWLEDGE_MS))
    try {
      await told
    } catch (error) {
      if (!isTaken) throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #openAnswer(head: ResponseHead, { id, method }: JsonRpcRequest, cursor: StreamCursor): BodySink {
    const refusal = this.#refusal(head)
    if (refusal !== undefined) return refusal
    if (method === 'initialize') this.#wire.sessionId = head.header('mcp-session-id')
    const type = mediaType(head)
    if (type === 'application/json')
      return textBody(this.#maxBytes, this.#decode, (text) => this.receive(parseAnswer(text), id))
    if (type === 'text/event-stream') return this.#eventBody(cursor, id)
    if (head.status === 202 || head.status === 204) return ignoredBody
    throw malformedError(
      `the server answered ${method} with ${type || 'no content type'}, not with JSON or events`,
    )
  }

  /** Who takes the body of a response that is no success. */
  #refusal(head: ResponseHead): BodySink | undefined {
    const { status } = head
    if (status >= 200 && status < 300) return undefined
    if (status === 404 && this.#wire.sessionId !== undefined) throw this.#loseSession()
    // A browser shows a redirect that it did not follow as status 0.
    if (status === 0 || (status >= 300 && status < 400)) throw redirectError(this.#wire.url, head)
    return errorBody(this.#decode, (text) => statusError(this.#wire.url, status, text))
  }

  #loseSession(): McpError {
    const reason = sessionLostError()
    this.#wire.sessionId = undefined
    this.lose(reason)
    void this.close()
    return reason
  }

  /** The events of one stream; `callId` names the request that it answers. */
  #eventBody(cursor: StreamCursor, callId: RequestId | undefined): BodySink {
    let isLingering = false
    const parser = new EventStreamParser({
      cursor,
      decode: this.#decode,
      maxBytes: this.#maxBytes,
      onEvent: ({ type, data }) => {
        if (type === 'message' && data !== '') this.#takeEvent(data, callId)
        if (isLingering || callId === undefined || this.isPending(callId)) return
        isLingering = true
        this.#endSoon(callId)
      },
    })
    return { push: (bytes) => parser.push(bytes), end: () => undefined }
  }

  #takeEvent(data: string, callId: RequestId | undefined): void {
    const message = parseEvent(data)
    if (message !== undefined) this.receive(message, callId)
    else this.warn(malformedError('the server sent an event that is no JSON; it was dropped'))
  }

  #endSoon(callId: RequestId): void {
    const exchange = this.#wire.get(callId)
    if (exchange === undefined) return
    const timer = unrefTimer(setTimeout(() => exchange.abort(closedError('the request is over')), LINGER_MS))
    const stop = (): void => clearTimeout(timer)
    exchange.done.then(stop, stop)
  }

  /** The rest of an answer whose stream broke: the server keeps it for whoever names the last event that arrived. */
  async #resume(id: RequestId, cursor: StreamCursor): Promise<void> {
    const { signal } = this.#lifetime
    await pause(pauseBefore(cursor, 0), signal)
    await followStream({
      cursor,
      attempt: () => this.#readStream(cursor, id),
      isWanted: () => this.isPending(id),
      maxFailures: MAX_RESUME_FAILURES,
      signal,
    })
  }

  async #readStream(cursor: StreamCursor, callId?: RequestId): Promise<StreamOutcome> {
    let outcome: StreamOutcome = 'failed'
    const reading = this.#wire.send(callId ?? Symbol('stream'), streamRequest(cursor), (head) => {
      if (head.status >= 500) return ignoredBody
      const isStream = head.status === 200 && mediaType(head) === 'text/event-stream'
      outcome = isStream ? 'ended' : 'refused'
      return isStream ? this.#eventBody(cursor, callId) : ignoredBody
    })
    await reading.catch(() => undefined)
    return outcome
  }

  async #shutDown(): Promise<void> {
    this.#lifetime.abort()
    this.#wire.abortAll(closedError('the connection was closed'))
    if (this.#wire.sessionId !== undefined) await this.#sayGoodbye()
    this.#wire.close()
  }

  /** Best effort: a server that does not end sessions on request ends them by itself some day. */
  async #sayGoodbye(): Promise<void> {
    const key = Symbol('goodbye')
    const parting = this.#wire.send(key, { method: 'DELETE', headers: {} }, () => ignoredBody)
    const timer = setTimeout(() => this.#wire.get(key)?.abort(closedError('too late')), GOODBYE_MS)
    await parting.catch(() => undefined)
    clearTimeout(timer)
  }
}

/** Without sessions nothing is kept for a client that comes back, and to hang up is to cancel. */
function isSessionless(options: WireOptions | undefined): boolean {
  return options?.[wire]?.headers !== undefined
}

function isCutOff(error: unknown): boolean {
  return error instanceof McpError && error.kind === 'closed'
}

function parseAnswer(text: string): unknown {
  const message = parseEvent(text)
  if (message === undefined) throw malformedError('the server answered with what is no JSON')
  return message
}

function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
