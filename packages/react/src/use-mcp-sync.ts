import { useEffect, useState, useSyncExternalStore } from 'react'
import { createGatewayClient } from './gateway-client.ts'
import type { SettingsStorage } from './local-settings.ts'
import {
  createSyncStore,
  initialSnapshot,
  type SyncSnapshot,
  type SyncStore,
  type SyncStoreOptions,
} from './sync-store.ts'

/** Options of `useMCPSync`. Read once, when the component mounts. */
export interface UseMCPSyncOptions extends Omit<SyncStoreOptions, 'client'> {
  /** Client of the gateway. Default: the gateway on the origin of the page. */
  readonly client?: SyncStoreOptions['client']
}

/** Result of `useMCPSync`. */
export interface MCPSync
  extends SyncSnapshot,
    Pick<SyncStore, 'loadFromBackend' | 'saveToBackend' | 'setLocal' | 'undo' | 'resolveConflict'> {
  /** True until the first load has ended, and during later loads. */
  readonly isLoading: boolean
}

/**
 * Synchronizes the MCP servers of this browser with the gateway. Loads on mount; saves when `saveToBackend` is called, or
 * with `autosaveMs` after each change. An empty backend does not change local settings. A concurrent save by someone else is
 * a conflict that keeps both sides. Shows the changes of other tabs.
 */
export function useMCPSync(options: UseMCPSyncOptions = {}): MCPSync {
  const [store] = useState(() => createSyncStore(withDefaults(options)))
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, () => initialSnapshot)
  useEffect(() => loadUntilUnmounted(store), [store])
  const { loadFromBackend, saveToBackend, setLocal, undo, resolveConflict } = store
  const isLoading = snapshot.status === 'idle' || snapshot.status === 'loading'
  return { ...snapshot, isLoading, loadFromBackend, saveToBackend, setLocal, undo, resolveConflict }
}

function withDefaults(options: UseMCPSyncOptions): SyncStoreOptions {
  return { storage: browserStorage(), ...options, client: options.client ?? createGatewayClient() }
}

/** Undefined on a server; access throws in a frame without storage permission. */
function browserStorage(): SettingsStorage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

function loadUntilUnmounted(store: SyncStore): () => void {
  const unmounted = new AbortController()
  void store.loadFromBackend({ signal: unmounted.signal })
  return () => unmounted.abort()
}
