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

/** Options of `useMCPSync`, read once, when the component mounts. */
export interface UseMCPSyncOptions extends Omit<SyncStoreOptions, 'client'> {
  /** By default, the gateway on the page's own origin. */
  readonly client?: SyncStoreOptions['client']
}

/** What `useMCPSync` returns. */
export interface MCPSync
  extends SyncSnapshot,
    Pick<SyncStore, 'loadFromBackend' | 'saveToBackend' | 'setLocal' | 'resolveConflict'> {
  /** True from the first render until the first load ended, and during later loads. */
  readonly isLoading: boolean
}

/**
 * The MCP servers of this browser in step with the gateway: loads on mount, saves when told. An empty backend leaves local
 * settings as they are, and a save that somebody else overtook is shown as a conflict with both sides kept.
 */
export function useMCPSync(options: UseMCPSyncOptions = {}): MCPSync {
  const [store] = useState(() => createSyncStore(withDefaults(options)))
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, () => initialSnapshot)
  useEffect(() => loadUntilUnmounted(store), [store])
  const { loadFromBackend, saveToBackend, setLocal, resolveConflict } = store
  const isLoading = snapshot.status === 'idle' || snapshot.status === 'loading'
  return { ...snapshot, isLoading, loadFromBackend, saveToBackend, setLocal, resolveConflict }
}

function withDefaults(options: UseMCPSyncOptions): SyncStoreOptions {
  return { storage: browserStorage(), ...options, client: options.client ?? createGatewayClient() }
}

/** Absent on a server; throws in a frame that may not store anything. */
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
