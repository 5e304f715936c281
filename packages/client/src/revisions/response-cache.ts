import { isJsonObject, type JsonObject } from '../jsonrpc/json.ts'

/** Owner of public results. Not a valid principal. */
const EVERYBODY = null

type Owner = string | typeof EVERYBODY

const MAX_TTL_MS = 24 * 60 * 60 * 1_000
const MAX_ENTRIES = 1_000

const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
])

/** Results that a notification invalidates. */
const STALE_AFTER: Readonly<Record<string, readonly string[]>> = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
}

interface Entry {
  readonly method: string
  readonly uri: unknown
  readonly result: JsonObject
  readonly freshUntil: number
}

/**
 * Caches results that a server marks as cacheable. One per server; clients of several principals may share it, and each
 * sees its own and public results.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number
  #generation = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns a cached result, or calls `fetch` and caches its result. Without a principal only public results are cached. */
  async through(
    principal: string | undefined,
    method: string,
    params: JsonObject,
    fetch: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    if (!isCacheable(method, params)) return fetch()
    const known = this.#fresh(principal, method, params) ?? this.#fresh(EVERYBODY, method, params)
    if (known !== undefined) return known
    const generation = this.#generation
    const result = await fetch()
    // Invalidated while in flight.
    if (generation === this.#generation) this.keep(principal, method, params, result)
    return result
  }

  /** Stores a result if the server marks it as cacheable and the method can be cached. */
  keep(principal: string | undefined, method: string, params: JsonObject, result: JsonObject): void {
    const { ttlMs, cacheScope, resultType = 'complete' } = result
    const owner = cacheScope === 'public' ? EVERYBODY : principal
    if (owner === undefined || resultType !== 'complete' || !isCacheable(method, params)) return
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return
    const freshUntil = this.#now() + Math.min(ttlMs, MAX_TTL_MS)
    this.#entries.set(keyOf(owner, method, params), { method, uri: params['uri'], result, freshUntil })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Invalidates the results that a notification of the server is about. */
  onNotification(method: string, params: unknown): void {
    const uri =
      method === 'notifications/resources/updated' && isJsonObject(params) ? params['uri'] : undefined
    const methods = STALE_AFTER[method] ?? []
    if (uri === undefined && methods.length === 0) return
    this.#generation++
    for (const [key, entry] of this.#entries) {
      const isStale = methods.includes(entry.method) || (uri !== undefined && entry.uri === uri)
      if (isStale) this.#entries.delete(key)
    }
  }

  /** Removes all results, including those in flight. */
  clear(): void {
    this.#generation++
    this.#entries.clear()
  }

  #fresh(owner: Owner | undefined, method: string, params: JsonObject): JsonObject | undefined {
    if (owner === undefined) return undefined
    const key = keyOf(owner, method, params)
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#now() < entry.freshUntil) return entry?.result
    this.#entries.delete(key)
    return undefined
  }
}

/** A request with input responses or state is part of a dialogue and never repeated. */
function isCacheable(method: string, params: JsonObject): boolean {
  return (
    CACHEABLE.has(method) && params['inputResponses'] === undefined && params['requestState'] === undefined
  )
}

function keyOf(owner: Owner, method: string, { _meta, ...params }: JsonObject): string {
  return JSON.stringify([owner, method, params])
}
