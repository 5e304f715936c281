import type { McpAuthorization } from './mcp-authorization.ts'
import type { BodySink } from './body-sinks.ts'
import type { ResponseHead } from './http-sender.ts'
import type { ResponseReader, Abortable } from './http-exchange.ts'
import type { HttpHeaders } from './http-headers.ts'

/** Sends one request with the given credentials. */
export type SendWith = (credentials: HttpHeaders, reader: ResponseReader) => Abortable

/** Of a refusal's body nothing is used, so that a long one is not waited for. */
const MAX_REFUSAL_BYTES = 64 * 1024

/**
 * A request under way that carries credentials. When the server refuses them, whoever gives them is asked for others
 * and the request is sent again, once for each reason to refuse it.
 */
export class AuthorizedExchange implements Abortable, ResponseReader {
  readonly #authorization: McpAuthorization
  readonly #request: { readonly method: string; readonly url: string }
  readonly #send: SendWith
  readonly #reasons = new Set<string>()
  #reader: ResponseReader | undefined
  #exchange: Abortable | undefined
  #credentials: HttpHeaders = {}
  #refusal: ResponseHead | undefined
  #asking: AbortController | undefined

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
    this.#begin()
  }

  abort(reason: unknown): void {
    this.#refusal = undefined
    this.#asking?.abort(reason)
    if (this.#exchange === undefined) this.#finish(reason)
    else this.#exchange.abort(reason)
  }

  open(head: ResponseHead): BodySink {
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
    else void this.#ask(refusal)
  }

  #begin(): void {
    const credentials = this.#authorization.headersFor(this.#request)
    if (!(credentials instanceof Promise)) return this.#sendWith(credentials)
    credentials.then(
      (headers) => this.#sendWith(headers),
      (error: unknown) => this.#finish(error),
    )
  }

  #sendWith(credentials: HttpHeaders): void {
    if (this.#reader === undefined) return
    this.#credentials = credentials
    this.#exchange = this.#send(credentials, this)
  }

  #isNewRefusal(head: ResponseHead): boolean {
    if (head.status !== 401 && head.status !== 403) return false
    const reason = reasonOf(head)
    const isNew = !this.#reasons.has(reason)
    this.#reasons.add(reason)
    return isNew
  }

  async #ask(head: ResponseHead): Promise<void> {
    this.#asking = new AbortController()
    this.#reader?.onPaused?.(true)
    const status = head.status === 403 ? 403 : 401
    const header = (name: string): string | undefined => head.header(name)
    const refusal = { status, header, request: this.#request, sent: this.#credentials } as const
    try {
      const isWorthwhile = await this.#authorization.onRefused(refusal, { signal: this.#asking.signal })
      this.#reader?.onPaused?.(false)
      if (isWorthwhile && this.#reader !== undefined) this.#begin()
      else this.#surface(head)
    } catch (error) {
      this.#surface(head, error)
    }
  }

  /** The reader sees the refusal as it was, and the better reason if there is one. */
  #surface(head: ResponseHead, reason?: unknown): void {
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

function openWith(reader: ResponseReader | undefined, head: ResponseHead): BodySink {
  return reader?.open(head) ?? shortBody()
}

/** A nonce that was missing says nothing about the token that it came with. */
function reasonOf(head: ResponseHead): string {
  const isAboutNonce = /\buse_dpop_nonce\b/.test(head.header('www-authenticate') ?? '')
  return isAboutNonce ? 'nonce' : String(head.status)
}

function shortBody(): BodySink {
  let size = 0
  return {
    push(bytes) {
      size += bytes.length
      if (size > MAX_REFUSAL_BYTES) throw new Error('the body of the refusal is not read to its end')
    },
    end: () => undefined,
  }
}
