import type { RequestOptions } from './transport.ts'

/** The key under which a codec tells the transport what the host has no say in. Not exported to hosts. */
export const wire: unique symbol = Symbol()

/** How one request travels, beyond what its sender asked for. */
export interface Wire {
  /** An id of its own instead of the next number. */
  readonly id?: string
  /** The protocol's HTTP headers of this request, names in lower case. A request that has them follows the rules of the era without sessions. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Given up without a word to the server, which may not understand it. */
  readonly isProbe?: boolean
}

/** A request's options as transports see them. */
export interface WireOptions extends RequestOptions {
  readonly [wire]?: Wire
}

/** What a handler returns to leave a request of the server unanswered. */
export const unanswered: unique symbol = Symbol()
