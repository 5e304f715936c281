import { type Database, NO_OWNER } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import { associatedData } from './seal.ts'
import type { WrappingKeys } from './wrapping-keys.ts'

type CheckRow = { readonly wrapping_key_id: string; readonly wrapped: Uint8Array }

const select = 'select wrapping_key_id, wrapped from lockbox.key_check'
const PROOF = Buffer.from('the key opens this lockbox')

/** Returns the id of the key that encrypts this lockbox, or undefined if the lockbox is new. */
export async function keyIdOfLockbox(database: Database): Promise<string | undefined> {
  const [row] = await database.transaction(NO_OWNER, (query) => query<CheckRow>(select))
  return row?.wrapping_key_id
}

/** Rejects with `wrong_key` unless `wrapping` has the key of this lockbox. A new lockbox adopts the preferred key. */
export async function checkKey(database: Database, wrapping: WrappingKeys): Promise<void> {
  const row = await database.transaction(NO_OWNER, async (query) => {
    const [found] = await query<CheckRow>(select)
    if (found) return found
    const insert =
      'insert into lockbox.key_check (wrapping_key_id, wrapped) values ($1, $2) on conflict do nothing'
    await query(insert, [wrapping.preferred.keyId, await proofOf(wrapping)])
    const [made] = await query<CheckRow>(select)
    return made
  })
  if (!row)
    throw new SealError('damaged', 'the key check of the lockbox is missing; restore it from a backup')
  const keyring = await wrapping.byId(row.wrapping_key_id)
  await keyring.unwrap(row.wrapped, place(row.wrapping_key_id))
}

/** Makes the preferred key that of the lockbox, in a transaction of maintenance. */
export async function replaceKeyCheck(query: Query, wrapping: WrappingKeys): Promise<void> {
  const { keyId } = wrapping.preferred
  const update = 'update lockbox.key_check set wrapping_key_id = $1, wrapped = $2 where wrapping_key_id <> $1'
  await query(update, [keyId, await proofOf(wrapping)])
}

function proofOf({ preferred }: WrappingKeys): Promise<Uint8Array> {
  return preferred.wrap(PROOF, place(preferred.keyId))
}

function place(keyId: string): Buffer {
  return associatedData('key_check', keyId)
}
