/** One HTTP request to the server's address. Header names are in lower case. */
export interface CarrierRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ResponseHead {
  readonly status: number
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined
}

/** Takes a response as it arrives, never before `send` has returned. After `onEnd` or `onError` nothing more comes. */
export interface ResponseReceiver {
  onHead(head: ResponseHead): void
  onChunk(bytes: Uint8Array): void
  onEnd(): void
  onError(error: unknown): void
}

/**
 * Brings requests to one address: Node's own client, or any `fetch`. It follows no redirect and has no deadlines;
 * whoever sends decides about both.
 */
export interface HttpCarrier {
  /** The returned function gives the request up; the receiver then hears nothing more. */
  send(request: CarrierRequest, receiver: ResponseReceiver): () => void
  /** Lets go of connections that are kept open. */
  close(): void
}

/** What the body is, without parameters such as the character set; empty if the server does not say. */
export function mediaType(head: ResponseHead): string {
  return (head.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
