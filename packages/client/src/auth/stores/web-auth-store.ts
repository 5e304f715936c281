import { isJsonObject, parseJson } from '../../jsonrpc/json.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { leaseQueue, authKeyName } from './lease-queue.ts'
import { isExpiredFlow } from './memory-auth-store.ts'
import type { AuthKey, AuthStore, LeaseOptions, PendingFlow } from './auth-store.ts'

/** The part of the browser's `Storage` that is used, such as `sessionStorage`. */
export interface WebStorage {
  /** The number of stored values. */
  readonly length: number
  /** The name of a value by its index. */
  key(index: number): string | null
  /** Reads a value. */
  getItem(name: string): string | null
  /** Writes a value; throws if the storage is full. */
  setItem(name: string, value: string): void
  /** Removes a value. */
  removeItem(name: string): void
}

/** Options of {@link webAuthStore}. */
export interface WebAuthStoreOptions {
  /** The prefix of all storage keys. Default: `toolbridge-auth:`. */
  readonly prefix?: string
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * A store in the storage of a web page, which survives reloads: `sessionStorage` for one tab, `localStorage` for all tabs.
 * Every script of the page can read it.
 */
export function webAuthStore(storage: WebStorage, options: WebAuthStoreOptions = {}): AuthStore {
  const { prefix = 'toolbridge-auth:', now = Date.now } = options
  const kept = new StoredValues(storage, prefix)
  const flowName = (state: string): string => `flow ${state}`
  const serverName = (...parts: readonly string[]): string => `server ${JSON.stringify(parts)}`
  const tokenName = (key: AuthKey): string => `tokens ${authKeyName(key)}`
  return {
    clientInformation: async (issuer) => kept.read(`client ${issuer}`),
    saveClientInformation: async (issuer, client) => kept.write(`client ${issuer}`, client),
    tokens: async (key) => kept.read(tokenName(key)),
    saveTokens: (key, record, expectedVersion) =>
      exclusively(`${prefix}write`, async () => {
        const stored = kept.read<typeof record>(tokenName(key))
        if (stored?.version !== expectedVersion) return false
        kept.write(tokenName(key), record)
        return true
      }),
    lease: webLeases(prefix),
    async saveFlow(flow) {
      kept.removeFlows((old) => isExpiredFlow(old, now()))
      kept.write(flowName(flow.state), flow)
    },
    async takeFlow(state) {
      const flow = kept.read<PendingFlow>(flowName(state))
      kept.write(flowName(state), undefined)
      return flow === undefined || isExpiredFlow(flow, now()) ? undefined : flow
    },
    knownServer: async (serverUrl, principal) => kept.read(serverName(serverUrl, principal)),
    saveKnownServer: async (serverUrl, principal, known) =>
      kept.write(serverName(serverUrl, principal), known),
  }
}

/** JSON values under prefixed keys. */
class StoredValues {
  readonly #storage: WebStorage
  readonly #prefix: string

  constructor(storage: WebStorage, prefix: string) {
    this.#storage = storage
    this.#prefix = prefix
  }

  read<T extends object>(name: string): T | undefined {
    const text = this.#storage.getItem(this.#prefix + name)
    if (text === null) return undefined
    const value = parseJson(text)
    if (!isJsonObject(value)) throw storageFailed('contains an invalid value')
    // Only this class writes under these keys, and only values of this type.
    return value as T
  }

  write(name: string, value: object | undefined): void {
    if (value === undefined) return this.#storage.removeItem(this.#prefix + name)
    try {
      this.#storage.setItem(this.#prefix + name, JSON.stringify(value))
    } catch {
      throw storageFailed('is full')
    }
  }

  removeFlows(isUnwanted: (flow: PendingFlow) => boolean): void {
    const names = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '')
    for (const name of names.filter((each) => each.startsWith(`${this.#prefix}flow `))) {
      const flow = this.read<PendingFlow>(name.slice(this.#prefix.length))
      if (flow !== undefined && isUnwanted(flow)) this.#storage.removeItem(name)
    }
  }
}

interface Locks {
  request<T>(name: string, options: LeaseOptions, work: () => Promise<T>): Promise<T>
}

/** Exclusive among all tabs if the browser has locks, as on secure pages; else within this page. */
function webLeases(prefix: string): AuthStore['lease'] {
  const queue = leaseQueue()
  return (key, work, options = {}) =>
    queue(key, () => exclusively(`${prefix}${authKeyName(key)}`, work, options), options)
}

async function exclusively<T>(name: string, work: () => Promise<T>, options: LeaseOptions = {}): Promise<T> {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Locks } }
  return navigator?.locks === undefined ? work() : navigator.locks.request(name, options, work)
}

function storageFailed(what: string): McpAuthError {
  return new McpAuthError(`the storage of the page ${what}`, {
    code: 'storage_failed',
    stage: 'storage',
    fix: 'free space in the storage of the page, or clear it and sign in again',
  })
}
