/** One HTTP request. Header names are in lower case. */
export interface SenderRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** Senders may cache what they derive from this object: the same object has the same headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether sending it twice has the same effect as sending it once, or the JSON-RPC method that tells. */
  readonly mayRepeat: boolean | string
}

/** Status and headers of a response. */
export interface HttpResponseHead {
  readonly status: number
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined
}

/** Effect of a request without a response: none, or unknown. */
export type RequestEffect = 'none' | 'unknown'

/** A request that got no complete response. */
export interface SendFailure {
  readonly cause: unknown
  readonly effect: RequestEffect
  /**
   * Whether the request can be sent again at once: its connection was reused from an earlier one, so the server may have
   * closed it before it read this request, and sending it twice does no harm.
   */
  readonly isToBeRepeated?: boolean
  /** How to fix it; appended to the error message. */
  readonly hint?: string | undefined
}

/** Receives a response as it arrives, never before `send` has returned. `onEnd` or `onError` is the last call. */
export interface ResponseReceiver {
  onHead(head: HttpResponseHead): void
  onChunk(bytes: Uint8Array): void
  onEnd(): void
  onError(failure: SendFailure): void
}

/** Sends requests to one origin, with Node's HTTP client or with `fetch`. Follows no redirects and has no timeouts. */
export interface HttpSender {
  /** Returns a function that cancels the request; the receiver is not called after that. */
  send(url: URL, request: SenderRequest, receiver: ResponseReceiver): () => void
  /** Closes idle connections. */
  close(): void
}

/** The content type without parameters, in lower case; empty if there is none. */
export function mediaType(head: HttpResponseHead): string {
  const type = head.header('content-type') ?? ''
  if (type === 'application/json' || type === 'text/event-stream') return type
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
