import { closedError, McpError } from '../jsonrpc/jsonrpc.ts'
import type { BodySink } from './body-sinks.ts'
import type {
  CarrierFailure,
  CarrierRequest,
  HttpCarrier,
  ResponseHead,
  ResponseReceiver,
} from './http-sender.ts'
import { unreachableError } from './http-errors.ts'
import { httpOnDemand } from '../transports/http/load-deferred.ts'

/** Where a request goes, and what brings it there. */
export interface Route {
  readonly url: URL
  readonly carrier: HttpCarrier
}

/** A request that can be given up; its reader then hears the reason, unless it was done before. */
export interface UnderWay {
  abort(reason: unknown): void
}

/** Reads one response. */
export interface ResponseReader {
  /** Looks at the head and says who takes the body; throwing refuses the response. */
  open(head: ResponseHead): BodySink
  /** Called once: the response was read to its end, or it failed, was refused or given up for the reason given. */
  done(error?: unknown): void
  /** The request waits for credentials, or does no more: until then nothing can be expected of the server. */
  heldUp?(isHeldUp: boolean): void
}

const MAX_REDIRECTS = 5

/**
 * A request under way. Follows the redirects that the policy allows, and sends a request again, once, that went down
 * with a connection kept too long, if nothing can have come of it.
 */
export class Exchange implements ResponseReceiver, UnderWay {
  readonly #request: CarrierRequest
  readonly #routeTo: (url: URL) => Route
  #route: Route
  #reader: ResponseReader | undefined
  #sink: BodySink | undefined
  #giveUp: (() => void) | undefined
  #redirects = 0
  #isRepeated = false

  constructor(route: Route, request: CarrierRequest, reader: ResponseReader, routeTo: (url: URL) => Route) {
    this.#route = route
    this.#request = request
    this.#reader = reader
    this.#routeTo = routeTo
    this.#giveUp = route.carrier.send(route.url, request, this)
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

  onError(failure: CarrierFailure): void {
    const isUntouched = failure.effect === 'none' || this.#request.mayRepeat
    if (this.#sink !== undefined) return this.#finish(cutOff(this.#route.url))
    if (failure.cause instanceof McpError) return this.#finish(failure.cause)
    if (!failure.wasKept || this.#isRepeated || !isUntouched) {
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
    const { carrier, url } = this.#route
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
