import { closedError, malformedError, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { BodySink } from '../../http/body-sinks.ts'
import { mediaType, type ResponseHead } from '../../http/http-sender.ts'
import { eventBody } from '../messages/event-body.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'
import type { ResponseReader, Abortable } from '../../http/http-exchange.ts'
import { statusError } from '../../http/http-errors.ts'
import type { HttpContext } from './http-context.ts'
import type { HttpRequest } from '../../http/http-endpoint.ts'
import type { StreamResult } from './follow-stream.ts'

export interface StreamReaderOptions {
  /** The request whose answer is waited for on the stream. */
  readonly callId?: RequestId
  /** Told what to abort to end the stream. */
  readonly onStart: (exchange: Abortable) => void
}

/** A stream that ends this soon without a word does not work. */
const SHORT_MS = 5_000

/** Asks for a stream of events, from where an earlier one broke off, and reads it to its end. */
export function readStream(
  link: HttpContext,
  cursor: StreamCursor,
  options: StreamReaderOptions,
): Promise<StreamResult> {
  return new Promise((resolve) => {
    const reader = new StreamReader(link, cursor, options.callId, resolve)
    reader.exchange = link.endpoint.send(streamRequest(cursor), reader)
    options.onStart(reader.exchange)
  })
}

function streamRequest({ lastEventId = '' }: StreamCursor): HttpRequest {
  const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
  return { method: 'GET', headers: { accept: 'text/event-stream', ...from }, mayRepeat: true }
}

class StreamReader implements ResponseReader {
  readonly #link: HttpContext
  readonly #cursor: StreamCursor
  readonly #callId: RequestId | undefined
  readonly #onOutcome: (outcome: StreamResult) => void
  readonly #startedAt = performance.now()
  #status = 0
  #isStream = false
  #hasSpoken = false
  exchange: Abortable | undefined

  constructor(
    link: HttpContext,
    cursor: StreamCursor,
    callId: RequestId | undefined,
    onOutcome: (outcome: StreamResult) => void,
  ) {
    this.#link = link
    this.#cursor = cursor
    this.#callId = callId
    this.#onOutcome = onOutcome
  }

  open(head: ResponseHead): BodySink {
    this.#status = head.status
    // Throwing ends the connection too, which was opened for the stream and would be one too many.
    if (head.status !== 200) throw statusError(this.#link.endpoint.url, head.status, '')
    if (mediaType(head) !== 'text/event-stream')
      throw malformedError('the server answered with what is no stream')
    this.#isStream = true
    const events = eventBody(this.#link, this.#cursor, this.#callId, () => this.#endWithAnswer())
    const push = (bytes: Uint8Array): void => {
      this.#hasSpoken = true
      events.push(bytes)
    }
    return { push, end: () => events.end() }
  }

  done(error?: unknown): void {
    this.#onOutcome(this.#isStream ? this.#ending() : this.#failure(error))
  }

  #ending(): StreamResult {
    const isShort = performance.now() - this.#startedAt < SHORT_MS
    if (this.#hasSpoken || !isShort) return { kind: 'ended' }
    return { kind: 'failed', status: 200, reason: closedError('the server ended the stream at once') }
  }

  #failure(reason: unknown): StreamResult {
    const status = this.#status
    const isPassing = status === 0 || status === 429 || status >= 500
    return { kind: isPassing ? 'failed' : 'refused', status, reason }
  }

  #endWithAnswer(): void {
    if (this.#callId === undefined || this.#link.isPending(this.#callId)) return
    this.exchange?.abort(closedError('the request is over'))
  }
}
