import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { hasErrorCode } from '@toolbridge/client/internal'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import { associatedData } from './seal.ts'
import type { WrappingKeys } from './wrapping-keys.ts'

/** A key that encrypts the values of one owner. */
export type DataKey = { readonly id: string; readonly key: KeyObject }

/** The data keys of all owners, decrypted on first use. Each method may open a transaction: do not call it inside one. */
export interface OwnerKeys {
  /** Returns the key for new values; creates it if the owner has none. */
  current(owner: string): Promise<DataKey>
  /** Returns the key of a stored value. */
  byId(owner: string, id: string): Promise<DataKey>
  /** Runs `work`, which uses keys of the owner, and runs it again if a rotation has deleted a key that it used. */
  use<T>(owner: string, work: () => Promise<T>): Promise<T>
  /** Reads all keys again on their next use. */
  forget(): void
}

/** A stored data key. */
export type KeyRow = {
  readonly key_id: string
  readonly wrapping_key_id: string
  readonly wrapped_key: Uint8Array
}

type OwnKeyRow = KeyRow & { readonly is_current: boolean }

type KeySet = { readonly current: DataKey; readonly byId: ReadonlyMap<string, DataKey> }

const REMEMBERED_OWNERS = 1_000
const DATA_KEY_BYTES = 32
const ATTEMPTS = 5

/** Locks what decides how new data keys are made. An arbitrary number that no other program on the same database uses. */
export const KEY_LOCK = '7236583140563'

/** A value names a data key that is not there. */
class MissingKeyError extends SealError {
  constructor() {
    super('damaged', 'the key of the value is missing; restore it from a backup')
  }
}

/** Caches the keys of recently used owners, so that a value costs one transaction instead of two. */
export function createOwnerKeys(database: Database, wrapping: WrappingKeys, now: () => Date): OwnerKeys {
  const remembered = new Map<string, Promise<KeySet>>()

  const read = async (owner: string): Promise<KeySet> => {
    const rows = await database.transaction(owner, (query) => findOrCreateKeys(query, wrapping, owner, now()))
    return unwrapAll(wrapping, owner, rows)
  }

  const load = (owner: string): Promise<KeySet> => {
    // Cached only after the commit: values encrypted with a key that was rolled back could not be decrypted.
    const loading = read(owner).catch((error: unknown) => {
      // A rotation may have replaced the wrapping key after the rows were read.
      if (error instanceof SealError && error.code === 'wrong_key') return read(owner)
      throw error
    })
    loading.catch(() => remembered.delete(owner))
    return loading
  }

  const keySet = (owner: string): Promise<KeySet> => {
    const keys = remembered.get(owner) ?? load(owner)
    remembered.delete(owner)
    remembered.set(owner, keys)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size > REMEMBERED_OWNERS) remembered.delete(oldest)
    return keys
  }

  return {
    current: async (owner) => (await keySet(owner)).current,
    async byId(owner, id) {
      const known = (await keySet(owner)).byId.get(id)
      if (known) return known
      remembered.delete(owner)
      const found = (await keySet(owner)).byId.get(id)
      if (found) return found
      throw new MissingKeyError()
    },
    async use(owner, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work()
        } catch (error) {
          if (!isOfDeletedKey(error) || attempt === ATTEMPTS) throw error
          remembered.delete(owner)
        }
      }
    },
    forget: () => remembered.clear(),
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Whether the cause is a deleted key: no row can be written with it, and one that was just read may have had it. */
export function isOfDeletedKey(error: unknown): boolean {
  return error instanceof MissingKeyError || hasErrorCode(error, FOREIGN_KEY_VIOLATION)
}

async function findOrCreateKeys(
  query: Query,
  wrapping: WrappingKeys,
  owner: string,
  at: Date,
): Promise<readonly OwnKeyRow[]> {
  const rows = await selectKeys(query, owner)
  if (rows.some((row) => row.is_current)) return rows
  await lockForNewKey(query)
  await insertKey(query, owner, await newDataKey(wrapping, owner, await wrappingKeyId(query, wrapping)), at)
  return selectKeys(query, owner)
}

/**
 * Locks until the transaction ends what decides how it makes data keys. Shared, and exclusive where a rotation starts: a key made
 * before it is seen by it, one made after it is a new one.
 */
export async function lockForNewKey(query: Query): Promise<void> {
  await query('select pg_advisory_xact_lock_shared($1::bigint)', [KEY_LOCK])
}

/** The key that the lockbox is encrypted with, which is not the preferred one before a rotation. */
async function wrappingKeyId(query: Query, wrapping: WrappingKeys): Promise<string> {
  const [check] = await query<{ wrapping_key_id: string }>('select wrapping_key_id from lockbox.key_check')
  return check?.wrapping_key_id ?? wrapping.preferred.keyId
}

/** Makes a data key, wrapped with the named key. */
export async function newDataKey(
  wrapping: WrappingKeys,
  owner: string,
  wrappingKeyId: string,
): Promise<KeyRow> {
  const keyring = await wrapping.byId(wrappingKeyId)
  const id = randomUUID()
  const wrapped = await keyring.wrap(randomBytes(DATA_KEY_BYTES), wrapPlace(owner, id, keyring.keyId))
  return { key_id: id, wrapping_key_id: keyring.keyId, wrapped_key: wrapped }
}

/** Inserts the current key of an owner. If two processes do so at once, one succeeds and both use its key. */
async function insertKey(query: Query, owner: string, row: KeyRow, at: Date): Promise<void> {
  await query(
    `insert into lockbox.owner_keys (owner, key_id, wrapping_key_id, wrapped_key, is_current, created_at, generation)
     select $1, $2::uuid, $3, $4::bytea, true, $5::timestamptz, generation from lockbox.key_rotation
     on conflict do nothing`,
    [owner, row.key_id, row.wrapping_key_id, row.wrapped_key, at],
  )
}

function selectKeys(query: Query, owner: string): Promise<readonly OwnKeyRow[]> {
  const sql =
    'select key_id, wrapping_key_id, wrapped_key, is_current from lockbox.owner_keys where owner = $1'
  return query<OwnKeyRow>(sql, [owner])
}

async function unwrapAll(wrapping: WrappingKeys, owner: string, rows: readonly OwnKeyRow[]): Promise<KeySet> {
  const entries = await Promise.all(
    rows.map(async (row) => [row.key_id, await unwrapKey(wrapping, owner, row)] as const),
  )
  const byId = new Map(entries)
  const current = byId.get(rows.find((row) => row.is_current)?.key_id ?? '')
  if (!current) throw new SealError('damaged', 'the owner has no current key; restore it from a backup')
  return { current, byId }
}

/** Decrypts a stored data key. */
export async function unwrapKey(wrapping: WrappingKeys, owner: string, row: KeyRow): Promise<DataKey> {
  const keyring = await wrapping.byId(row.wrapping_key_id)
  const bytes = await keyring.unwrap(row.wrapped_key, wrapPlace(owner, row.key_id, row.wrapping_key_id))
  return { id: row.key_id, key: createSecretKey(bytes) }
}

/** Encrypts a stored data key with the preferred key instead. */
export async function rewrapKey(wrapping: WrappingKeys, owner: string, row: KeyRow): Promise<KeyRow> {
  const { preferred } = wrapping
  const { key } = await unwrapKey(wrapping, owner, row)
  const wrapped = await preferred.wrap(key.export(), wrapPlace(owner, row.key_id, preferred.keyId))
  return { key_id: row.key_id, wrapping_key_id: preferred.keyId, wrapped_key: wrapped }
}

function wrapPlace(owner: string, keyId: string, wrappingKeyId: string): Buffer {
  return associatedData('owner_keys', owner, keyId, wrappingKeyId)
}
