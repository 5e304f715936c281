import type { StoreKeysResponse, RotateRequest, RotationResponse, RotationStep } from '@toolbridge/api'
import { openExistingStore, type StoreOptions } from './existing-store.ts'
import { storeKeysResponse, rotationResponse } from './key-responses.ts'
import { runningKeys } from './running-keys.ts'

/** Options of `StoreKeys.rotate`. */
export interface RotateStoreOptions extends RotateRequest {
  /** Called after every batch. Default: nothing. */
  readonly onProgress?: (step: RotationStep) => void
  /** Stops after the current batch. The next rotation continues. */
  readonly signal?: AbortSignal
}

/** The keys of a gateway's store. */
export interface StoreKeys {
  /** Whether a running gateway carries out the operations, or this process. */
  readonly via: 'gateway' | 'store'
  /** Counts keys and values. */
  status(): Promise<StoreKeysResponse>
  /** Replaces keys while the store is in use. */
  rotate(options: RotateStoreOptions): Promise<RotationResponse>
  /** Closes the store, if this process has opened it. */
  close(): Promise<void>
}

/**
 * Opens the keys of a store: through the gateway that runs on the data folder, else in this process. Creates nothing: rejects
 * with `unreachable` if there is no store.
 */
export async function openStoreKeys(options: StoreOptions): Promise<StoreKeys> {
  const running = await runningKeys(options.dataFolder)
  options.signal?.throwIfAborted()
  return running ?? openKeys(options)
}

async function openKeys(options: StoreOptions): Promise<StoreKeys> {
  const lockbox = await openExistingStore(options)
  return {
    via: 'store',
    status: async () => storeKeysResponse(await lockbox.keys.status()),
    rotate: async ({ keys = 'all', ...rest }) =>
      rotationResponse(await lockbox.keys.rotate({ keys, ...rest })),
    close: () => lockbox.close(),
  }
}
