import { BaseJsonRpcTransport } from '../../jsonrpc/base-transport.ts'
import { closedError, type JsonRpcMessage } from '../../jsonrpc/jsonrpc.ts'
import type { WireOptions } from '../../jsonrpc/wire-options.ts'
import { loadDeferredHttp } from '../../loading/load-deferred-http.ts'
import type { HttpTransportConfig } from '../http-transport-config.ts'
import { DEFAULT_MAX_MESSAGE_BYTES } from '../messages/max-message-bytes.ts'
import type { SseLink } from './sse-link.ts'

/**
 * Connects to a server over the HTTP+SSE transport of 2024-11-05. `HttpTransport` detects such servers too, at the cost
 * of one refused request.
 */
export class SseTransport extends BaseJsonRpcTransport {
  readonly #config: HttpTransportConfig
  readonly #lifetime = new AbortController()
  #link: SseLink | undefined

  constructor(config: HttpTransportConfig) {
    super()
    this.#config = config
  }

  /** Opens the server's stream. Rejects if the server has none. */
  async start(): Promise<void> {
    const { openSseLink } = await loadDeferredHttp()
    this.#link = await openSseLink(this.#config, {
      maxBytes: this.#config.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES,
      signal: this.#lifetime.signal,
      receive: (message, callId, text) => this.receive(message, callId, text),
      isPending: (id) => this.isPending(id),
      setPaused: (id, isPaused) => this.setPaused(id, isPaused),
      failCall: (id, reason) => this.failCall(id, reason),
      warn: (warning) => this.warn(warning),
      lose: (reason) => this.lose(reason),
    })
  }

  /** Sets the revision that later requests name in their header. */
  setProtocolVersion(version: string): void {
    this.#link?.setProtocolVersion(version)
  }

  /** Aborts what is in flight and closes the stream. */
  async close(): Promise<void> {
    this.finish()
    this.#lifetime.abort()
  }

  protected override sendMessage(message: JsonRpcMessage, options?: WireOptions): Promise<void> {
    if (this.#link === undefined) throw closedError('the transport is not started; call start() first')
    return this.#link.post(message, options?.headers)
  }
}
