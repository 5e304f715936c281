import { isJsonObject } from '../../jsonrpc/json.ts'
import type { McpTransport } from '../../jsonrpc/transport.ts'

/** What a session was told and a new one has to be told again: the log level and the resources subscribed to. */
export class SessionState {
  #level: unknown
  readonly #resources = new Set<unknown>()

  /** Takes note of a request that succeeded, if it left something behind in the session. */
  record(method: string, params: unknown): void {
    const { uri, level } = isJsonObject(params) ? params : {}
    if (method === 'resources/subscribe') this.#resources.add(uri)
    else if (method === 'resources/unsubscribe') this.#resources.delete(uri)
    else if (method === 'logging/setLevel') this.#level = level
  }

  /** Tells all of it again, each thing whatever becomes of the others; rejects with the first failure. */
  async restore(transport: McpTransport): Promise<void> {
    const level = this.#level
    const tellings = [...this.#resources].map((uri) => transport.request('resources/subscribe', { uri }))
    if (level !== undefined) tellings.push(transport.request('logging/setLevel', { level }))
    await Promise.all(tellings)
  }
}
