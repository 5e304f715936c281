import { entryHash, type ServerSpec } from '@toolbridge/bridge/config'
import type { Grant, GrantStore, PinStore } from '@toolbridge/bridge/permissions'
import type { InputStore } from '@toolbridge/lockbox'

/** Where the records of servers are stored. */
export interface RecordStores {
  readonly grants: GrantStore
  readonly pins: PinStore
  readonly inputs: InputStore
}

/** A server that gets another name. */
export interface Renaming {
  readonly owner: string
  readonly from: string
  readonly to: string
  /** Its definition under the old name; undefined if it is invalid. Then nothing was approved. */
  readonly spec: ServerSpec | undefined
  /** Its own names of its tools, as far as they are known. */
  readonly tools: readonly string[]
}

/** A record under the old name and its copy under the new one. */
interface MovingRecord {
  readonly copy: () => Promise<void>
  readonly removeOriginal: () => Promise<void>
  readonly removeCopy: () => Promise<void>
}

/**
 * Renames a server by `save`, with what is stored for it: the values that its owner entered, which stay bound to their destinations,
 * permanent approvals, and the tools as they were approved. They are there before the server starts under its new name. If `save`
 * fails, they stay under the old one.
 */
export async function savedWithRecords<T>(
  stores: RecordStores,
  renaming: Renaming,
  save: () => Promise<T>,
): Promise<T> {
  const records = await recordsOf(stores, renaming)
  for (const { copy } of records) await copy()
  const saved = await save().catch(async (error: unknown) => {
    for (const { removeCopy } of records) await removeCopy()
    throw error
  })
  for (const { removeOriginal } of records) await removeOriginal()
  return saved
}

async function recordsOf(stores: RecordStores, renaming: Renaming): Promise<readonly MovingRecord[]> {
  const { owner, from, spec, tools } = renaming
  const inputs = (await stores.inputs.list(owner)).filter(({ server }) => server === from)
  const moving = inputs.map(({ id }) => movingInput(stores.inputs, renaming, id))
  if (spec === undefined) return moving
  const grants = (await stores.grants.list(owner)).filter(({ server }) => server === from)
  const names = new Set([...tools, ...grants.map(({ tool }) => tool)])
  const definitions = { old: entryHash(spec), new: entryHash({ ...spec, name: renaming.to }) }
  return [
    ...moving,
    // One for an earlier definition would not apply under the new name either.
    ...grants
      .filter(({ definition }) => definition === definitions.old)
      .map((grant) => movingGrant(stores.grants, renaming, grant, definitions.new)),
    ...[...names].map((tool) => movingPin(stores.pins, renaming, tool, definitions)),
  ]
}

function movingInput(inputs: InputStore, { owner: principal, from, to }: Renaming, id: string): MovingRecord {
  const key = { principal, server: from, id }
  return {
    copy: () => inputs.copy(key, to),
    removeOriginal: () => inputs.delete(key),
    removeCopy: () => inputs.delete({ ...key, server: to }),
  }
}

function movingGrant(
  grants: GrantStore,
  { to }: Renaming,
  grant: Grant,
  newDefinition: string,
): MovingRecord {
  const moved = { ...grant, server: to, definition: newDefinition }
  return {
    copy: () => grants.add(moved),
    removeOriginal: () => grants.remove(grant),
    removeCopy: () => grants.remove(moved),
  }
}

function movingPin(
  pins: PinStore,
  { owner: principal, from, to }: Renaming,
  tool: string,
  definitions: { readonly old: string; readonly new: string },
): MovingRecord {
  const key = { principal, server: from, definition: definitions.old, tool }
  const moved = { ...key, server: to, definition: definitions.new }
  return {
    copy: async () => {
      const pin = await pins.get(key)
      if (pin !== undefined) await pins.set(moved, pin)
    },
    removeOriginal: () => pins.remove(key),
    removeCopy: () => pins.remove(moved),
  }
}
