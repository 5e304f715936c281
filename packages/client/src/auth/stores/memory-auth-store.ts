import type { ClientInformation } from '../messages/oauth-documents.ts'
import { leaseQueue, authKeyName } from './lease-queue.ts'
import type { AuthStore, KnownServer, McpAuthProvider, PendingFlow, TokenRecord } from './auth-store.ts'

/** The members of a provider that do not belong to its store. */
export type AuthProviderOptions = Omit<McpAuthProvider, keyof AuthStore> & {
  /** A client that was registered by hand, and its issuer. Default: none. */
  readonly client?: ClientInformation & { readonly issuer: string }
}

/** The time limit of a sign-in. */
export const FLOW_LIFETIME_MS = 60 * 60_000

/** A provider that stores everything in memory. */
export function memoryAuthProvider(options: AuthProviderOptions): McpAuthProvider {
  return createAuthProvider(memoryAuthStore(), options)
}

/** Creates a provider from a store. A configured `client` takes precedence over a stored registration. */
export function createAuthProvider(
  store: AuthStore,
  { client, ...rest }: AuthProviderOptions,
): McpAuthProvider {
  return {
    ...rest,
    clientInformation: async (issuer) =>
      client?.issuer === issuer ? client : store.clientInformation(issuer),
    ...(store.saveClientInformation !== undefined && {
      saveClientInformation: async (issuer, information) =>
        store.saveClientInformation?.(issuer, information),
    }),
    tokens: (key) => store.tokens(key),
    saveTokens: (key, record, expectedVersion) => store.saveTokens(key, record, expectedVersion),
    lease: (key, work, options) => store.lease(key, work, options),
    saveFlow: (flow) => store.saveFlow(flow),
    takeFlow: (state) => store.takeFlow(state),
    knownServer: (serverUrl, principal) => store.knownServer(serverUrl, principal),
    saveKnownServer: (serverUrl, principal, known) => store.saveKnownServer(serverUrl, principal, known),
  }
}

/** A store in memory. `now` is the clock. Default: `Date.now`. */
export function memoryAuthStore(options: { readonly now?: () => number } = {}): AuthStore {
  const { now = Date.now } = options
  const clients = new Map<string, ClientInformation>()
  const records = new Map<string, TokenRecord>()
  const flows = new Map<string, PendingFlow>()
  const servers = new Map<string, KnownServer>()
  return {
    clientInformation: async (issuer) => clients.get(issuer),
    saveClientInformation: async (issuer, information) => put(clients, issuer, information),
    tokens: async (key) => records.get(authKeyName(key)),
    async saveTokens(key, record, expectedVersion) {
      if (records.get(authKeyName(key))?.version !== expectedVersion) return false
      records.set(authKeyName(key), record)
      return true
    },
    lease: leaseQueue(),
    async saveFlow(flow) {
      for (const old of flows.values()) if (isExpiredFlow(old, now())) flows.delete(old.state)
      flows.set(flow.state, flow)
    },
    async takeFlow(state) {
      const flow = flows.get(state)
      flows.delete(state)
      return flow !== undefined && !isExpiredFlow(flow, now()) ? flow : undefined
    },
    knownServer: async (serverUrl, principal) => servers.get(JSON.stringify([serverUrl, principal])),
    saveKnownServer: async (serverUrl, principal, known) =>
      put(servers, JSON.stringify([serverUrl, principal]), known),
  }
}

/** Whether a flow is too old to be finished. */
export function isExpiredFlow(flow: PendingFlow, nowMs: number): boolean {
  return nowMs - flow.startedAtMs >= FLOW_LIFETIME_MS
}

function put<T>(map: Map<string, T>, name: string, value: T | undefined): void {
  if (value === undefined) map.delete(name)
  else map.set(name, value)
}
