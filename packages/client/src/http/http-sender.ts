/** One HTTP request. Header names are in lower case. */
export interface SenderRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** The same object means the same headers: carriers may keep what they make of them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Doing it twice is the same as doing it once. */
  readonly mayRepeat: boolean
}

export interface ResponseHead {
  readonly status: number
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined
}

/** What a request that got no answer did at the server: certainly nothing, or nobody knows. */
export type RequestEffect = 'none' | 'unknown'

export interface SendFailure {
  readonly cause: unknown
  readonly effect: RequestEffect
  /** The connection was kept from an earlier request: the server may have hung up before it saw this one. */
  readonly wasReused: boolean
  /** What can be done about it, to be put behind the reason. */
  readonly hint?: string | undefined
}

/** Takes a response as it arrives, never before `send` has returned. After `onEnd` or `onError` nothing more comes. */
export interface ResponseReceiver {
  onHead(head: ResponseHead): void
  onChunk(bytes: Uint8Array): void
  onEnd(): void
  onError(failure: SendFailure): void
}

/**
 * Brings requests to one origin: Node's own client, or any `fetch`. It follows no redirect and has no deadlines;
 * whoever sends decides about both.
 */
export interface HttpSender {
  /** The returned function gives the request up; the receiver then hears nothing more. */
  send(url: URL, request: SenderRequest, receiver: ResponseReceiver): () => void
  /** Lets go of connections that are kept open. */
  close(): void
}

/** What the body is, without parameters such as the character set; empty if the server does not say. */
export function mediaType(head: ResponseHead): string {
  const type = head.header('content-type') ?? ''
  if (type === 'application/json' || type === 'text/event-stream') return type
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
