import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import { closedError, type JsonRpcMessage } from '../../jsonrpc/jsonrpc.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import { DEFAULT_MAX_MESSAGE_BYTES, type HttpTransportConfig } from '../http/http-transport.ts'
import { httpOnDemand } from '../http/load-deferred.ts'
import type { SseLink } from './sse-link.ts'

/**
 * A link to a server that is known to speak HTTP with events, the transport of 2024-11-05. `HttpTransport` finds such
 * servers by itself, at the price of one refused request.
 */
export class SseTransport extends BaseJsonRpcTransport {
  readonly #config: HttpTransportConfig
  readonly #lifetime = new AbortController()
  #link: SseLink | undefined

  constructor(config: HttpTransportConfig) {
    super()
    this.#config = config
  }

  /** Opens the server's stream; rejects when the server has none. */
  async start(): Promise<void> {
    const { openSseLink } = await httpOnDemand()
    this.#link = await openSseLink(this.#config, {
      maxBytes: this.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      signal: this.#lifetime.signal,
      receive: (message, callId) => this.receive(message, callId),
      isPending: (id) => this.isPending(id),
      setPaused: (id, isHeldUp) => this.holdUp(id, isHeldUp),
      failCall: (id, reason) => this.failCall(id, reason),
      warn: (warning) => this.warn(warning),
      lose: (reason) => this.lose(reason),
    })
  }

  setProtocolVersion(version: string): void {
    this.#link?.setProtocolVersion(version)
  }

  async close(): Promise<void> {
    this.finish()
    this.#lifetime.abort()
  }

  protected override sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> {
    if (this.#link === undefined) throw closedError('the transport is not started; call start() first')
    return this.#link.post(message, options?.headers)
  }
}
