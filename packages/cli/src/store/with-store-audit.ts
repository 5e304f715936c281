import type { StoreAudit } from '@toolbridge/gateway'
import type { Invocation } from '../command.ts'
import { whileWaiting } from '../while-waiting.ts'
import { storeLocation } from './store-options.ts'

/** Runs `work` with the audit of the store that the command line names, and closes it. */
export async function withStoreAudit<T>(
  { options, terminal }: Invocation,
  work: (audit: StoreAudit) => Promise<T>,
): Promise<T> {
  const location = storeLocation(options, terminal)
  // Imported after the command line has been checked.
  const { openStoreAudit } = await import('@toolbridge/gateway')
  const opening = openStoreAudit({ ...location, signal: terminal.signal })
  const audit = await whileWaiting(terminal, 'opening the store', opening)
  try {
    return await work(audit)
  } finally {
    await audit.close()
  }
}
