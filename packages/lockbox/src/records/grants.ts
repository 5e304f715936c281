import type { Grant, GrantStore } from '@toolbridge/bridge/permissions'
import type { RecordKey, SealedRecords } from './sealed-records.ts'

/** Creates a store of permanent approvals; each belongs to its principal. */
export function createGrants(records: SealedRecords): GrantStore {
  return {
    has: async (grant) => (await records.read(keyOf(grant)).catch(() => undefined)) !== undefined,
    add: (grant) => records.write(keyOf(grant), fieldsOf(grant)),
    remove: async (grant) => void (await records.remove(keyOf(grant))),
    // Only `add` writes records of this kind.
    list: async (principal) => (await records.list(principal, 'grant')) as readonly Grant[],
  }
}

function keyOf({ principal, server, definition, tool, pin, asks }: Grant): RecordKey {
  return {
    owner: principal,
    kind: 'grant',
    names: [server, definition, tool, pin, ...asks],
    label: [server, tool],
  }
}

function fieldsOf({ principal, server, definition, tool, pin, asks }: Grant): Grant {
  return { principal, server, definition, tool, pin, asks }
}
