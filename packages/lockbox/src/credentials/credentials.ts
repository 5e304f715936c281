import type {
  AuthKey,
  AuthStore,
  ClientInformation,
  KnownServer,
  PendingFlow,
  TokenRecord,
} from '@toolbridge/client/auth'
import { FLOW_LIFETIME_MS, isExpiredFlow, leaseQueue } from '@toolbridge/client/internal'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { recordId, type RecordKey, type RecordKind, type SealedRecords } from '../records/sealed-records.ts'
import { type Lease, takeLease } from './leases.ts'
import { leaseTimeout, withStorageErrors } from './storage-errors.ts'

/** Options of `Lockbox.credentials`. */
export type CredentialsOptions = {
  /** How long others wait for a process that was killed while it refreshed tokens, in milliseconds. Default: 15 s. */
  readonly leaseMs?: number
}

/** What the credentials of all owners share. */
export type CredentialsContext = {
  readonly database: Database
  readonly records: SealedRecords
  readonly now: () => Date
}

const LEASE_MS = 15_000
const LEASE_TIMEOUT_MS = 60_000

/** A server that a person has signed in to. */
export type ConnectedServer = {
  /** URL of the server. */
  readonly serverUrl: string
  /** Whose account it is, as given to `saveKnownServer`. */
  readonly principal: string
  /** The issuer of the authorization server. */
  readonly issuer: string
}

/** The OAuth state of an owner: tokens, clients and sign-ins in progress. */
export interface OwnerAuthStore extends AuthStore {
  /** Resolves with the servers that the owner has signed in to, oldest first. Those stored by earlier versions are left out. */
  connectedServers(): Promise<readonly ConnectedServer[]>
}

/** Returns the OAuth state of an owner. */
export type AuthStoreOf = (owner: string, options?: CredentialsOptions) => OwnerAuthStore

/** Values of earlier versions have no names. */
type StoredServer = KnownServer & Partial<Pick<ConnectedServer, 'serverUrl' | 'principal'>>

/** Creates the credentials of all owners. Any number of processes may share them. */
export function createCredentials(context: CredentialsContext): AuthStoreOf {
  // Shared by all stores of an owner, so that waiting within the process needs no queries.
  const queue = leaseQueue()
  const held = new Map<string, Lease>()
  return (owner, options = {}) => new OwnerCredentials({ ...context, queue, held, owner, ...options })
}

type LeaseOptions = { readonly signal?: AbortSignal }

type OwnerContext = CredentialsContext &
  CredentialsOptions & {
    readonly owner: string
    readonly queue: AuthStore['lease']
    /** The leases of this process, by the id of their tokens. */
    readonly held: Map<string, Lease>
  }

class OwnerCredentials implements OwnerAuthStore {
  readonly #context: OwnerContext

  constructor(context: OwnerContext) {
    this.#context = context
  }

  clientInformation(issuer: string): Promise<ClientInformation | undefined> {
    return this.#read<ClientInformation>(this.#key('client', issuer))
  }

  saveClientInformation(issuer: string, information: ClientInformation | undefined): Promise<void> {
    return this.#save(this.#key('client', issuer), information)
  }

  tokens(key: AuthKey): Promise<TokenRecord | undefined> {
    return this.#read<TokenRecord>(this.#tokenKey(key))
  }

  /** The intent to send a refresh token is written only while this process has the lease, if it took one. */
  saveTokens(key: AuthKey, record: TokenRecord, expected: number | undefined): Promise<boolean> {
    const tokens = this.#tokenKey(key)
    const { version, state } = record
    const lease = state.kind === 'refreshing' ? this.#context.held.get(recordId(tokens)) : undefined
    const guard = lease === undefined ? undefined : (query: Query) => lease.extend(query)
    return withStorageErrors(() => this.#context.records.swap(tokens, record, { expected, version, guard }))
  }

  lease<T>(key: AuthKey, work: () => Promise<T>, options: LeaseOptions = {}): Promise<T> {
    const id = recordId(this.#tokenKey(key))
    // The id also tells owners apart.
    return this.#context.queue({ ...key, principal: id }, () => this.#leased(id, work, options), options)
  }

  async saveFlow(flow: PendingFlow): Promise<void> {
    const { records, owner, now } = this.#context
    await withStorageErrors(async () => {
      await records.prune(owner, 'flow', new Date(now().getTime() - FLOW_LIFETIME_MS))
      await records.write(this.#flowKey(flow.state), flow)
    })
  }

  async takeFlow(state: string): Promise<PendingFlow | undefined> {
    const { records, now } = this.#context
    // Only `saveFlow` writes records of this kind.
    const flow = (await withStorageErrors(() => records.take(this.#flowKey(state)))) as
      | PendingFlow
      | undefined
    return flow !== undefined && !isExpiredFlow(flow, now().getTime()) ? flow : undefined
  }

  async knownServer(serverUrl: string, principal: string): Promise<KnownServer | undefined> {
    const stored = await this.#read<StoredServer>(this.#key('server', serverUrl, principal))
    if (stored === undefined) return undefined
    const { serverUrl: _serverUrl, principal: _principal, ...known } = stored
    return known
  }

  saveKnownServer(serverUrl: string, principal: string, known: KnownServer | undefined): Promise<void> {
    const stored: StoredServer | undefined = known && { ...known, serverUrl, principal }
    return this.#save(this.#key('server', serverUrl, principal), stored)
  }

  async connectedServers(): Promise<readonly ConnectedServer[]> {
    const { records, owner } = this.#context
    // Only `saveKnownServer` writes records of this kind.
    const stored = (await withStorageErrors(() => records.list(owner, 'server'))) as readonly StoredServer[]
    return stored.flatMap(({ serverUrl, principal, issuer }) =>
      serverUrl === undefined || principal === undefined ? [] : { serverUrl, principal, issuer },
    )
  }

  async #leased<T>(id: string, work: () => Promise<T>, { signal }: LeaseOptions): Promise<T> {
    const { database, owner, held, leaseMs = LEASE_MS } = this.#context
    const terms = { durationMs: leaseMs, timeoutMs: LEASE_TIMEOUT_MS, signal }
    const lease = await withStorageErrors(() => takeLease(database, { owner, id }, terms))
    if (lease === undefined) throw leaseTimeout(LEASE_TIMEOUT_MS)
    held.set(id, lease)
    try {
      return await work()
    } finally {
      held.delete(id)
      // The lease of a process that cannot reach the database expires.
      await lease.release().catch(() => {})
    }
  }

  async #read<T>(key: RecordKey): Promise<T | undefined> {
    const found = await withStorageErrors(() => this.#context.records.read(key))
    // The store's own methods write the records of each kind.
    return found?.value as T | undefined
  }

  async #save(key: RecordKey, value: object | undefined): Promise<void> {
    const { records } = this.#context
    await withStorageErrors<unknown>(() =>
      value === undefined ? records.remove(key) : records.write(key, value),
    )
  }

  #key(kind: RecordKind, ...names: readonly string[]): RecordKey {
    return { owner: this.#context.owner, kind, names }
  }

  #tokenKey({ issuer, resource, principal }: AuthKey): RecordKey {
    return this.#key('tokens', issuer, resource, principal)
  }

  /** The state of a flow is a secret. */
  #flowKey(state: string): RecordKey {
    return { ...this.#key('flow', state), label: [] }
  }
}
