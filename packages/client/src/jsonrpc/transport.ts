import type { McpError } from './jsonrpc.ts'
import type { ClientCapabilities } from '../model/capability.ts'

/** Progress of a request, as reported by the server. */
export interface Progress {
  /** Increases with every notification. */
  readonly progress: number
  /** Value of `progress` at the end, if known. */
  readonly total?: number
  /** Untrusted text. */
  readonly message?: string
}

/** Trace context of a request. The W3C members are sent in `_meta`; the others are only passed to the hooks. */
export interface TraceContext {
  /** W3C `traceparent`. */
  readonly traceparent?: string
  /** W3C `tracestate`. */
  readonly tracestate?: string
  /** W3C `baggage`. */
  readonly baggage?: string
  /** Session id of the host, for the hooks. */
  readonly sessionId?: string
  /** Request id of the host, for the hooks. */
  readonly requestId?: string
  /** Call id of the host, for the hooks. */
  readonly callId?: string
}

/** Context of a request of the server. */
export interface IncomingRequestContext {
  /** Aborted when the server withdraws its request or the connection closes. */
  readonly signal: AbortSignal
  /**
   * The client's request on whose stream it arrived (Streamable HTTP), or `ended` if that request is over. Undefined if it
   * arrived outside of the streams of requests.
   */
  readonly request?: SentRequest | 'ended'
}

/** Answers a request of the server. */
export type IncomingRequestHandler = (
  method: string,
  params: unknown,
  context: IncomingRequestContext,
) => Promise<unknown>

/** Handlers that a transport calls with what the server sends. */
export interface IncomingMcpHandlers {
  /** Answers a request of the server. An `McpError` is sent as it is; any other error as an internal error. */
  onRequest?(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown>
  /** Called with each notification of the server. */
  onNotification?(method: string, params: unknown): void
  /** Called once if the connection ends without `close()`. */
  onClose?(reason: McpError): void
  /** Called when data of the server was dropped. The connection stays open. */
  onWarning?(warning: McpError): void
  /**
   * Returns another answer for a request that the server refused, or undefined if the refusal stands. A transport that
   * does not call it does not support URL elicitation errors.
   */
  onRefused?(refusal: McpError, request: SentRequest): Promise<unknown> | undefined
  /**
   * Called when the server no longer knows the session. Opens a new one over the same transport and resolves when it is
   * open; other requests wait until then. If it returns undefined or rejects, the connection ends.
   */
  onSessionLost?(): Promise<void> | undefined
}

/** Options of one request. */
export interface RequestOptions {
  /** Aborting cancels the request on the server and rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * Timeout for the answer. Progress restarts it, and it does not run while a request of the server is being answered.
   * Default: the client's `timeoutMs`.
   */
  readonly timeoutMs?: number
  /** Total timeout, regardless of progress. Default: none. */
  readonly maxTimeoutMs?: number
  /** Called with each progress notification. Setting it requests progress. */
  readonly onProgress?: (progress: Progress) => void
  /** Answers requests of the server on the stream of this request. The connection's handlers get those it refuses. */
  readonly onRequest?: IncomingRequestHandler
  /** Extra HTTP headers. Headers of the protocol cannot be overridden. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Trace context of the request. */
  readonly trace?: TraceContext
  /**
   * The request may be sent again if the server is busy or the outcome is unknown. Lists, reads and pings always may.
   * Default: false.
   */
  readonly idempotent?: boolean
  /** Capabilities to declare with this request (2026-07-28). Default: those of the client's handlers. */
  readonly capabilities?: ClientCapabilities
  /**
   * What to do with an `input_required` result. `answer`: call the client's handlers and repeat the request. `return`:
   * return it; the caller may repeat the request with `inputResponses` and `requestState`. Default: `answer`.
   */
  readonly inputRequired?: 'answer' | 'return'
}

/** A request with its options. */
export interface SentRequest<Options = RequestOptions> {
  /** Method of the request. */
  readonly method: string
  /** Parameters, without `_meta` of the protocol. */
  readonly params: object | undefined
  /** Options that the caller passed. */
  readonly options: Options
}

/**
 * A message channel to one server. `request` and `notify` may be called concurrently once `start` has resolved. `close`
 * may be called at any time and repeatedly: it rejects requests in flight and resolves when all resources are released.
 */
export interface McpTransport {
  /** Messages are sent over HTTP: requests carry the protocol's headers, and a timeout does not reveal the era. */
  readonly usesHttp?: boolean
  /** Opens the channel. Called once. */
  start(): Promise<void>
  /** Sends a request and resolves with its result. Rejects with an `McpError`, or the reason of the signal. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>
  /** Sends a notification. Resolves when it is sent. */
  notify(method: string, params?: object): Promise<void>
  /** Set before `start`; a later call replaces the earlier handlers. */
  setHandlers(handlers: IncomingMcpHandlers): void
  /** Called when the revision is negotiated, before any further message. */
  setProtocolVersion?(version: string): void
  /** Opens the server's notification stream, if the transport has one. Resolves when it is requested. */
  listen?(): Promise<void>
  /**
   * Replaces a lost or unusable channel by a new one with the same handlers. Requests in flight fail. Only present if
   * this side creates the channel; never called after `close()`.
   */
  restart?(): Promise<void>
  /** Closes the channel and rejects requests in flight. Resolves when all resources are released. */
  close(): Promise<void>
}
