import { loadDeferred } from '../../loading/load-deferred.ts'
import type { JsonObject } from '../../jsonrpc/json.ts'
import type { ResponseCache } from '../response-cache.ts'
import type { HostOptions } from '../codec.ts'

/** The host's cache, or one that is loaded with the first cacheable result. */
export class HintedCache {
  #cache: ResponseCache | undefined
  readonly #principal: string | undefined
  #changes = 0

  constructor({ responseCache, principal }: HostOptions) {
    this.#cache = responseCache
    // A cache of one client has one principal.
    this.#principal = responseCache === undefined ? 'own' : principal
  }

  async through(method: string, params: JsonObject, fetch: () => Promise<JsonObject>): Promise<JsonObject> {
    if (this.#cache !== undefined) return this.#cache.through(this.#principal, method, params, fetch)
    const changes = this.#changes
    const result = await fetch()
    if (typeof result['ttlMs'] !== 'number' || !(result['ttlMs'] > 0)) return result
    const { ResponseCache: Cache } = await loadDeferred()
    this.#cache ??= new Cache()
    if (changes === this.#changes) this.#cache.keep(this.#principal, method, params, result)
    return result
  }

  /** Invalidates the results that a notification of the server is about. */
  onNotification(method: string, params: unknown): void {
    this.#changes++
    this.#cache?.onNotification(method, params)
  }

  clear(): void {
    this.#changes++
    this.#cache?.clear()
  }
}
