import { closedError, malformedError, type RequestId } from '../../jsonrpc/jsonrpc.ts'
import type { BodySink } from '../../http/body-sinks.ts'
import { mediaType, type ResponseHead } from '../../http/http-sender.ts'
import { eventBody } from '../messages/event-body.ts'
import type { StreamCursor } from '../messages/event-stream-parser.ts'
import type { ResponseReader, UnderWay } from '../../http/http-exchange.ts'
import { statusError } from '../../http/http-errors.ts'
import type { HttpLink } from './http-context.ts'
import type { WireRequest } from '../../http/http-endpoint.ts'
import type { StreamOutcome } from './follow-stream.ts'

export interface StreamReaderOptions {
  /** The request whose answer is waited for on the stream. */
  readonly callId?: RequestId
  /** Told what to abort to end the stream. */
  readonly onStart: (exchange: UnderWay) => void
}

/** A stream that ends this soon without a word does not work. */
const SHORT_MS = 5_000

/** Asks for a stream of events, from where an earlier one broke off, and reads it to its end. */
export function readStream(
  link: HttpLink,
  cursor: StreamCursor,
  options: StreamReaderOptions,
): Promise<StreamOutcome> {
  return new Promise((resolve) => {
    const reader = new StreamReader(link, cursor, options.callId, resolve)
    reader.exchange = link.wire.send(streamRequest(cursor), reader)
    options.onStart(reader.exchange)
  })
}

function streamRequest({ lastEventId = '' }: StreamCursor): WireRequest {
  const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
  return { method: 'GET', headers: { accept: 'text/event-stream', ...from }, mayRepeat: true }
}

class StreamReader implements ResponseReader {
  readonly #link: HttpLink
  readonly #cursor: StreamCursor
  readonly #callId: RequestId | undefined
  readonly #onOutcome: (outcome: StreamOutcome) => void
  readonly #startedAt = performance.now()
  #status = 0
  #isStream = false
  #hasSpoken = false
  exchange: UnderWay | undefined

  constructor(
    link: HttpLink,
    cursor: StreamCursor,
    callId: RequestId | undefined,
    onOutcome: (outcome: StreamOutcome) => void,
  ) {
    this.#link = link
    this.#cursor = cursor
    this.#callId = callId
    this.#onOutcome = onOutcome
  }

  open(head: ResponseHead): BodySink {
    this.#status = head.status
    // Throwing ends the connection too, which was opened for the stream and would be one too many.
    if (head.status !== 200) throw statusError(this.#link.wire.url, head.status, '')
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

  #ending(): StreamOutcome {
    const isShort = performance.now() - this.#startedAt < SHORT_MS
    if (this.#hasSpoken || !isShort) return { kind: 'ended' }
    return { kind: 'failed', status: 200, reason: closedError('the server ended the stream at once') }
  }

  #failure(reason: unknown): StreamOutcome {
    const status = this.#status
    const isPassing = status === 0 || status === 429 || status >= 500
    return { kind: isPassing ? 'failed' : 'refused', status, reason }
  }

  #endWithAnswer(): void {
    if (this.#callId === undefined || this.#link.isPending(this.#callId)) return
    this.exchange?.abort(closedError('the request is over'))
  }
}
