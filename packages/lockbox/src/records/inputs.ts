import type { InputDestination } from '@toolbridge/bridge/config'
import { type CredentialKey, type CredentialStore, destinationChange } from '@toolbridge/bridge/questions'
import type { RecordKey, SealedRecords } from './sealed-records.ts'

type StoredInput = { readonly value: string; readonly destination: InputDestination }

/** Creates a store of the values that people entered for their servers, each with its destination. */
export function createInputs(records: SealedRecords): CredentialStore {
  return {
    async get(key, destination) {
      // Only `set` writes records of this kind.
      const stored = (await records.inspect(keyOf(key))) as StoredInput | undefined
      if (stored === undefined) return undefined
      const changed = destinationChange(key, stored.destination, destination)
      await records.record(keyOf(key), changed === undefined ? 'read' : 'refuse')
      if (changed !== undefined) throw changed
      return stored.value
    },
    set: (key, value, destination) => records.write(keyOf(key), { value, destination }),
    delete: async (key) => void (await records.remove(keyOf(key))),
  }
}

function keyOf({ principal, server, id }: CredentialKey): RecordKey {
  return { owner: principal, kind: 'input', names: [server, id] }
}
