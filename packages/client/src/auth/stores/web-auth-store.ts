import { isJsonObject } from '../../jsonrpc/json.ts'
import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { leaseQueue, authKeyName } from './lease-queue.ts'
import { isExpiredFlow } from './memory-auth-store.ts'
import type { AuthKey, AuthStore, LeaseOptions, PendingFlow } from './auth-store.ts'

/** The part of the browser's `Storage` that is used. */
export interface WebStorage {
  readonly length: number
  key(index: number): string | null
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/** How what a page keeps is named, and by which clock. */
export interface WebAuthStoreOptions {
  /** Begins the name of everything that is kept; `toolbridge-auth:` if left out. */
  readonly prefix?: string
  readonly now?: () => number
}

/**
 * Keeps what a page must not forget when it is loaded anew: in `sessionStorage` for one tab, in `localStorage` for all
 * tabs and until they are cleared. Any script of the page can read it.
 */
export function webAuthStore(storage: WebStorage, options: WebAuthStoreOptions = {}): AuthStore {
  const { prefix = 'toolbridge-auth:', now = Date.now } = options
  const kept = new KeptValues(storage, prefix)
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

/** Values as JSON under names that nothing else on the page uses. */
class KeptValues {
  readonly #storage: WebStorage
  readonly #prefix: string

  constructor(storage: WebStorage, prefix: string) {
    this.#storage = storage
    this.#prefix = prefix
  }

  read<T extends object>(name: string): T | undefined {
    const text = this.#storage.getItem(this.#prefix + name)
    if (text === null) return undefined
    const value = parsed(text)
    if (!isJsonObject(value)) throw storageFailed('holds something else than was written')
    // Only this class writes under these names, and only what has this type.
    return value as T
  }

  write(name: string, value: object | undefined): void {
    if (value === undefined) return this.#storage.removeItem(this.#prefix + name)
    try {
      this.#storage.setItem(this.#prefix + name, JSON.stringify(value))
    } catch {
      throw storageFailed('took no more')
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

/** Among all tabs where the browser has locks, which it has on secure pages; else within this page. */
function webLeases(prefix: string): AuthStore['lease'] {
  const queue = leaseQueue()
  return (key, work, options = {}) =>
    queue(key, () => exclusively(`${prefix}${authKeyName(key)}`, work, options), options)
}

async function exclusively<T>(name: string, work: () => Promise<T>, options: LeaseOptions = {}): Promise<T> {
  const { navigator } = globalThis as { readonly navigator?: { readonly locks?: Locks } }
  return navigator?.locks === undefined ? work() : navigator.locks.request(name, options, work)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function storageFailed(what: string): McpAuthError {
  return new McpAuthError(`the storage of the page ${what}`, {
    code: 'storage_failed',
    stage: 'storage',
    fix: 'make room in the storage of the page, or clear what is kept there and sign in again',
  })
}
