import type { GatewayClient, GatewayRequestOptions } from './gateway-client.ts'
import { GatewayError } from './gateway-error.ts'
import {
  type LocalSettings,
  LocalSettingsError,
  type McpServers,
  noSettings,
  readLocal,
  type SettingsStorage,
  writeLocal,
} from './local-settings.ts'
import { changedNames, mergeAfterSave, mergeSettings } from './merge.ts'

/** Settings that someone else saved since these were loaded. */
export interface SyncConflict {
  /** Version that they saved. */
  readonly version: number
  /** Servers that they saved. */
  readonly mcpServers: McpServers
}

/** State of the synchronization. `idle`: before the first load. `failed`: see `error`; the local settings stay usable. */
export type SyncStatus = 'idle' | 'loading' | 'saving' | 'ready' | 'conflict' | 'failed'

/** Immutable state of a `SyncStore`. */
export interface SyncSnapshot {
  /** State of the synchronization. */
  readonly status: SyncStatus
  /** Local servers by name. */
  readonly mcpServers: McpServers
  /** Backend version that the local settings are based on; 0 before the first load or save. */
  readonly version: number
  /** True if local settings differ from the saved ones. */
  readonly hasUnsavedChanges: boolean
  /** Local changes that the last load replaced. */
  readonly replaced: McpServers
  /** Set while `status` is `conflict`; end it with `resolveConflict`. */
  readonly conflict: SyncConflict | null
  /** Last error, or null. */
  readonly error: Error | null
}

/** Options of `createSyncStore`. */
export interface SyncStoreOptions {
  /** Client of the gateway. */
  readonly client: Pick<GatewayClient, 'readConfig' | 'saveConfig'>
  /** Storage for local settings. Default: in memory. */
  readonly storage?: SettingsStorage | undefined
  /** Key in the storage. Default: `toolbridge.mcp`. */
  readonly storageKey?: string | undefined
  /** Saves local settings on load if the backend has none. Default: false. */
  readonly migrateLocal?: boolean | undefined
}

/** Snapshot before the local settings are read; used for server rendering. */
export const initialSnapshot: SyncSnapshot = {
  status: 'idle',
  mcpServers: {},
  version: 0,
  hasUnsavedChanges: false,
  replaced: {},
  conflict: null,
  error: null,
}

/** Reads the local settings. Sends nothing until a method is called. */
export function createSyncStore(options: SyncStoreOptions): SyncStore {
  return new SyncStore(options)
}

/**
 * Synchronizes the settings of a browser with the gateway. Methods run one after another and never reject: errors are in the
 * snapshot, and a failure does not change the settings.
 */
export class SyncStore {
  readonly #client: SyncStoreOptions['client']
  readonly #storage: SettingsStorage | undefined
  readonly #storageKey: string
  readonly #migrateLocal: boolean
  readonly #listeners = new Set<() => void>()
  #local: LocalSettings = noSettings
  #localError: LocalSettingsError | null = null
  #snapshot: SyncSnapshot = initialSnapshot
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: SyncStoreOptions) {
    this.#client = options.client
    this.#storage = options.storage
    this.#storageKey = options.storageKey ?? 'toolbridge.mcp'
    this.#migrateLocal = options.migrateLocal ?? false
    this.#readLocal()
  }

  /** Calls `listener` on every change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the current snapshot. */
  readonly getSnapshot = (): SyncSnapshot => this.#snapshot

  /** Loads the backend's settings, which win for each server they contain. */
  readonly loadFromBackend = (options: GatewayRequestOptions = {}): Promise<SyncSnapshot> =>
    this.#attempt('loading', options, () => this.#load(options))

  /** Saves the local settings. Ends in `conflict` if someone else saved in the meantime. */
  readonly saveToBackend = (options: GatewayRequestOptions = {}): Promise<SyncSnapshot> =>
    this.#attempt('saving', options, () => this.#save(this.#snapshot.version, options))

  /** Ends a conflict: `mine` saves the local settings, `theirs` loads the backend's. */
  readonly resolveConflict = (
    keep: 'mine' | 'theirs',
    options: GatewayRequestOptions = {},
  ): Promise<SyncSnapshot> => {
    const version = this.#snapshot.conflict?.version
    if (keep === 'theirs' || version === undefined) return this.loadFromBackend(options)
    return this.#attempt('saving', options, () => this.#save(version, options))
  }

  /** Changes the settings in this browser only. */
  readonly setLocal = (mcpServers: McpServers): void => {
    const changed = changedNames(this.#local.mcpServers, mcpServers)
    const unsaved = Object.keys(mcpServers).filter(
      (name) => changed.includes(name) || this.#local.unsaved.includes(name),
    )
    this.#localError = null
    this.#keep({ mcpServers, unsaved })
    this.#show({ mcpServers, hasUnsavedChanges: true, error: this.#localError })
  }

  async #load(options: GatewayRequestOptions): Promise<void> {
    const backend = await this.#client.readConfig(options)
    const isUntouched = backend.version === undefined && Object.keys(this.#local.mcpServers).length > 0
    if (isUntouched && this.#migrateLocal) return this.#save(0, options)
    const { replaced, ...local } = mergeSettings(this.#local, backend.mcpServers)
    this.#keep(local)
    this.#settle({ version: backend.version ?? 0, replaced, hasUnsavedChanges: local.unsaved.length > 0 })
  }

  async #save(version: number, options: GatewayRequestOptions): Promise<void> {
    const sent = this.#local.mcpServers
    try {
      const saved = await this.#client.saveConfig({ mcpServers: sent, version }, options)
      await this.#afterSave(sent, saved.version, options)
    } catch (error) {
      if (!(error instanceof GatewayError && error.kind === 'conflict')) throw error
      await this.#showConflict(error, options)
    }
  }

  /** Loads the saved settings, so that references replace the secrets in this browser. */
  async #afterSave(sent: McpServers, version: number, options: GatewayRequestOptions): Promise<void> {
    this.#show({ version, conflict: null, replaced: {} })
    const backend = await this.#client.readConfig(options)
    const { hasUnsavedChanges, ...local } = mergeAfterSave(sent, this.#local.mcpServers, backend.mcpServers)
    this.#keep(local)
    this.#settle({ version: backend.version ?? version, replaced: {}, hasUnsavedChanges })
  }

  async #showConflict(error: GatewayError, options: GatewayRequestOptions): Promise<void> {
    const { version = 0, mcpServers } = await this.#client.readConfig(options)
    this.#show({ status: 'conflict', conflict: { version, mcpServers }, error })
  }

  #attempt(
    status: SyncStatus,
    options: GatewayRequestOptions,
    work: () => Promise<void>,
  ): Promise<SyncSnapshot> {
    const attempt = this.#queue.then(async () => {
      if (options.signal?.aborted) return this.#snapshot
      const { status: before } = this.#snapshot
      this.#show({ status })
      await work().catch((error: unknown) => this.#fail(error, options.signal?.aborted ? before : 'failed'))
      return this.#snapshot
    })
    this.#queue = attempt
    return attempt
  }

  #fail(error: unknown, status: SyncStatus): void {
    const shown = error instanceof Error ? error : new Error(String(error))
    this.#show(status === 'failed' ? { status, error: shown } : { status })
  }

  #settle(changes: Pick<SyncSnapshot, 'version' | 'replaced' | 'hasUnsavedChanges'>): void {
    const { mcpServers } = this.#local
    this.#show({ ...changes, mcpServers, status: 'ready', conflict: null, error: this.#localError })
  }

  #readLocal(): void {
    try {
      this.#local = readLocal(this.#storage, this.#storageKey)
    } catch (error) {
      this.#localError = localErrorOf(error)
    }
    const { mcpServers, unsaved } = this.#local
    this.#show({ mcpServers, hasUnsavedChanges: unsaved.length > 0, error: this.#localError })
  }

  /** Does not overwrite stored settings that could not be read until `setLocal` is called. */
  #keep(local: LocalSettings): void {
    this.#local = local
    if (this.#localError?.code === 'local_unreadable') return
    try {
      writeLocal(this.#storage, this.#storageKey, local)
      this.#localError = null
    } catch (error) {
      this.#localError = localErrorOf(error)
    }
  }

  #show(changes: Partial<SyncSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

function localErrorOf(error: unknown): LocalSettingsError {
  if (error instanceof LocalSettingsError) return error
  throw error
}
