import { isJsonObject } from '../../jsonrpc/json.ts'
import type { McpTransport } from '../../jsonrpc/transport.ts'

/** The state of a session that a new one must restore: the log level and the resource subscriptions. */
export class SessionState {
  #level: unknown
  readonly #resources = new Set<unknown>()

  /** Records a successful request if it changed the state of the session. */
  record(method: string, params: unknown): void {
    const { uri, level } = isJsonObject(params) ? params : {}
    if (method === 'resources/subscribe') this.#resources.add(uri)
    else if (method === 'resources/unsubscribe') this.#resources.delete(uri)
    else if (method === 'logging/setLevel') this.#level = level
  }

  /** Restores everything, even if a part fails. Rejects with the first failure. */
  async restore(transport: McpTransport): Promise<void> {
    const level = this.#level
    const tellings = [...this.#resources].map((uri) => transport.request('resources/subscribe', { uri }))
    if (level !== undefined) tellings.push(transport.request('logging/setLevel', { level }))
    await Promise.all(tellings)
  }
}
