import type { DestinationChange, ProblemIssue } from '@toolbridge/api'
import type { GatewayClient, GatewayRequestOptions } from './gateway-client.ts'
import { GatewayError } from './gateway-error.ts'
import {
  type LocalSettings,
  LocalSettingsError,
  type McpServers,
  noSettings,
  parseLocal,
  readStored,
  type SettingsLocation,
  type SettingsStorage,
  writeLocal,
} from './local-settings.ts'
import { applyEdit, isUnsaved, markSaved, mergeSettings, yieldToBackend } from './merge.ts'

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
  /** True if servers were added, changed or removed here and not saved. */
  readonly hasUnsavedChanges: boolean
  /** True if `undo` would change something. */
  readonly canUndo: boolean
  /** Local changes that those of someone else replaced, until the next `setLocal` or save. */
  readonly replaced: McpServers
  /** Fields that the last save did not save, and why. */
  readonly warnings: readonly ProblemIssue[]
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
  /**
   * Key of `{ mcpServers }` to start from while nothing is stored under `storageKey`. Never written. Default:
   * `mcp_servers_config`.
   */
  readonly importKey?: string | undefined
  /** Saves local settings on load if the backend has none. Default: false. */
  readonly migrateLocal?: boolean | undefined
  /** Saves this long after the last change in this tab. Default: saves only when `saveToBackend` is called. */
  readonly autosaveMs?: number | undefined
}

/** Edits that `undo` can take back. */
const maxEdits = 100

interface Edit {
  readonly before: McpServers
  readonly after: McpServers
}

/** Options of `SyncStore.saveToBackend` and `resolveConflict`. */
export interface SyncSaveOptions extends GatewayRequestOptions {
  /** Changes that the person has agreed to: `destinations` of the error of the save before. Default: none. */
  readonly confirmedDestinations?: readonly DestinationChange[] | undefined
}

/** Snapshot before the local settings are read; used for server rendering. */
export const initialSnapshot: SyncSnapshot = {
  status: 'idle',
  mcpServers: {},
  version: 0,
  hasUnsavedChanges: false,
  canUndo: false,
  replaced: {},
  warnings: [],
  conflict: null,
  error: null,
}

/** Reads the local settings. Sends nothing until a method is called. */
export function createSyncStore(options: SyncStoreOptions): SyncStore {
  return new SyncStore(options)
}

/**
 * Synchronizes the settings of a browser with the gateway. Methods run one after another and never reject: errors are in the
 * snapshot, and a failure does not change the settings. Tabs that share the storage see each other's changes while they have
 * subscribers, and never overwrite them.
 */
export class SyncStore {
  readonly #client: SyncStoreOptions['client']
  readonly #location: SettingsLocation | undefined
  readonly #migrateLocal: boolean
  readonly #autosaveMs: number | undefined
  readonly #edits: Edit[] = []
  readonly #listeners = new Set<() => void>()
  #local: LocalSettings = noSettings
  #storedText: string | undefined
  #localError: LocalSettingsError | null = null
  #snapshot: SyncSnapshot = initialSnapshot
  #queue: Promise<unknown> = Promise.resolve()
  #autosave: ReturnType<typeof setTimeout> | undefined

  constructor(options: SyncStoreOptions) {
    const { storage, storageKey: key = 'toolbridge.mcp', importKey = 'mcp_servers_config' } = options
    this.#client = options.client
    this.#location = storage && { storage, key, importKey }
    this.#migrateLocal = options.migrateLocal ?? false
    this.#autosaveMs = options.autosaveMs
    this.#pull()
  }

  /** Calls `listener` on every change, also of other tabs. Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) followStorage(this.#onStorage)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) unfollowStorage(this.#onStorage)
    }
  }

  /** Returns the current snapshot. */
  readonly getSnapshot = (): SyncSnapshot => this.#snapshot

  /** Loads the backend's settings, which win for each server that was changed on both sides. */
  readonly loadFromBackend = (options: GatewayRequestOptions = {}): Promise<SyncSnapshot> =>
    this.#attempt('loading', options, () => this.#load(options))

  /** Saves the local settings. Ends in `conflict` if someone else saved in the meantime. */
  readonly saveToBackend = (options: SyncSaveOptions = {}): Promise<SyncSnapshot> => {
    clearTimeout(this.#autosave)
    return this.#attempt('saving', options, () => this.#save(this.#local.version, options))
  }

  /** Ends a conflict: `mine` saves the local settings, `theirs` loads the backend's. */
  readonly resolveConflict = (
    keep: 'mine' | 'theirs',
    options: SyncSaveOptions = {},
  ): Promise<SyncSnapshot> => {
    const version = this.#snapshot.conflict?.version
    if (keep === 'theirs' || version === undefined) {
      return this.#attempt('loading', options, () => this.#load(options, yieldToBackend))
    }
    return this.#attempt('saving', options, () => this.#save(version, options))
  }

  /** Changes the settings in this browser only. A server that is missing is removed, in the gateway with the next save. */
  readonly setLocal = (mcpServers: McpServers): void => {
    const edit = { before: this.#local.mcpServers, after: mcpServers }
    this.#edits.push(edit)
    this.#edits.splice(0, this.#edits.length - maxEdits)
    this.#apply(edit)
  }

  /**
   * Takes back the last `setLocal` of this tab, also if it was saved. Servers that it did not change stay as they are. Does
   * nothing if there is none.
   */
  readonly undo = (): void => {
    const edit = this.#edits.pop()
    if (edit !== undefined) this.#apply({ before: edit.after, after: edit.before })
  }

  #apply({ before, after }: Edit): void {
    this.#pull()
    this.#localError = null
    this.#keep(applyEdit(this.#local, before, after))
    this.#showLocal()
    this.#scheduleSave()
  }

  #scheduleSave(): void {
    if (this.#autosaveMs === undefined) return
    clearTimeout(this.#autosave)
    this.#autosave = setTimeout(() => void this.saveToBackend(), this.#autosaveMs)
  }

  async #load(options: GatewayRequestOptions, prepare = unchanged): Promise<void> {
    const { version } = this.#local
    const backend = await this.#client.readConfig(options)
    options.signal?.throwIfAborted()
    this.#pull()
    // Another tab saved in the meantime, so the response may be older than what it stored.
    if (this.#local.version !== version) return this.#load(options, prepare)
    const isUntouched = backend.version === undefined && Object.keys(this.#local.mcpServers).length > 0
    if (isUntouched && this.#migrateLocal) return this.#save(0, options)
    this.#keep(mergeSettings(prepare(this.#local), backend))
    this.#showLocal({ status: 'ready', conflict: null })
  }

  async #save(version: number, options: SyncSaveOptions): Promise<void> {
    const sent = this.#local
    const { confirmedDestinations } = options
    try {
      const request = { mcpServers: sent.mcpServers, version, confirmedDestinations }
      const saved = await this.#client.saveConfig(request, options)
      this.#pull()
      this.#keep(markSaved(sent, this.#local, saved.version))
      this.#showLocal({ conflict: null, warnings: saved.warnings ?? [] })
    } catch (error) {
      if (!(error instanceof GatewayError && error.kind === 'conflict')) throw error
      return this.#settleConflict(error, sent, options)
    }
    // The saved settings have references in place of secrets, which leave this browser.
    return this.#load(options)
  }

  /** A version that another tab saved is no conflict: the changes of both are in the local settings. */
  async #settleConflict(error: GatewayError, sent: LocalSettings, options: SyncSaveOptions): Promise<void> {
    this.#pull()
    if (this.#local.version !== sent.version) {
      return isUnsaved(this.#local) ? this.#save(this.#local.version, options) : this.#load(options)
    }
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
      this.#pull()
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

  readonly #onStorage = (event: StorageEvent): void => {
    // The key of `clear()` is null.
    if (event.key === null || event.key === this.#location?.key) this.#pull()
  }

  /** Takes over what another tab stored. Settings that could not be written stay in this tab. */
  #pull(): void {
    if (this.#location === undefined || this.#localError?.code === 'local_not_written') return
    try {
      const stored = readStored(this.#location)
      if (this.#storedText === stored?.text) return
      this.#storedText = stored?.text
      this.#local = stored === undefined ? noSettings : parseLocal(stored)
      this.#localError = null
    } catch (error) {
      this.#localError = localErrorOf(error)
    }
    const { status, conflict, error } = this.#snapshot
    const isSettled = status === 'conflict' && this.#local.version === conflict?.version
    if (isSettled) return this.#showLocal({ status: 'ready', conflict: null })
    this.#showLocal({ error: this.#localError ?? (error instanceof LocalSettingsError ? null : error) })
  }

  /** Does not overwrite stored settings that could not be read until `setLocal` is called. */
  #keep(local: LocalSettings): void {
    this.#local = local
    if (this.#location === undefined || this.#localError?.code === 'local_unreadable') return
    try {
      this.#storedText = writeLocal(this.#location, local).text
      this.#localError = null
    } catch (error) {
      this.#localError = localErrorOf(error)
    }
  }

  #showLocal(changes: Partial<SyncSnapshot> = {}): void {
    const { mcpServers, version, replaced } = this.#local
    const hasUnsavedChanges = isUnsaved(this.#local)
    const canUndo = this.#edits.length > 0
    const error = this.#localError
    this.#show({ mcpServers, version, replaced, hasUnsavedChanges, canUndo, error, ...changes })
  }

  #show(changes: Partial<SyncSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

/** Only browsers have storage events. */
function followStorage(listener: (event: StorageEvent) => void): void {
  if (typeof addEventListener === 'function') addEventListener('storage', listener)
}

function unfollowStorage(listener: (event: StorageEvent) => void): void {
  if (typeof removeEventListener === 'function') removeEventListener('storage', listener)
}

function unchanged(local: LocalSettings): LocalSettings {
  return local
}

function localErrorOf(error: unknown): LocalSettingsError {
  if (error instanceof LocalSettingsError) return error
  throw error
}
