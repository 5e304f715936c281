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

/** What somebody else saved since these settings were loaded. */
export interface SyncConflict {
  readonly version: number
  readonly mcpServers: McpServers
}

/** `idle`: nothing was tried yet. `failed`: see `error`; the local settings still work. */
export type SyncStatus = 'idle' | 'loading' | 'saving' | 'ready' | 'conflict' | 'failed'

/** Everything a user interface shows about the settings, at one moment. */
export interface SyncSnapshot {
  readonly status: SyncStatus
  readonly mcpServers: McpServers
  /** Version of the backend's settings that these build on; 0 before anything was saved or loaded. */
  readonly version: number
  readonly hasUnsavedChanges: boolean
  /** Local changes that the last load replaced by what the backend has. */
  readonly replaced: McpServers
  /** Set while `status` is `conflict`: choose with `resolveConflict`. */
  readonly conflict: SyncConflict | null
  readonly error: Error | null
}

/** How the settings of a browser and of the gateway are kept in step. */
export interface SyncStoreOptions {
  readonly client: Pick<GatewayClient, 'readConfig' | 'saveConfig'>
  /** Without one, settings live as long as the store. */
  readonly storage?: SettingsStorage | undefined
  readonly storageKey?: string | undefined
  /** Save local settings to a backend in which nothing was ever saved, as part of loading. */
  readonly migrateLocal?: boolean | undefined
}

/** The snapshot before anything was read, as a server renders it. */
export const initialSnapshot: SyncSnapshot = {
  status: 'idle',
  mcpServers: {},
  version: 0,
  hasUnsavedChanges: false,
  replaced: {},
  conflict: null,
  error: null,
}

/** Opens the local settings; nothing is sent before the first verb. */
export function createSyncStore(options: SyncStoreOptions): SyncStore {
  return new SyncStore(options)
}

/**
 * Settings of one browser in step with the gateway's. Verbs run one after another and never reject: what went wrong is in the
 * snapshot they resolve to, and no failure changes the settings.
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

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): SyncSnapshot => this.#snapshot

  /** Takes the backend's settings; it wins for each server it has. */
  readonly loadFromBackend = (options: GatewayRequestOptions = {}): Promise<SyncSnapshot> =>
    this.#attempt('loading', options, () => this.#load(options))

  /** Makes the local settings the backend's, unless somebody else saved meanwhile. */
  readonly saveToBackend = (options: GatewayRequestOptions = {}): Promise<SyncSnapshot> =>
    this.#attempt('saving', options, () => this.#save(this.#snapshot.version, options))

  /** Ends a conflict: `mine` replaces what the other saved, `theirs` is a load, which shows what it replaced. */
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

  /** Reads back what was saved, so that secrets leave this browser as soon as the gateway keeps them. */
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

  /** Stored settings that could not be read are not overwritten before somebody sets new ones. */
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
