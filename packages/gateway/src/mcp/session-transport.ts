import {
  type HandleRequestOptions,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJsonContentType,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { PendingAnswer } from './pending-answer.ts'

/**
 * The transport of a session. It answers the requests of an open session itself, with JSON where it can: the SDK's transport
 * answers either all of them as event streams, or all as JSON without any message before the result. Everything else is left to
 * that one: the start and the end of a session, its listening stream, notifications, batches and whatever is invalid.
 */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #pending = new Map<RequestId, PendingAnswer>()
  #versions: readonly string[] = []
  #isClosed = false

  override setSupportedProtocolVersions(versions: string[]): void {
    this.#versions = versions
    super.setSupportedProtocolVersions(versions)
  }

  override handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const message = options?.parsedBody
    if (this.#canAnswer(request)) this.#endCancelled(message)
    return this.#canAnswer(request) && isRequest(message) && !this.#pending.has(message.id)
      ? this.#answer(request, message)
      : super.handleRequest(request, options)
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const result = resultIdOf(message)
    const id = result ?? options?.relatedRequestId
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id === undefined || pending === undefined) return super.send(message, options)
    if (result === undefined) return pending.send(message)
    this.#pending.delete(id)
    pending.finish(message)
  }

  override async close(): Promise<void> {
    this.#isClosed = true
    for (const pending of this.#pending.values()) pending.end()
    this.#pending.clear()
    await super.close()
  }

  /** Whether the SDK's transport would accept a request of this session with these headers. */
  #canAnswer({ method, headers }: Request): boolean {
    if (method !== 'POST' || this.#isClosed || this.sessionId === undefined) return false
    const version = headers.get('mcp-protocol-version')
    const accepted = headers.get('accept') ?? ''
    return (
      headers.get('mcp-session-id') === this.sessionId &&
      (version === null || this.#versions.includes(version)) &&
      accepted.includes('application/json') &&
      accepted.includes('text/event-stream') &&
      isJsonContentType(headers.get('content-type'))
    )
  }

  /** A cancelled request gets no result, so its response would stay open as long as the session. */
  #endCancelled(message: unknown): void {
    const id = cancelledIdOf(message)
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id === undefined || pending === undefined) return
    this.#pending.delete(id)
    pending.end()
  }

  #answer(request: Request, message: JSONRPCRequest): Promise<Response> {
    return new Promise((resolve) => {
      const headers = { 'mcp-session-id': this.sessionId ?? '' }
      this.#pending.set(message.id, new PendingAnswer(headers, resolve))
      this.onmessage?.(message, { request })
    })
  }
}

function isRequest(message: unknown): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && message.method !== 'initialize'
}

function cancelledIdOf(message: unknown): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** The id of the request that a message is the result of. Undefined if it is no result. */
function resultIdOf(message: JSONRPCMessage): RequestId | undefined {
  // The SDK made the message, so that it needs no validation.
  return 'result' in message || 'error' in message ? message.id : undefined
}
