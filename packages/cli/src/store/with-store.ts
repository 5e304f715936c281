import type { StoreAudit, StoreKeys, StoreOptions } from '@toolbridge/gateway'
import type { Invocation } from '../command.ts'
import { whileWaiting } from '../while-waiting.ts'
import { storeLocation } from './store-options.ts'

/** Runs `work` with the audit of the store that the command line names, and closes it. */
export function withStoreAudit<T>(
  invocation: Invocation,
  work: (audit: StoreAudit) => Promise<T>,
): Promise<T> {
  return withStore(invocation, ({ openStoreAudit }) => openStoreAudit, work)
}

/** Runs `work` with the keys of the store that the command line names, and closes them. */
export function withStoreKeys<T>(invocation: Invocation, work: (keys: StoreKeys) => Promise<T>): Promise<T> {
  return withStore(invocation, ({ openStoreKeys }) => openStoreKeys, work)
}

async function withStore<Store extends { close(): Promise<void> }, T>(
  { options, terminal }: Invocation,
  opener: (gateway: typeof import('@toolbridge/gateway')) => (options: StoreOptions) => Promise<Store>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const location = storeLocation(options, terminal)
  // Imported after the command line has been checked.
  const open = opener(await import('@toolbridge/gateway'))
  const opening = open({ ...location, signal: terminal.signal })
  const store = await whileWaiting(terminal, 'opening the store', opening)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
