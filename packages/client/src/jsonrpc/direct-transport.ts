import type { McpTransport, RequestOptions } from './transport.ts'

/** Key of the method that sends a request without making a promise. Users cannot reach it. */
export const sendDirect: unique symbol = Symbol('sendDirect')

/** A transport that can send a request without making a promise, which costs several percent of a call. */
export interface DirectTransport extends McpTransport {
  /**
   * Does the same as `request`. Calls `resolve` or `reject` once, possibly before it returns; neither may throw. The
   * result may be a promise. The transport calls its handlers as methods of the object it was given, and calls
   * `onRefused` for a request that the server refused.
   */
  [sendDirect](
    method: string,
    params: object | undefined,
    options: RequestOptions,
    resolve: (result: unknown) => void,
    reject: (reason: unknown) => void,
  ): void
}

export function isDirect(transport: McpTransport): transport is DirectTransport {
  return sendDirect in transport
}
