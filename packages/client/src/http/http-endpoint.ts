import type { McpAuthorization } from './mcp-authorization.ts'
import { selectFetch } from '../network/select-fetch.ts'
import { closedError, type McpError } from '../jsonrpc/jsonrpc.ts'
import type { HttpSender } from './http-sender.ts'
import { type SenderOptions, createSenderFactory, type SenderFactory } from './sender-factory.ts'
import type { AuthorizedExchange } from './authorized-exchange.ts'
import { HttpExchange, type ResponseReader, type Destination, type Abortable } from './http-exchange.ts'
import { type HttpHeaders, callerHeaders } from './http-headers.ts'
import { httpOnDemand } from '../transports/http/load-deferred.ts'

export interface HttpEndpointConfig extends SenderOptions {
  readonly url: string
  /** Sent with every request; the protocol's own headers cannot be overridden. */
  readonly headers?: Readonly<Record<string, string>>
  /** Gives each request its credentials, which win over those in `headers`. */
  readonly authorization?: McpAuthorization
}

export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** The protocol's headers of this request, beside those of every request. */
  readonly headers?: HttpHeaders | undefined
  /** The host's headers of this request. */
  readonly extraHeaders?: HttpHeaders | undefined
  readonly body?: string
  /** Doing it twice is the same as doing it once. */
  readonly mayRepeat: boolean
}

/** The answer to a message may be JSON or a stream of events. */
const POST_HEADERS: HttpHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

/** Requests to one address, with the session and the revision they belong to. */
export class HttpEndpoint {
  readonly url: URL
  readonly #headers: HttpHeaders
  readonly #carrierOptions: SenderOptions
  readonly #authorization: McpAuthorization | undefined
  #Authorized: typeof AuthorizedExchange | undefined
  #newCarrier: SenderFactory = notStarted
  readonly #routeTo = (url: URL): Destination => ({ url, sender: this.#carrierTo(url) })
  #route: Destination | undefined
  /** For a host that turned out to want TLS. */
  #secureCarrier: HttpSender | undefined
  #sessionId: string | undefined
  #protocolVersion: string | undefined
  /** The headers of most messages, made once for the same credentials. */
  #postHeaders: HttpHeaders | undefined
  #postCredentials: HttpHeaders | undefined

  /** Throws a `TypeError` for an address or a header that cannot be used. */
  constructor(config: HttpEndpointConfig) {
    this.url = parseUrl(config.url)
    this.#headers = callerHeaders(config.headers)
    this.#authorization = config.authorization
    this.#carrierOptions = config
    selectFetch(config)
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  /** Set by the server's answer to the handshake; it is a secret. */
  set sessionId(sessionId: string | undefined) {
    this.#sessionId = sessionId
    this.#postHeaders = undefined
  }

  set protocolVersion(version: string | undefined) {
    this.#protocolVersion = version
    this.#postHeaders = undefined
  }

  /** A new session begins as if there had been none. */
  forgetSession(): void {
    this.sessionId = undefined
    this.protocolVersion = undefined
  }

  /** Gets ready to send; nothing is sent yet. `warn` hears what the guard on connections cannot do. */
  async open(warn: (warning: McpError) => void): Promise<void> {
    this.#newCarrier = await createSenderFactory(this.#carrierOptions, warn)
    // Most servers want no credentials, or have them in `headers`.
    if (this.#authorization !== undefined) this.#Authorized = (await httpOnDemand()).AuthorizedExchange
    this.#route ??= { url: this.url, sender: this.#newCarrier(this.url) }
  }

  send(request: HttpRequest, reader: ResponseReader): Abortable {
    if (this.#authorization === undefined || this.#Authorized === undefined)
      return this.#send(request, reader)
    const target = { method: request.method, url: this.url.href }
    return new this.#Authorized(this.#authorization, target, reader, (credentials, authorized) =>
      this.#send(request, authorized, credentials),
    )
  }

  #send(request: HttpRequest, reader: ResponseReader, credentials?: HttpHeaders): HttpExchange {
    if (this.#route === undefined) return notStarted()
    const { method, body, mayRepeat } = request
    const headers = this.#headersOf(request, credentials)
    return new HttpExchange(this.#route, { method, headers, body, mayRepeat }, reader, this.#routeTo)
  }

  close(): void {
    this.#route?.sender.close()
    this.#secureCarrier?.close()
  }

  /** Redirects lead to the same host only, so there is at most one more carrier. */
  #carrierTo(url: URL): HttpSender {
    if (this.#route !== undefined && url.origin === this.url.origin) return this.#route.sender
    this.#secureCarrier ??= this.#newCarrier(url)
    return this.#secureCarrier
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

function notStarted(): never {
  throw closedError('not started: call start() first')
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("a server's address must be an http or https URL")
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('credentials belong in a header, not in an address')
  }
  return url
}
