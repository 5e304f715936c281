import type { StoreKeys } from '@toolbridge/gateway'
import type { Invocation } from '../command.ts'
import { whileWaiting } from '../while-waiting.ts'
import { storeLocation } from './store-options.ts'

/** Runs `work` with the keys of the store that the command line names, and closes them. */
export async function withStoreKeys<T>(
  { options, terminal }: Invocation,
  work: (keys: StoreKeys) => Promise<T>,
): Promise<T> {
  const location = storeLocation(options, terminal)
  // Imported after the command line has been checked.
  const { openStoreKeys } = await import('@toolbridge/gateway')
  const opening = openStoreKeys({ ...location, signal: terminal.signal })
  const keys = await whileWaiting(terminal, 'opening the store', opening)
  try {
    return await work(keys)
  } finally {
    await keys.close()
  }
}
