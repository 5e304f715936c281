import { closedError, type JsonRpcRequest, type McpError, malformedError } from '../../jsonrpc/jsonrpc.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { type WireOptions, wire } from '../../jsonrpc/wire-options.ts'
import { type BodySink, errorBody, ignoredBody, textBody } from '../../http/body-sinks.ts'
import { mediaType, type ResponseHead } from '../../http/http-sender.ts'
import { eventBody, parseJson } from '../messages/event-body.ts'
import { newCursor, type StreamCursor } from '../messages/event-stream-parser.ts'
import type { ResponseReader, Abortable } from '../../http/http-exchange.ts'
import { NOT_MCP_HINT, sessionLostError, statusError, unansweredError } from '../../http/http-errors.ts'
import type { HttpContext } from './http-context.ts'
import { httpOnDemand } from './load-deferred.ts'
import type { HttpRequest } from '../../http/http-endpoint.ts'
import { mayRepeat } from './may-repeat.ts'

/** How long a stream may stay open after the answer; most servers end it at once, and its connection is used again. */
const LINGER_MS = 1_000

/**
 * One request, from its POST to its answer: in a new session if the server forgot the old one, later if the server is
 * busy, and from another stream if the first one breaks. It is sent again only when it cannot have had an effect, or
 * may have it twice.
 */
export class HttpCall implements ResponseReader {
  readonly #link: HttpContext
  readonly #request: JsonRpcRequest
  readonly #post: HttpRequest
  #exchange: Abortable | undefined
  #sessionId: string | undefined
  #retries = 0
  #refusal: ResponseHead | undefined
  #cursor: StreamCursor | undefined
  #linger: ReturnType<typeof setTimeout> | undefined

  constructor(link: HttpContext, request: JsonRpcRequest, options: WireOptions | undefined) {
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
    this.#sessionId = this.#link.endpoint.sessionId
    this.#refusal = undefined
    this.#exchange = this.#link.endpoint.send(this.#post, this)
  }

  abort(reason: McpError): void {
    this.#exchange?.abort(reason)
  }

  open(head: ResponseHead): BodySink {
    const { status } = head
    if (status >= 200 && status < 300) return this.#openAnswer(head)
    this.#refusal = head
    if (status === 404 && this.#sessionId !== undefined) throw sessionLostError()
    return errorBody((text) => statusError(this.#link.endpoint.url, status, text))
  }

  onPaused(isHeldUp: boolean): void {
    this.#link.setPaused(this.#request.id, isHeldUp)
  }

  done(error?: unknown): void {
    if (this.#linger !== undefined) clearTimeout(this.#linger)
    if (this.#link.isPending(this.#request.id)) void this.#goOn(error)
    else this.#link.calls.delete(this.#request.id)
  }

  #openAnswer(head: ResponseHead): BodySink {
    const { id, method } = this.#request
    const { endpoint: wire, maxBytes } = this.#link
    if (method === 'initialize') wire.sessionId = head.header('mcp-session-id')
    else this.#link.onAccepted()
    const type = mediaType(head)
    if (type === 'application/json') return textBody(maxBytes, (text) => this.#take(text))
    if (type === 'text/event-stream') {
      this.#cursor = newCursor()
      return eventBody(this.#link, this.#cursor, id, () => this.#endSoon())
    }
    if (head.status === 202 || head.status === 204) return ignoredBody
    throw malformedError(
      `the server answered ${method} with ${type || 'no content type'}, not with JSON or events${NOT_MCP_HINT}`,
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

  /** Whether the request is under way once more. What can be done is loaded when something went wrong. */
  async #recover(error: unknown): Promise<boolean> {
    const { recover } = await httpOnDemand()
    const isToBeSent = await recover({
      link: this.#link,
      request: this.#request,
      post: this.#post,
      sessionId: this.#sessionId,
      error,
      refusal: this.#refusal,
      cursor: this.#cursor,
      retries: this.#retries++,
      onStart: (underWay) => {
        this.#exchange = underWay
      },
    })
    if (isToBeSent) this.send()
    return isToBeSent
  }
}

/** Without sessions nothing is kept for a client that comes back, and to hang up is to cancel. */
export function isSessionless(options: WireOptions | undefined): boolean {
  return options?.[wire]?.headers !== undefined
}
