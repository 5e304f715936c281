import { setTimeout as wait } from 'node:timers/promises'
import { AUDIT_OWNER } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import { isOfDeletedKey, type KeyRow, lockForNewKey, newDataKey, unwrapKey } from '../sealing/owner-keys.ts'
import type { WrappingKeys } from '../sealing/wrapping-keys.ts'
import { type Batch, type Position, type Replacement, resealBatch, START } from './reseal-rows.ts'
import { sealedColumns } from './sealed-columns.ts'

const KEYS_PER_BATCH = 100
const ROWS_PER_BATCH = 500
const ROUNDS = 200
const PAUSE_MS = 10
const ATTEMPTS = 5

/** What a rotation of data keys needs. */
export type DataKeyRotation = {
  readonly database: Database
  readonly wrapping: WrappingKeys
  readonly now: () => Date
  readonly signal: AbortSignal | undefined
}

type RetiredKey = KeyRow & {
  readonly owner: string
  readonly current_key_id: string
  readonly current_wrapping_key_id: string
  readonly current_wrapped_key: Uint8Array
}

/** Gives every owner whose key is older than `generation` a new key. Calls `onCreated` with the number of each batch. */
export async function createSuccessors(
  { database, wrapping, now, signal }: DataKeyRotation,
  generation: number,
  onCreated: (count: number) => void,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const created = await database.maintain((query) => replaceCurrent(query, wrapping, generation, now()))
    if (created > 0) onCreated(created)
    // Another process that rotates may have taken the keys that this one selected.
    else if (!(await database.maintain((query) => hasOlder(query, generation)))) return
  }
}

const isOlder = `is_current and generation < $1 and owner <> '${AUDIT_OWNER}'`

async function hasOlder(query: Query, generation: number): Promise<boolean> {
  const sql = `select key_id from lockbox.owner_keys where ${isOlder} limit 1`
  return (await query(sql, [generation])).length > 0
}

async function replaceCurrent(
  query: Query,
  wrapping: WrappingKeys,
  generation: number,
  at: Date,
): Promise<number> {
  await lockForNewKey(query)
  const retired = await query<{ owner: string; wrapping_key_id: string }>(
    `update lockbox.owner_keys set is_current = false where (owner, key_id) in (
       select owner, key_id from lockbox.owner_keys where ${isOlder}
       order by owner limit ${KEYS_PER_BATCH} for no key update
     ) returning owner, (select wrapping_key_id from lockbox.key_check) as wrapping_key_id`,
    [generation],
  )
  const keys = await Promise.all(
    retired.map(({ owner, wrapping_key_id }) => newDataKey(wrapping, owner, wrapping_key_id)),
  )
  await query(
    `insert into lockbox.owner_keys (owner, key_id, wrapping_key_id, wrapped_key, is_current, created_at, generation)
     select owner, key_id, wrapping_key_id, decode(hex, 'hex'), true, $5::timestamptz, $6::integer
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as new (owner, key_id, wrapping_key_id, hex)`,
    [
      retired.map(({ owner }) => owner),
      keys.map(({ key_id }) => key_id),
      keys.map(({ wrapping_key_id }) => wrapping_key_id),
      keys.map(({ wrapped_key }) => Buffer.from(wrapped_key).toString('hex')),
      at,
      generation,
    ],
  )
  return retired.length
}

/** Counters of `replaceRetired`. */
export type ReplacedRows = {
  /** Called with the number of rows that were encrypted again. */
  readonly onRows: (count: number) => void
  /** Called with the number of keys that were deleted. */
  readonly onKeys: (count: number) => void
}

/**
 * Encrypts the rows of all retired keys with the current key of their owner, then deletes those keys. Keeps a key if rows of it
 * cannot be decrypted. Returns false if other transactions kept on changing rows of a retired key. Rejects if the current keys
 * are gone whenever they are used.
 */
export async function replaceRetired(rotation: DataKeyRotation, counters: ReplacedRows): Promise<boolean> {
  let after = { owner: '', key_id: '00000000-0000-0000-0000-000000000000' }
  let [isDone, attempt] = [true, 1]
  for (;;) {
    rotation.signal?.throwIfAborted()
    const from = after
    const keys = await rotation.database.maintain((query) => selectRetired(query, from))
    const last = keys.at(-1)
    if (last === undefined) return isDone
    try {
      isDone = (await replaceKeys(rotation, keys, counters)) && isDone
      after = last
      attempt = 1
    } catch (error) {
      // A later rotation of another process has replaced the current keys: select them again.
      if (!isOfDeletedKey(error) || attempt === ATTEMPTS) throw error
      attempt += 1
    }
  }
}

function selectRetired(
  query: Query,
  after: { readonly owner: string; readonly key_id: string },
): Promise<readonly RetiredKey[]> {
  return query<RetiredKey>(
    `select old.owner, old.key_id, old.wrapping_key_id, old.wrapped_key, new.key_id as current_key_id,
       new.wrapping_key_id as current_wrapping_key_id, new.wrapped_key as current_wrapped_key
     from lockbox.owner_keys old join lockbox.owner_keys new on new.owner = old.owner and new.is_current
     where not old.is_current and (old.owner, old.key_id) > ($1, $2::uuid)
     order by old.owner, old.key_id limit ${KEYS_PER_BATCH}`,
    [after.owner, after.key_id],
  )
}

async function replaceKeys(
  rotation: DataKeyRotation,
  keys: readonly RetiredKey[],
  counters: ReplacedRows,
): Promise<boolean> {
  const replacements = (await Promise.all(keys.map((key) => openKeys(rotation.wrapping, key)))).flat()
  await moveRows(rotation, replacements, counters)
  return deleteKeys(rotation, replacements, counters)
}

/** Empty if one of the keys cannot be decrypted. */
async function openKeys(wrapping: WrappingKeys, row: RetiredKey): Promise<readonly Replacement[]> {
  const { owner } = row
  const current = {
    key_id: row.current_key_id,
    wrapping_key_id: row.current_wrapping_key_id,
    wrapped_key: row.current_wrapped_key,
  }
  try {
    return [
      { owner, from: await unwrapKey(wrapping, owner, row), to: await unwrapKey(wrapping, owner, current) },
    ]
  } catch (error) {
    if (error instanceof SealError) return []
    throw error
  }
}

async function moveRows(
  { database, signal }: DataKeyRotation,
  replacements: readonly Replacement[],
  { onRows }: ReplacedRows,
): Promise<void> {
  for (const column of sealedColumns) {
    for (let position: Position | undefined = START; position !== undefined; ) {
      signal?.throwIfAborted()
      const from: Position = position
      const { moved, next }: Batch = await database.maintain((query) =>
        resealBatch(query, column, replacements, from, ROWS_PER_BATCH),
      )
      if (moved > 0) onRows(moved)
      position = next
    }
  }
}

/** Tries again while a key remains only because another transaction was changing a row of it. */
async function deleteKeys(
  { database, signal }: DataKeyRotation,
  replacements: readonly Replacement[],
  { onRows, onKeys }: ReplacedRows,
): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    signal?.throwIfAborted()
    const { moved, deleted, isBusy } = await database.maintain((query) => deleteBatch(query, replacements))
    if (moved > 0) onRows(moved)
    if (deleted > 0) onKeys(deleted)
    if (!isBusy) return true
    await wait(PAUSE_MS)
  }
  return false
}

type Deletion = { readonly moved: number; readonly deleted: number; readonly isBusy: boolean }

/** Locks the keys first, which keeps others from writing rows with them, then moves the rows that were written meanwhile. */
async function deleteBatch(query: Query, replacements: readonly Replacement[]): Promise<Deletion> {
  const keys = [replacements.map(({ owner }) => owner), replacements.map(({ from }) => from.id)]
  await query(lockKeys, keys)
  let [moved, unreadable] = [0, 0]
  for (const column of sealedColumns) {
    const batch = await resealBatch(query, column, replacements, START, MAX_ROWS)
    moved += batch.moved
    unreadable += batch.unreadable
  }
  const deleted = await query(deleteUnused, keys)
  const [left] = await query<{ rows: number }>(countRows, keys)
  return { moved, deleted: deleted.length, isBusy: (left?.rows ?? 0) > unreadable }
}

const MAX_ROWS = 2 ** 31 - 1

const given = 'unnest($1::text[], $2::uuid[]) as old (owner, key_id)'

const lockKeys = `
select k.key_id from lockbox.owner_keys k join ${given} on k.owner = old.owner and k.key_id = old.key_id
order by k.owner, k.key_id for update of k`

const deleteUnused = `
delete from lockbox.owner_keys k using ${given}
where k.owner = old.owner and k.key_id = old.key_id and not k.is_current
${sealedColumns
  .map(
    ({ table, keyColumn }) =>
      `and not exists (select from lockbox.${table} t where t.owner = k.owner and t.${keyColumn} = k.key_id)`,
  )
  .join('\n')}
returning k.key_id`

const countRows = `
select (${sealedColumns
  .map(
    ({ table, keyColumn }) =>
      `(select count(*) from lockbox.${table} t join ${given} on t.owner = old.owner and t.${keyColumn} = old.key_id)`,
  )
  .join(' + ')})::integer as rows`
