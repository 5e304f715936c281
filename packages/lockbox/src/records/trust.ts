import type { TrustStore } from '@toolbridge/bridge/config'
import type { RecordKey, SealedRecords } from './sealed-records.ts'

/** Creates the store of entries that one owner trusts. */
export function createTrust(records: SealedRecords, owner: string): TrustStore {
  const keyOf = (hash: string): RecordKey => ({ owner, kind: 'trust', names: [hash] })
  return {
    isTrusted: async (hash) => (await records.read(keyOf(hash))) !== undefined,
    trust: (hash, note) => records.write(keyOf(hash), { note }),
    forget: async (hash) => void (await records.remove(keyOf(hash))),
  }
}
