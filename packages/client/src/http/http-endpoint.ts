import type { McpAuthorization } from './mcp-authorization.ts'
import { closedError, McpError } from '../jsonrpc/jsonrpc.ts'
import { loadDeferredHttp } from '../loading/load-deferred-http.ts'
import { selectFetch } from '../network/select-fetch.ts'
import { parsedUrl } from '../text/parsed-url.ts'
import type { AuthorizedExchange } from './authorized-exchange.ts'
import type { BodySink } from './body-sinks.ts'
import { unreachableError } from './http-errors.ts'
import { callerHeaders, type HttpHeaders } from './http-headers.ts'
import type {
  HttpResponseHead,
  HttpSender,
  ResponseReceiver,
  SenderRequest,
  SendFailure,
} from './http-sender.ts'
import { createSenderFactory, type SenderFactory, type SenderOptions } from './sender-factory.ts'

/** Options of one HTTP endpoint. */
export interface HttpEndpointConfig extends SenderOptions {
  /** URL of the server, with the scheme `http` or `https` and without credentials. */
  readonly url: string
  /** Headers of every request. They cannot override the headers of the protocol. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Provides the credentials of each request, which override those in `headers`. Default: none. */
  readonly authorization?: McpAuthorization
}

/** One request to an endpoint. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** The protocol's headers of this request, in addition to those of every request. */
  readonly headers?: HttpHeaders | undefined
  /** The caller's headers of this request. */
  readonly extraHeaders?: HttpHeaders | undefined
  readonly body?: string
  /** Whether sending it twice has the same effect as sending it once, or the JSON-RPC method that tells. */
  readonly mayRepeat: boolean | string
}

/** A request in progress. `abort` passes the reason to its reader, unless the request is done. */
export interface Abortable {
  abort(reason: unknown): void
}

/** Reads one response. */
export interface ResponseReader {
  /** Returns the sink for the body. Throwing rejects the response. */
  open(head: HttpResponseHead): BodySink
  /** Called once, with the reason if the request failed, was rejected by `open`, or was aborted. */
  done(error?: unknown): void
  /** The request starts or stops waiting for credentials. While it waits, timeouts must not run. */
  onPaused?(isPaused: boolean): void
}

/** A URL and the sender that reaches it. */
interface Destination {
  readonly url: URL
  readonly sender: HttpSender
}

/** The response to a POST is JSON or an event stream. */
const POST_HEADERS: HttpHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

/** Sends requests to one URL, with the headers of the current session and revision. */
export class HttpEndpoint {
  readonly url: URL
  readonly #headers: HttpHeaders
  readonly #senderOptions: SenderOptions
  readonly #authorization: McpAuthorization | undefined
  #Authorized: typeof AuthorizedExchange | undefined
  #createSender: SenderFactory = throwNotStarted
  readonly #destinationOf = (url: URL): Destination => ({ url, sender: this.#senderTo(url) })
  #destination: Destination | undefined
  /** For a server that redirects from http to https. */
  #secureSender: HttpSender | undefined
  #sessionId: string | undefined
  #protocolVersion: string | undefined
  /** Headers of most messages, built once per credentials. */
  #postHeaders: HttpHeaders | undefined
  #postCredentials: HttpHeaders | undefined

  /** Throws a `TypeError` for an invalid URL or header. */
  constructor(config: HttpEndpointConfig) {
    this.url = parseUrl(config.url)
    this.#headers = callerHeaders(config.headers)
    this.#authorization = config.authorization
    this.#senderOptions = config
    selectFetch(config)
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  /** Assigned by the server in its answer to `initialize`. It is a secret. */
  set sessionId(sessionId: string | undefined) {
    this.#sessionId = sessionId
    this.#postHeaders = undefined
  }

  set protocolVersion(version: string | undefined) {
    this.#protocolVersion = version
    this.#postHeaders = undefined
  }

  /** Removes the session and the revision from later requests. */
  forgetSession(): void {
    this.sessionId = undefined
    this.protocolVersion = undefined
  }

  /** Prepares for sending; sends nothing. `warn` receives what the guard cannot check. */
  async open(warn: (warning: McpError) => void): Promise<void> {
    this.#createSender = await createSenderFactory(this.#senderOptions, warn)
    // Most servers need no credentials, or have them in `headers`.
    if (this.#authorization !== undefined) this.#Authorized = (await loadDeferredHttp()).AuthorizedExchange
    this.#destination ??= { url: this.url, sender: this.#createSender(this.url) }
  }

  send(request: HttpRequest, reader: ResponseReader): Abortable {
    if (this.#authorization === undefined || this.#Authorized === undefined)
      return this.#startExchange(request, reader)
    const target = { method: request.method, url: this.url.href }
    const exchange = new this.#Authorized(this.#authorization, target, reader, (credentials, authorized) =>
      this.#startExchange(request, authorized, credentials),
    )
    exchange.start()
    return exchange
  }

  close(): void {
    this.#destination?.sender.close()
    this.#secureSender?.close()
  }

  #startExchange(request: HttpRequest, reader: ResponseReader, credentials?: HttpHeaders): HttpExchange {
    if (this.#destination === undefined) return throwNotStarted()
    const { method, body, mayRepeat } = request
    const headers = this.#headersOf(request, credentials)
    const sent = { method, headers, body, mayRepeat }
    const exchange = new HttpExchange(this.#destination, sent, reader, this.#destinationOf)
    exchange.start()
    return exchange
  }

  /** Redirects stay on one hostname, so at most one more sender is needed. */
  #senderTo(url: URL): HttpSender {
    if (this.#destination !== undefined && url.origin === this.url.origin) return this.#destination.sender
    this.#secureSender ??= this.#createSender(url)
    return this.#secureSender
  }

  #headersOf(
    { method, headers, extraHeaders }: HttpRequest,
    credentials: HttpHeaders | undefined,
  ): HttpHeaders {
    if (method !== 'POST' || headers !== undefined || extraHeaders !== undefined) {
      const own = method === 'POST' ? { ...POST_HEADERS, ...headers } : headers
      return this.#join(own, extraHeaders, credentials)
    }
    if (this.#postCredentials !== credentials) this.#postHeaders = undefined
    this.#postCredentials = credentials
    this.#postHeaders ??= this.#join(POST_HEADERS, undefined, credentials)
    return this.#postHeaders
  }

  #join(
    own: HttpHeaders | undefined,
    extra: HttpHeaders | undefined,
    credentials: HttpHeaders | undefined,
  ): HttpHeaders {
    return {
      ...this.#headers,
      ...callerHeaders(extra),
      ...credentials,
      ...own,
      ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
      ...(this.#protocolVersion === undefined ? {} : { 'mcp-protocol-version': this.#protocolVersion }),
    }
  }
}

const MAX_REDIRECTS = 5

/**
 * One request and its response. Follows allowed redirects, and repeats a request once that failed on a reused
 * connection, if it had no effect or may be repeated.
 */
class HttpExchange implements ResponseReceiver, Abortable {
  readonly #request: SenderRequest
  readonly #destinationOf: (url: URL) => Destination
  #destination: Destination
  #reader: ResponseReader | undefined
  #sink: BodySink | undefined
  #cancel: (() => void) | undefined
  #redirects = 0
  #isRepeated = false

  constructor(
    destination: Destination,
    request: SenderRequest,
    reader: ResponseReader,
    destinationOf: (url: URL) => Destination,
  ) {
    this.#destination = destination
    this.#request = request
    this.#reader = reader
    this.#destinationOf = destinationOf
  }

  start(): void {
    const { sender, url } = this.#destination
    this.#cancel = sender.send(url, this.#request, this)
  }

  abort(reason: unknown): void {
    this.#cancel?.()
    this.#finish(reason)
  }

  onHead(head: HttpResponseHead): void {
    try {
      if (isRedirect(head.status)) void this.#follow(head)
      else this.#sink = this.#reader?.open(head)
    } catch (error) {
      this.abort(error)
    }
  }

  onChunk(bytes: Uint8Array): void {
    try {
      this.#sink?.push(bytes)
    } catch (error) {
      this.abort(error)
    }
  }

  onEnd(): void {
    try {
      this.#sink?.end()
    } catch (error) {
      return this.abort(error)
    }
    this.#finish()
  }

  onError(failure: SendFailure): void {
    if (this.#sink !== undefined) return this.#finish(brokenResponse(this.#destination.url))
    if (failure.cause instanceof McpError) return this.#finish(failure.cause)
    if (failure.isToBeRepeated !== true || this.#isRepeated) {
      return this.#finish(unreachableError(this.#destination.url, failure))
    }
    this.#isRepeated = true
    this.start()
  }

  async #follow(head: HttpResponseHead): Promise<void> {
    // The body of a redirect is not read.
    this.#cancel?.()
    this.#cancel = undefined
    try {
      const { redirectTarget } = await loadDeferredHttp()
      const isTooMany = ++this.#redirects > MAX_REDIRECTS
      const target = redirectTarget(this.#destination.url, this.#request.method, head, isTooMany)
      if (this.#reader === undefined) return
      this.#destination = this.#destinationOf(target)
      this.start()
    } catch (error) {
      this.abort(error)
    }
  }

  /**
   * Drops all references. A Map keeps the entries of its outgrown tables until a full collection; if an exchange kept
   * its request and response, those took a third of the time of a call.
   */
  #finish(error?: unknown): void {
    const reader = this.#reader
    this.#reader = this.#sink = this.#cancel = undefined
    reader?.done(error)
  }
}

/** A browser reports a redirect that it did not follow as status 0. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

function brokenResponse(url: URL): McpError {
  return closedError(`the connection to ${url.origin} broke during an answer`, { effect: 'unknown' })
}

function throwNotStarted(): never {
  throw closedError('not started')
}

function parseUrl(text: string): URL {
  const url = parsedUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('the URL must be http or https')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials belong in a header, not in a URL')
  }
  return url
}
