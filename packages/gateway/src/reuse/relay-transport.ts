import type { IncomingMcpHandlers, McpTransport, RequestOptions } from '@toolbridge/client'
import { OrderedHttpTransport } from '@toolbridge/client/internal'
import { originalError } from './relayed-error.ts'

/** Connects to a server that a gateway of the same user runs. Its errors are those of the server. */
export class RelayTransport implements McpTransport {
  readonly usesHttp = true
  readonly #http: OrderedHttpTransport

  constructor(url: string, token: string) {
    this.#http = new OrderedHttpTransport({
      url,
      headers: { authorization: `Bearer ${token}` },
      proxy: false,
    })
  }

  start(): Promise<void> {
    return this.#http.start()
  }

  async request(method: string, params?: object, options?: RequestOptions): Promise<unknown> {
    try {
      return await this.#http.request(method, params, options)
    } catch (error) {
      throw originalError(error)
    }
  }

  notify(method: string, params?: object): Promise<void> {
    return this.#http.notify(method, params)
  }

  setHandlers(handlers: IncomingMcpHandlers): void {
    this.#http.setHandlers(handlers)
  }

  setProtocolVersion(version: string): void {
    this.#http.setProtocolVersion(version)
  }

  close(): Promise<void> {
    return this.#http.close()
  }
}
