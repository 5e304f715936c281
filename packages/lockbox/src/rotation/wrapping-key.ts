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
  await database.maintain(async (query) => {
    await lockKeys(query)
    await wrapping.add?.()
    await replaceKeyCheck(query, wrapping)
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
    const { rewrapped, last } = await database.maintain((query) => rewrapBatch(query, wrapping, from))
    if (rewrapped > 0) onRewrapped(rewrapped)
    if (last === undefined) return
    after = last
  }
}

/** Removes the earlier keys from their source if no data key needs them. Returns the files that they were moved to. */
export async function finishWrappingKey(
  database: Database,
  wrapping: WrappingKeys,
): Promise<readonly string[]> {
  return database.maintain(async (query) => {
    await lockKeys(query)
    const sql = 'select key_id from lockbox.owner_keys where wrapping_key_id <> $1 limit 1'
    const needed = await query(sql, [wrapping.preferred.keyId])
    return needed.length > 0 ? [] : wrapping.retire()
  })
}

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
  if (rewrapped.length > 0) await updateKeys(query, wrapping, rewrapped)
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

async function updateKeys(query: Query, wrapping: WrappingKeys, rows: readonly OwnedKey[]): Promise<void> {
  await query(
    `update lockbox.owner_keys k set wrapping_key_id = $4, wrapped_key = decode(new.hex, 'hex')
     from unnest($1::text[], $2::uuid[], $3::text[]) as new (owner, key_id, hex)
     where k.owner = new.owner and k.key_id = new.key_id`,
    [
      rows.map(({ owner }) => owner),
      rows.map(({ key_id }) => key_id),
      rows.map(({ wrapped_key }) => Buffer.from(wrapped_key).toString('hex')),
      wrapping.preferred.keyId,
    ],
  )
}
