import { isJsonObject } from '../json.ts'
import type { McpTransport } from '../transport.ts'

const NOTEWORTHY: ReadonlySet<string> = new Set([
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
])

/** What a session was told and a new one has to be told again: the log level and the resources subscribed to. */
export class SessionMemory {
  #level: unknown
  readonly #resources = new Set<unknown>()

  /** Whether a request leaves something behind in the session. */
  isNoteworthy(method: string): boolean {
    return NOTEWORTHY.has(method)
  }

  /** Takes note of such a request that succeeded. */
  note(method: string, params: unknown): void {
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
