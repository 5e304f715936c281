import { type BodySink, errorBody, ignoredBody, textBody } from '../../http/body-sinks.ts'
import type { Abortable, HttpRequest, ResponseReader } from '../../http/http-endpoint.ts'
import { NOT_MCP_HINT, sessionLostError, statusError } from '../../http/http-errors.ts'
import { type HttpResponseHead, mediaType } from '../../http/http-sender.ts'
import { closedError, type JsonRpcRequest, type McpError, malformedError } from '../../jsonrpc/jsonrpc.ts'
import { type WireOptions, wire } from '../../jsonrpc/wire-options.ts'
import { loadDeferredHttp } from '../../loading/load-deferred-http.ts'
import { unrefTimer } from '../../timing/unref-timer.ts'
import { eventBody } from '../messages/event-body.ts'
import { newCursor, type StreamCursor } from '../messages/event-stream-parser.ts'
import { parseJson } from '../../jsonrpc/json.ts'
import type { HttpContext } from './http-context.ts'

/** A stream may stay open this long after the answer. Most servers end it at once, and its connection is reused. */
const END_STREAM_MS = 1_000

/**
 * One request, from its POST to its answer. It is sent again in a new session if the server lost the old one, or later
 * if the server is busy, but only when it had no effect or may be repeated. If its stream breaks, the answer is read
 * from another one.
 */
export class HttpCall implements ResponseReader {
  readonly #context: HttpContext
  readonly #request: JsonRpcRequest
  readonly #post: HttpRequest
  #exchange: Abortable | undefined
  #sessionId: string | undefined
  #retries = 0
  #refusal: HttpResponseHead | undefined
  #cursor: StreamCursor | undefined
  #endTimer: ReturnType<typeof setTimeout> | undefined

  constructor(context: HttpContext, request: JsonRpcRequest, options: WireOptions | undefined) {
    this.#context = context
    this.#request = request
    this.#post = {
      method: 'POST',
      headers: options?.[wire]?.headers,
      extraHeaders: options?.headers,
      body: JSON.stringify(request),
      mayRepeat: options?.idempotent ?? request.method,
    }
  }

  send(): void {
    this.#sessionId = this.#context.endpoint.sessionId
    this.#refusal = undefined
    this.#exchange = this.#context.endpoint.send(this.#post, this)
  }

  abort(reason: McpError): void {
    this.#exchange?.abort(reason)
  }

  open(head: HttpResponseHead): BodySink {
    const { status } = head
    if (status >= 200 && status < 300) return this.#openAnswer(head)
    this.#refusal = head
    if (status === 404 && this.#sessionId !== undefined) throw sessionLostError()
    return errorBody((text) => statusError(this.#context.endpoint.url, status, text))
  }

  onPaused(isPaused: boolean): void {
    this.#context.setPaused(this.#request.id, isPaused)
  }

  done(error?: unknown): void {
    if (this.#endTimer !== undefined) clearTimeout(this.#endTimer)
    if (this.#context.isPending(this.#request.id)) void this.#continue(error)
    else this.#context.calls.delete(this.#request.id)
  }

  #openAnswer(head: HttpResponseHead): BodySink {
    const { id, method } = this.#request
    const { endpoint, maxBytes } = this.#context
    if (method === 'initialize') endpoint.sessionId = head.header('mcp-session-id')
    else this.#context.onAccepted()
    const type = mediaType(head)
    if (type === 'application/json') return textBody(maxBytes, (text) => this.#receive(text))
    if (type === 'text/event-stream') {
      this.#cursor = newCursor()
      return eventBody(this.#context, this.#cursor, id, () => this.#endStreamSoon())
    }
    if (head.status === 202 || head.status === 204) return ignoredBody
    throw malformedError(
      `the server answered ${method} with ${type || 'no content type'}, not with JSON or events${NOT_MCP_HINT}`,
    )
  }

  #receive(text: string): void {
    const { id, method } = this.#request
    const message = parseJson(text)
    if (message === undefined) {
      const what = text === '' ? 'an empty body' : 'invalid JSON'
      throw malformedError(`the server answered ${method} with ${what}`)
    }
    this.#context.receive(message, id, text)
  }

  /** Once the call is answered, nothing more is expected on the stream. */
  #endStreamSoon(): void {
    if (this.#endTimer !== undefined || this.#context.isPending(this.#request.id)) return
    const end = (): void => this.abort(closedError('the request is over'))
    this.#endTimer = unrefTimer(setTimeout(end, END_STREAM_MS))
  }

  async #continue(error: unknown): Promise<void> {
    const { calls, fail } = this.#context
    try {
      if (await this.#recover(error)) return
    } catch (reason) {
      fail(this.#request, reason)
    }
    calls.delete(this.#request.id)
  }

  /** Whether the request was sent again. */
  async #recover(error: unknown): Promise<boolean> {
    const { recover } = await loadDeferredHttp()
    const isToBeSent = await recover({
      context: this.#context,
      request: this.#request,
      post: this.#post,
      sessionId: this.#sessionId,
      error,
      refusal: this.#refusal,
      cursor: this.#cursor,
      retries: this.#retries++,
      onStart: (exchange) => {
        this.#exchange = exchange
      },
    })
    if (isToBeSent) this.send()
    return isToBeSent
  }
}

/** Without a session the server keeps nothing for a later stream, and closing the connection cancels the request. */
export function isSessionless(options: WireOptions | undefined): boolean {
  return options?.[wire]?.headers !== undefined
}
