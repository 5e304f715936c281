import type { InputDestination } from '@toolbridge/bridge/config'
import { type CredentialKey, type CredentialStore, destinationChange } from '@toolbridge/bridge/questions'
import type { RecordKey, SealedRecords } from './sealed-records.ts'

/** Values of earlier versions have no key. */
type StoredInput = {
  readonly value: string
  readonly destination: InputDestination
  readonly key?: InputName
}

/** Name of a value that a person entered. */
export type InputName = {
  /** Name of the server whose definition asks for it. */
  readonly server: string
  /** Id of the input in the definition. */
  readonly id: string
}

/** A store of the values that people entered for their servers. */
export interface InputStore extends CredentialStore {
  /** Resolves with the names of the values of a principal, oldest first. Those stored by earlier versions are left out. */
  list(principal: string): Promise<readonly InputName[]>
  /** Stores a value for another server as well, with its destination. Does nothing if there is none. */
  copy(key: CredentialKey, server: string): Promise<void>
}

/** Creates a store of the values that people entered for their servers, each with its destination. */
export function createInputs(records: SealedRecords): InputStore {
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
    set: (key, value, destination) =>
      records.write(keyOf(key), { value, destination, key: { server: key.server, id: key.id } }),
    async copy(key, server) {
      // Only `set` writes records of this kind.
      const stored = (await records.inspect(keyOf(key))) as StoredInput | undefined
      if (stored === undefined) return
      const { value, destination } = stored
      await records.write(keyOf({ ...key, server }), { value, destination, key: { server, id: key.id } })
    },
    delete: async (key) => void (await records.remove(keyOf(key))),
    async list(principal) {
      // Only `set` writes records of this kind.
      const stored = (await records.list(principal, 'input')) as readonly StoredInput[]
      return stored.flatMap(({ key }) => key ?? [])
    },
  }
}

function keyOf({ principal, server, id }: CredentialKey): RecordKey {
  return { owner: principal, kind: 'input', names: [server, id] }
}
