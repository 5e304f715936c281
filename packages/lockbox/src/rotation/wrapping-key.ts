import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import { replaceKeyCheck } from '../sealing/key-check.ts'
import { KEY_LOCK, type KeyRow, rewrapKey } from '../sealing/owner-keys.ts'
import type { WrappingKeys } from '../sealing/wrapping-keys.ts'

const KEYS_PER_BATCH = 200

type OwnedKey = KeyRow & { readonly owner: string }

/** Waits until no data key is being made, and keeps others from making one until the transaction ends. */
export async function lockKeys(query: Query): Promise<void> {
  await query('select pg_advisory_xact_lock($1::bigint)', [KEY_LOCK])
}

/** Makes a new key, if the source of the keys can, and makes the preferred key that of the lockbox. */
export async function startWrappingKey(database: Database, wrapping: WrappingKeys): Promise<void> {
  await withLockedKeys(database, wrapping, async (query) => {
    await wrapping.add?.()
    await replaceKeyCheck(query, wrapping)
  })
}

/** Runs `work` with the present keys of their source, while no other process makes data keys or replaces the wrapping key. */
function withLockedKeys<T>(
  database: Database,
  wrapping: WrappingKeys,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  return database.maintain(async (query) => {
    await lockKeys(query)
    await wrapping.reload()
    return work(query)
  })
}

/** Wraps all data keys with the preferred key, except those that cannot be decrypted. */
export async function rewrapAll(
  database: Database,
  wrapping: WrappingKeys,
  onRewrapped: (count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  let after = { owner: '', key_id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    signal?.throwIfAborted()
    const from = after
    const { rewrapped, last } = await withLockedKeys(database, wrapping, (query) =>
      rewrapBatch(query, wrapping, from),
    )
    if (rewrapped > 0) onRewrapped(rewrapped)
    if (last === undefined) return
    after = last
  }
}

/** Removes the earlier keys from their source if nothing needs them. Returns the files that they were moved to. */
export async function finishWrappingKey(
  database: Database,
  wrapping: WrappingKeys,
): Promise<readonly string[]> {
  return withLockedKeys(database, wrapping, async (query) => {
    const needed = await query(selectNeeded, [wrapping.preferred.keyId])
    return needed.length > 0 ? [] : wrapping.retire()
  })
}

const selectNeeded = `
select wrapping_key_id from lockbox.owner_keys where wrapping_key_id <> $1
union all select wrapping_key_id from lockbox.key_check where wrapping_key_id <> $1 limit 1`

async function rewrapBatch(
  query: Query,
  wrapping: WrappingKeys,
  after: { readonly owner: string; readonly key_id: string },
): Promise<{ readonly rewrapped: number; readonly last: OwnedKey | undefined }> {
  const rows = await query<OwnedKey>(
    `select owner, key_id, wrapping_key_id, wrapped_key from lockbox.owner_keys
     where wrapping_key_id <> $1 and (owner, key_id) > ($2, $3::uuid)
     order by owner, key_id limit ${KEYS_PER_BATCH} for no key update`,
    [wrapping.preferred.keyId, after.owner, after.key_id],
  )
  const rewrapped = (await Promise.all(rows.map((row) => rewrap(wrapping, row)))).flat()
  if (rewrapped.length > 0) await updateKeys(query, rewrapped)
  return { rewrapped: rewrapped.length, last: rows.at(-1) }
}

async function rewrap(wrapping: WrappingKeys, row: OwnedKey): Promise<readonly OwnedKey[]> {
  try {
    return [{ owner: row.owner, ...(await rewrapKey(wrapping, row.owner, row)) }]
  } catch (error) {
    if (error instanceof SealError) return []
    throw error
  }
}

async function updateKeys(query: Query, rows: readonly OwnedKey[]): Promise<void> {
  await query(
    `update lockbox.owner_keys k set wrapping_key_id = new.wrapping_key_id, wrapped_key = decode(new.hex, 'hex')
     from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as new (owner, key_id, wrapping_key_id, hex)
     where k.owner = new.owner and k.key_id = new.key_id`,
    [
      rows.map(({ owner }) => owner),
      rows.map(({ key_id }) => key_id),
      rows.map(({ wrapping_key_id }) => wrapping_key_id),
      rows.map(({ wrapped_key }) => Buffer.from(wrapped_key).toString('hex')),
    ],
  )
}
