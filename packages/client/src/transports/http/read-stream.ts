import { closedError, malformedError, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { BodySink } from '../../http/body-sinks.ts'
import { mediaType, type HttpResponseHead } from '../../http/http-sender.ts'
import { eventBody } from '../messages/event-body.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'
import { statusError } from '../../http/http-errors.ts'
import type { HttpContext } from './http-context.ts'
import type { Abortable, HttpRequest, ResponseReader } from '../../http/http-endpoint.ts'
import type { StreamResult } from './follow-stream.ts'

export interface StreamReaderOptions {
  /** The request whose answer is expected on the stream. */
  readonly callId?: RequestId
  /** Called with the exchange; aborting it ends the stream. */
  readonly onStart: (exchange: Abortable) => void
}

/** A stream that ends this soon without an event counts as failed. */
const SHORT_MS = 5_000

/** Requests an event stream, from the last event of an earlier one if there is one, and reads it to its end. */
export function readStream(
  context: HttpContext,
  cursor: StreamCursor,
  options: StreamReaderOptions,
): Promise<StreamResult> {
  return new Promise((resolve) => {
    const reader = new StreamReader(context, cursor, options.callId, resolve)
    reader.exchange = context.endpoint.send(streamRequest(cursor), reader)
    options.onStart(reader.exchange)
  })
}

function streamRequest({ lastEventId = '' }: StreamCursor): HttpRequest {
  const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
  return { method: 'GET', headers: { accept: 'text/event-stream', ...from }, mayRepeat: true }
}

class StreamReader implements ResponseReader {
  readonly #context: HttpContext
  readonly #cursor: StreamCursor
  readonly #callId: RequestId | undefined
  readonly #onResult: (result: StreamResult) => void
  readonly #startedAt = performance.now()
  readonly #startedAfter: string | undefined
  #status = 0
  #isStream = false
  #hasEvent = false
  exchange: Abortable | undefined

  constructor(
    context: HttpContext,
    cursor: StreamCursor,
    callId: RequestId | undefined,
    onResult: (result: StreamResult) => void,
  ) {
    this.#context = context
    this.#cursor = cursor
    this.#startedAfter = cursor.lastEventId
    this.#callId = callId
    this.#onResult = onResult
  }

  open(head: HttpResponseHead): BodySink {
    this.#status = head.status
    // Throwing also closes the connection, which was opened for this stream only.
    if (head.status !== 200) throw statusError(this.#context.endpoint.url, head.status, '')
    if (mediaType(head) !== 'text/event-stream')
      throw malformedError('the server did not answer with an event stream')
    this.#isStream = true
    return eventBody(this.#context, this.#cursor, this.#callId, () => {
      this.#hasEvent = true
      this.#endWithAnswer()
    })
  }

  done(error?: unknown): void {
    this.#onResult(this.#isStream ? this.#ending() : this.#failure(error))
  }

  #ending(): StreamResult {
    const isShort = performance.now() - this.#startedAt < SHORT_MS
    const isResumed = this.#cursor.lastEventId !== this.#startedAfter
    if (this.#hasEvent || isResumed || !isShort) return { kind: 'ended' }
    return { kind: 'failed', status: 200, reason: closedError('the server ended the stream at once') }
  }

  #failure(reason: unknown): StreamResult {
    const status = this.#status
    const isTemporary = status === 0 || status === 429 || status >= 500
    return { kind: isTemporary ? 'failed' : 'refused', status, reason }
  }

  #endWithAnswer(): void {
    if (this.#callId === undefined || this.#context.isPending(this.#callId)) return
    this.exchange?.abort(closedError('the request is over'))
  }
}
