import { closedError, type JsonRpcMessage, type McpError, type RequestId } from '../jsonrpc.ts'
import { hasNodeBuiltins } from '../node-builtins.ts'
import type { BodySink } from './body-sinks.ts'
import type { HttpCarrier, ResponseHead } from './carrier.ts'
import type { StreamCursor } from './event-stream.ts'
import { type Exchange, startExchange } from './exchange.ts'
import { fetchCarrier } from './fetch-carrier.ts'
import { type Headers, ownHeaders } from './http-headers.ts'
import { nodeCarrier } from './node-carrier.ts'

export interface HttpWireConfig {
  readonly url: string
  /** Sent with every request; the protocol's own headers cannot be overridden. */
  readonly headers?: Readonly<Record<string, string>>
  /** Carries the requests instead of Node's own HTTP client. */
  readonly fetch?: typeof fetch
}

export interface WireRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** The protocol's headers of this request. */
  readonly headers: Headers
  /** The host's headers of this request. */
  readonly extraHeaders?: Headers | undefined
  readonly body?: string
}

/** What an exchange is known by: the id of the request it carries, or a name of its own. */
export type ExchangeKey = RequestId | symbol

/** Requests to one address, with the session and the revision they belong to. */
export class HttpWire {
  readonly url: URL
  readonly #headers: Headers
  readonly #fetch: typeof fetch | undefined
  readonly #exchanges = new Map<ExchangeKey, Exchange>()
  #carrier: HttpCarrier | undefined

  sessionId: string | undefined
  protocolVersion: string | undefined

  /** Throws a `TypeError` for an address or a header that cannot be used. */
  constructor(config: HttpWireConfig) {
    this.url = parseUrl(config.url)
    this.#headers = ownHeaders(config.headers)
    this.#fetch = config.fetch ?? (hasNodeBuiltins() ? undefined : fetch)
  }

  open(): void {
    this.#carrier ??= this.#fetch === undefined ? nodeCarrier(this.url) : fetchCarrier(this.url, this.#fetch)
  }

  /** Resolves when the response was read to its end. `open` says who reads it; throwing refuses it. */
  async send(key: ExchangeKey, request: WireRequest, open: (head: ResponseHead) => BodySink): Promise<void> {
    if (this.#carrier === undefined) throw closedError('the transport is not started; call start() first')
    const { method, body } = request
    const headers = this.#headersOf(request)
    const carried = body === undefined ? { method, headers } : { method, headers, body }
    const exchange = startExchange(this.#carrier, this.url, carried, open)
    this.#exchanges.set(key, exchange)
    try {
      await exchange.done
    } finally {
      this.#exchanges.delete(key)
    }
  }

  get(key: ExchangeKey): Exchange | undefined {
    return this.#exchanges.get(key)
  }

  abortAll(reason: McpError): void {
    for (const exchange of this.#exchanges.values()) exchange.abort(reason)
  }

  close(): void {
    this.#carrier?.close()
  }

  #headersOf(request: WireRequest): Headers {
    return {
      ...this.#headers,
      ...ownHeaders(request.extraHeaders),
      ...request.headers,
      ...(this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId }),
      ...(this.protocolVersion === undefined ? {} : { 'mcp-protocol-version': this.protocolVersion }),
    }
  }
}

/** Brings one message, with the protocol's headers for it; the answer may be JSON or a stream of events. */
export function postOf(message: JsonRpcMessage, protocolHeaders?: Headers): WireRequest {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...protocolHeaders,
  }
  return { method: 'POST', headers, body: JSON.stringify(message) }
}

/** Asks for a stream of events, from where an earlier one broke off. */
export function streamRequest({ lastEventId }: StreamCursor): WireRequest {
  const from = lastEventId === undefined || lastEventId === '' ? {} : { 'last-event-id': lastEventId }
  return { method: 'GET', headers: { accept: 'text/event-stream', ...from } }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("a server's address must be an http or https URL")
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError("credentials do not belong in a server's address; send them in a header")
  }
  return url
}
