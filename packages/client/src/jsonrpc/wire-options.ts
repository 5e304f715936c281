import type { RequestOptions } from './transport.ts'

/** Key of options that a codec passes to the transport. Users cannot set them. */
export const wire: unique symbol = Symbol()

/** Options of a request that the codec sets. */
export interface Wire {
  /** Id of the request. Default: the next number. */
  readonly id?: string
  /** The protocol's HTTP headers, names in lower case. Set for requests of the modern era, which have no session. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Never cancelled on the server, which may not know the method. */
  readonly isProbe?: boolean
}

/** Options of a request as transports receive them. */
export interface WireOptions extends RequestOptions {
  readonly [wire]?: Wire
}

/** Returned by a handler to leave a request of the server unanswered. */
export const unanswered: unique symbol = Symbol()
