import { closedError, McpError } from '../jsonrpc/jsonrpc.ts'
import type { BodySink } from './body-sinks.ts'
import type { SendFailure, SenderRequest, HttpSender, ResponseHead, ResponseReceiver } from './http-sender.ts'
import { unreachableError } from './http-errors.ts'
import { httpOnDemand } from '../transports/http/load-deferred.ts'

/** Where a request goes, and what brings it there. */
export interface Destination {
  readonly url: URL
  readonly sender: HttpSender
}

/** A request that can be given up; its reader then hears the reason, unless it was done before. */
export interface Abortable {
  abort(reason: unknown): void
}

/** Reads one response. */
export interface ResponseReader {
  /** Looks at the head and says who takes the body; throwing refuses the response. */
  open(head: ResponseHead): BodySink
  /** Called once: the response was read to its end, or it failed, was refused or given up for the reason given. */
  done(error?: unknown): void
  /** The request waits for credentials, or does no more: until then nothing can be expected of the server. */
  onPaused?(isHeldUp: boolean): void
}

const MAX_REDIRECTS = 5

/**
 * A request under way. Follows the redirects that the policy allows, and sends a request again, once, that went down
 * with a connection kept too long, if nothing can have come of it.
 */
export class HttpExchange implements ResponseReceiver, Abortable {
  readonly #request: SenderRequest
  readonly #routeTo: (url: URL) => Destination
  #route: Destination
  #reader: ResponseReader | undefined
  #sink: BodySink | undefined
  #giveUp: (() => void) | undefined
  #redirects = 0
  #isRepeated = false

  constructor(
    route: Destination,
    request: SenderRequest,
    reader: ResponseReader,
    routeTo: (url: URL) => Destination,
  ) {
    this.#route = route
    this.#request = request
    this.#reader = reader
    this.#routeTo = routeTo
    this.#giveUp = route.sender.send(route.url, request, this)
  }

  abort(reason: unknown): void {
    this.#giveUp?.()
    this.#finish(reason)
  }

  onHead(head: ResponseHead): void {
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
    const isUntouched = failure.effect === 'none' || this.#request.mayRepeat
    if (this.#sink !== undefined) return this.#finish(cutOff(this.#route.url))
    if (failure.cause instanceof McpError) return this.#finish(failure.cause)
    if (!failure.wasReused || this.#isRepeated || !isUntouched) {
      return this.#finish(unreachableError(this.#route.url, failure))
    }
    this.#isRepeated = true
    this.#send()
  }

  async #follow(head: ResponseHead): Promise<void> {
    // The rest of this response is of no interest, whatever becomes of the redirect.
    this.#giveUp?.()
    this.#giveUp = undefined
    try {
      const { redirectTarget } = await httpOnDemand()
      const isTooMany = ++this.#redirects > MAX_REDIRECTS
      const target = redirectTarget(this.#route.url, this.#request.method, head, isTooMany)
      if (this.#reader === undefined) return
      this.#route = this.#routeTo(target)
      this.#send()
    } catch (error) {
      this.abort(error)
    }
  }

  #send(): void {
    const { sender: carrier, url } = this.#route
    this.#giveUp = carrier.send(url, this.#request, this)
  }

  /**
   * Lets go of everything. A Map keeps the entries of its outgrown tables until a full collection, and with them whole
   * requests and responses if an exchange held on to them: that was a third of a call's time.
   */
  #finish(error?: unknown): void {
    const reader = this.#reader
    this.#reader = this.#sink = this.#giveUp = undefined
    reader?.done(error)
  }
}

/** Whether a response sends the client elsewhere. A browser shows a redirect that it did not follow as status 0. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

function cutOff(url: URL): McpError {
  return closedError(`the connection to ${url.origin} broke during an answer`, {
    effect: 'unknown',
  })
}
