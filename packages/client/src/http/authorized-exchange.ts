import type { McpAuthorization } from './mcp-authorization.ts'
import type { BodySink } from './body-sinks.ts'
import type { Abortable, ResponseReader } from './http-endpoint.ts'
import type { HttpHeaders } from './http-headers.ts'
import type { HttpResponseHead } from './http-sender.ts'

/** Sends one request with the given credentials. */
export type SendWith = (credentials: HttpHeaders, reader: ResponseReader) => Abortable

/** The body of a refusal is not used; a longer one is cut off. */
const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * A request with credentials. When the server refuses them, the authorization provides new ones and the request is
 * sent again, once per reason for the refusal.
 */
export class AuthorizedExchange implements Abortable, ResponseReader {
  readonly #authorization: McpAuthorization
  readonly #request: { readonly method: string; readonly url: string }
  readonly #send: SendWith
  readonly #reasons = new Set<string>()
  #reader: ResponseReader | undefined
  #exchange: Abortable | undefined
  #credentials: HttpHeaders = {}
  #refusal: HttpResponseHead | undefined
  #renewal: AbortController | undefined

  constructor(
    authorization: McpAuthorization,
    request: { readonly method: string; readonly url: string },
    reader: ResponseReader,
    send: SendWith,
  ) {
    this.#authorization = authorization
    this.#request = request
    this.#reader = reader
    this.#send = send
  }

  start(): void {
    const credentials = this.#authorization.headersFor(this.#request)
    if (!(credentials instanceof Promise)) return this.#sendWith(credentials)
    credentials.then((headers) => this.#sendWith(headers)).catch((error: unknown) => this.#finish(error))
  }

  abort(reason: unknown): void {
    this.#refusal = undefined
    this.#renewal?.abort(reason)
    if (this.#exchange === undefined) this.#finish(reason)
    else this.#exchange.abort(reason)
  }

  open(head: HttpResponseHead): BodySink {
    const { url } = this.#request
    this.#authorization.onResponse?.({ url, status: head.status, header: (name) => head.header(name) })
    if (this.#reader === undefined || !this.#isNewRefusal(head)) return openWith(this.#reader, head)
    this.#refusal = head
    return shortBody()
  }

  done(error?: unknown): void {
    const refusal = this.#refusal
    this.#exchange = this.#refusal = undefined
    if (refusal === undefined) this.#finish(error)
    else void this.#renewCredentials(refusal)
  }

  #sendWith(credentials: HttpHeaders): void {
    if (this.#reader === undefined) return
    this.#credentials = credentials
    this.#exchange = this.#send(credentials, this)
  }

  #isNewRefusal(head: HttpResponseHead): boolean {
    if (head.status !== 401 && head.status !== 403) return false
    const reason = reasonOf(head)
    const isNew = !this.#reasons.has(reason)
    this.#reasons.add(reason)
    return isNew
  }

  async #renewCredentials(head: HttpResponseHead): Promise<void> {
    this.#renewal = new AbortController()
    this.#reader?.onPaused?.(true)
    const status = head.status === 403 ? 403 : 401
    const header = (name: string): string | undefined => head.header(name)
    const refusal = { status, header, request: this.#request, sent: this.#credentials } as const
    try {
      const isWorthwhile = await this.#authorization.onRefused(refusal, { signal: this.#renewal.signal })
      this.#reader?.onPaused?.(false)
      if (isWorthwhile && this.#reader !== undefined) this.start()
      else this.#surface(head)
    } catch (error) {
      this.#surface(head, error)
    }
  }

  /** Passes the refusal to the reader; `reason` overrides the error that the reader derives from it. */
  #surface(head: HttpResponseHead, reason?: unknown): void {
    try {
      openWith(this.#reader, head).end()
    } catch (error) {
      return this.#finish(reason ?? error)
    }
    this.#finish(reason)
  }

  #finish(error?: unknown): void {
    const reader = this.#reader
    this.#reader = this.#exchange = undefined
    reader?.done(error)
  }
}

function openWith(reader: ResponseReader | undefined, head: HttpResponseHead): BodySink {
  return reader?.open(head) ?? shortBody()
}

/** A missing DPoP nonce says nothing about the token that was sent with it. */
function reasonOf(head: HttpResponseHead): string {
  const isAboutNonce = /\buse_dpop_nonce\b/.test(head.header('www-authenticate') ?? '')
  return isAboutNonce ? 'nonce' : String(head.status)
}

function shortBody(): BodySink {
  let size = 0
  return {
    push(bytes) {
      size += bytes.length
      if (size > MAX_REFUSAL_BYTES) throw new Error('the body of the refusal is too long')
    },
    end: () => undefined,
  }
}
