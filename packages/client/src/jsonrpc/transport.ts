import type { McpError } from './jsonrpc.ts'
import type { ClientCapabilities } from '../model/capability.ts'

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What a request belongs to. W3C trace context travels in its `_meta`; the rest is for the hooks and stays here. */
export interface TraceContext {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
  readonly sessionId?: string
  readonly requestId?: string
  readonly callId?: string
}

export interface IncomingRequestContext {
  /** Aborted when the server withdraws its request or the connection closes. */
  readonly signal: AbortSignal
}

export type IncomingRequestHandler = (
  method: string,
  params: unknown,
  context: IncomingRequestContext,
) => Promise<unknown>

export interface IncomingMcpHandlers {
  /** Answers a request of the server. Throwing an `McpError` sends that error; anything else is an internal error. */
  onRequest?(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown>
  onNotification?(method: string, params: unknown): void
  /** Called once, when the connection ends without `close()` having been asked for. */
  onClose?(reason: McpError): void
  /** Something the server sent was dropped; the connection goes on. */
  onWarning?(warning: McpError): void
  /**
   * May have another answer for a request that the server refused; undefined where the refusal stands. Over a transport
   * that does not ask it, nobody is led to an address that a server wants a person to go to first.
   */
  onRefused?(refusal: McpError, request: SentRequest): Promise<unknown> | undefined
  /**
   * The server forgot the session. Opens a new one over the same transport and resolves when it is open; until then
   * other requests wait. Where it returns nothing or rejects, the connection ends.
   */
  onSessionLost?(): Promise<void> | undefined
}

export interface RequestOptions {
  /** Aborting cancels the request at the server and rejects with the signal's own reason. */
  readonly signal?: AbortSignal
  /**
   * How long to wait for the answer; progress starts the wait anew, and it stands still while a request of the server
   * (a question to a person) is being answered.
   */
  readonly timeoutMs?: number
  /** The longest wait in all, whatever progress says. */
  readonly maxTimeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** Takes the server's requests that arrive on this request's own stream, before the connection's handler. */
  readonly onRequest?: IncomingRequestHandler
  /** Extra HTTP headers of this request; the protocol's own cannot be overridden. */
  readonly headers?: Readonly<Record<string, string>>
  readonly trace?: TraceContext
  /**
   * Doing it twice is the same as doing it once, so it may be sent again when a server is busy or its fate is unknown.
   * Lists, reads and pings always are.
   */
  readonly idempotent?: boolean
  /**
   * What can be done for the server during this request, where a revision declares that with each request. Left out,
   * it is what the client's handlers do.
   */
  readonly capabilities?: ClientCapabilities
  /**
   * What becomes of an `input_required` result: `answer`, the default, has the client's handlers answer and asks again;
   * `return` hands it to the caller, who may repeat the request with `inputResponses` and `requestState`.
   */
  readonly inputRequired?: 'answer' | 'return'
}

/** A request as it was made. */
export interface SentRequest<Options = RequestOptions> {
  readonly method: string
  readonly params: object | undefined
  readonly options: Options
}

/**
 * A link to one server. `request` and `notify` may be called concurrently once `start` has resolved; `close` is safe at
 * any time, is idempotent, rejects what is in flight and resolves when everything the link owns is gone.
 */
export interface McpTransport {
  /**
   * Set where messages travel over HTTP: requests then carry the protocol's headers, and no answer in time says nothing
   * about the server's revision.
   */
  readonly usesHttp?: boolean
  start(): Promise<void>
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>
  notify(method: string, params?: object): Promise<void>
  /** Set before `start`; a later call replaces the earlier handlers. */
  setHandlers(handlers: IncomingMcpHandlers): void
  /** Told once the revision is known, before anything else is sent. */
  setProtocolVersion?(version: string): void
  /** Opens the server's own channel where the transport has one apart from the answers; resolves when it is asked for. */
  listen?(): Promise<void>
  /**
   * Puts a fresh link in the place of one that was lost or is of no use, with the same handlers; what is in flight
   * fails. Only where the link is this side's to make again, and never after `close()`.
   */
  restart?(): Promise<void>
  close(): Promise<void>
}
