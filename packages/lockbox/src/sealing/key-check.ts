import { type Database, NO_OWNER } from '../database/database.ts'
import { SealError } from '../errors.ts'
import type { Keyring } from './keyring.ts'
import { wrongKey } from './owner-keys.ts'
import { associatedData } from './seal.ts'

type CheckRow = { readonly wrapping_key_id: string; readonly wrapped: Uint8Array }

const select = 'select wrapping_key_id, wrapped from lockbox.key_check'
const PROOF = Buffer.from('the key opens this lockbox')

/** Returns the id of the key that encrypts this lockbox, or undefined if the lockbox is new. */
export async function keyIdOfLockbox(database: Database): Promise<string | undefined> {
  const [row] = await database.transaction(NO_OWNER, (query) => query<CheckRow>(select))
  return row?.wrapping_key_id
}

/** Rejects with `wrong_key` unless `keyring` is the key of this lockbox. A new lockbox adopts the key. */
export async function checkKey(database: Database, keyring: Keyring): Promise<void> {
  const row = await database.transaction(NO_OWNER, async (query) => {
    const [found] = await query<CheckRow>(select)
    if (found) return found
    const wrapped = await keyring.wrap(PROOF, place(keyring.keyId))
    const insert =
      'insert into lockbox.key_check (wrapping_key_id, wrapped) values ($1, $2) on conflict do nothing'
    await query(insert, [keyring.keyId, wrapped])
    const [made] = await query<CheckRow>(select)
    return made
  })
  if (!row)
    throw new SealError('damaged', 'the key check of the lockbox is missing; restore it from a backup')
  if (row.wrapping_key_id !== keyring.keyId) throw wrongKey(row.wrapping_key_id, keyring.keyId)
  await keyring.unwrap(row.wrapped, place(keyring.keyId))
}

function place(keyId: string): Buffer {
  return associatedData('key_check', keyId)
}
