import { closedError, type JsonRpcRequest, McpError, malformedError } from '../jsonrpc.ts'
import { unrefTimer, wait } from '../timers.ts'
import { type WireOptions, wire } from '../wire-options.ts'
import { type BodySink, errorBody, ignoredBody, textBody } from './body-sinks.ts'
import { mediaType, type ResponseHead } from './carrier.ts'
import { eventBody, parseJson } from './event-body.ts'
import { newCursor, type StreamCursor } from './event-stream.ts'
import type { ResponseReader, UnderWay } from './exchange.ts'
import { sessionLostError, statusError, unansweredError } from './http-errors.ts'
import type { HttpLink } from './http-link.ts'
import type { WireRequest } from './http-wire.ts'
import { mayRepeat, retryAfterMs } from './repeatable.ts'

/** How long a stream may stay open after the answer; most servers end it at once, and its connection is used again. */
const LINGER_MS = 1_000

/** How often a request is sent again, at most. */
const MAX_RETRIES = 3

/**
 * One request, from its POST to its answer: in a new session if the server forgot the old one, later if the server is
 * busy, and from another stream if the first one breaks. It is sent again only when it cannot have had an effect, or
 * may have it twice.
 */
export class HttpCall implements ResponseReader {
  readonly #link: HttpLink
  readonly #request: JsonRpcRequest
  readonly #post: WireRequest
  #exchange: UnderWay | undefined
  #sessionId: string | undefined
  #retries = 0
  /** What to do before the request is sent once more, where that makes sense. */
  #remedy: (() => Promise<void>) | undefined
  #cursor: StreamCursor | undefined
  #linger: ReturnType<typeof setTimeout> | undefined

  constructor(link: HttpLink, request: JsonRpcRequest, options: WireOptions | undefined) {
    this.#link = link
    this.#request = request
    this.#post = {
      method: 'POST',
      headers: options?.[wire]?.headers,
      extraHeaders: options?.headers,
      body: JSON.stringify(request),
      mayRepeat: mayRepeat(request.method, options),
    }
  }

  send(): void {
    this.#sessionId = this.#link.wire.sessionId
    this.#exchange = this.#link.wire.send(this.#post, this)
  }

  abort(reason: McpError): void {
    this.#exchange?.abort(reason)
  }

  open(head: ResponseHead): BodySink {
    const { status } = head
    if (status >= 200 && status < 300) return this.#openAnswer(head)
    if (status === 404 && this.#sessionId !== undefined) throw this.#loseSession(this.#sessionId)
    this.#remedy = this.#patience(head)
    const { decode, wire } = this.#link
    return errorBody(decode, (text) => statusError(wire.url, status, text))
  }

  done(error?: unknown): void {
    if (this.#linger !== undefined) clearTimeout(this.#linger)
    if (this.#link.isPending(this.#request.id)) void this.#goOn(error)
    else this.#link.calls.delete(this.#request.id)
  }

  #openAnswer(head: ResponseHead): BodySink {
    const { id, method } = this.#request
    const { wire, decode, maxBytes } = this.#link
    if (method === 'initialize') wire.sessionId = head.header('mcp-session-id')
    else this.#link.heard()
    const type = mediaType(head)
    if (type === 'application/json') return textBody(maxBytes, decode, (text) => this.#take(text))
    if (type === 'text/event-stream') {
      this.#cursor = newCursor()
      return eventBody(this.#link, this.#cursor, id, () => this.#endSoon())
    }
    if (head.status === 202 || head.status === 204) return ignoredBody
    throw malformedError(
      `the server answered ${method} with ${type || 'no content type'}, not with JSON or events`,
    )
  }

  #take(text: string): void {
    const { id, method } = this.#request
    const message = parseJson(text)
    if (message === undefined) {
      const what = text === '' ? 'an empty body' : 'what is no JSON'
      throw malformedError(`the server answered ${method} with ${what}`)
    }
    this.#link.receive(message, id)
  }

  /** The server knows nothing of the request, so a new session may hear it. */
  #loseSession(sessionId: string): McpError {
    if (this.#retries++ < MAX_RETRIES) this.#remedy = () => this.#link.sessions.renew(sessionId)
    return sessionLostError()
  }

  #patience(head: ResponseHead): (() => Promise<void>) | undefined {
    if (!this.#post.mayRepeat || this.#retries >= MAX_RETRIES) return undefined
    const waitMs = retryAfterMs(head, Date.now())
    if (waitMs === undefined) return undefined
    this.#retries++
    return () => wait(waitMs, this.#link.signal)
  }

  /** Nothing more is expected of the stream once the answer is here. */
  #endSoon(): void {
    if (this.#linger !== undefined || this.#link.isPending(this.#request.id)) return
    const end = (): void => this.abort(closedError('the request is over'))
    this.#linger = unrefTimer(setTimeout(end, LINGER_MS))
  }

  async #goOn(error: unknown): Promise<void> {
    const { calls, fail } = this.#link
    try {
      if (await this.#recover(error)) return
      fail(this.#request, error ?? unansweredError(this.#request.method))
    } catch (reason) {
      fail(this.#request, reason)
    }
    calls.delete(this.#request.id)
  }

  /** Whether the request is under way once more. */
  async #recover(error: unknown): Promise<boolean> {
    const remedy = this.#remedy
    this.#remedy = undefined
    if (remedy === undefined) {
      const cursor = this.#cursor
      if (cursor !== undefined && this.#canResume(cursor, error)) await this.#resume(cursor)
      return false
    }
    await remedy()
    if (!this.#link.isPending(this.#request.id)) return false
    this.send()
    return true
  }

  #canResume({ lastEventId = '' }: StreamCursor, error: unknown): boolean {
    const isCut = error === undefined || (error instanceof McpError && error.kind === 'closed')
    const isSameSession = this.#sessionId === this.#link.wire.sessionId
    return isCut && lastEventId !== '' && isSameSession && this.#post.headers === undefined
  }

  /** The rest of an answer whose stream broke: the server keeps it for whoever names the last event that arrived. */
  async #resume(cursor: StreamCursor): Promise<void> {
    const { awaitAnswer } = await import('./listening.ts')
    await awaitAnswer(this.#link, cursor, this.#request.id, (exchange) => {
      this.#exchange = exchange
    })
  }
}

/** Without sessions nothing is kept for a client that comes back, and to hang up is to cancel. */
export function isSessionless(options: WireOptions | undefined): boolean {
  return options?.[wire]?.headers !== undefined
}
