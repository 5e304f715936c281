import type { Pin, PinKey, PinStore } from '@toolbridge/bridge/permissions'
import type { RecordKey, SealedRecords } from './sealed-records.ts'

/** Creates a store of approved tool definitions; each belongs to the principal who approved. */
export function createPins(records: SealedRecords): PinStore {
  return {
    // Only `set` writes records of this kind.
    get: async (key) => (await records.read(keyOf(key)))?.value as Pin | undefined,
    set: (key, { hash, definition }) => records.write(keyOf(key), { hash, definition }),
    remove: async (key) => void (await records.remove(keyOf(key))),
  }
}

function keyOf({ principal, server, definition, tool }: PinKey): RecordKey {
  return { owner: principal, kind: 'pin', names: [server, definition, tool], label: [server, tool] }
}
