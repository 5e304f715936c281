import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import type { Keyring } from './keyring.ts'
import { associatedData } from './seal.ts'

/** A key that encrypts the values of one owner. */
export type DataKey = { readonly id: string; readonly key: KeyObject }

/** The data keys of all owners, decrypted on first use. Each method may open a transaction: do not call it inside one. */
export interface OwnerKeys {
  /** Returns the key for new values; creates it if the owner has none. */
  current(owner: string): Promise<DataKey>
  /** Returns the key of a stored value. */
  byId(owner: string, id: string): Promise<DataKey>
}

type KeySet = { readonly current: DataKey; readonly byId: ReadonlyMap<string, DataKey> }

type KeyRow = {
  readonly key_id: string
  readonly wrapping_key_id: string
  readonly wrapped_key: Uint8Array
  readonly is_current: boolean
}

const REMEMBERED_OWNERS = 1_000
const DATA_KEY_BYTES = 32

/** Caches the keys of recently used owners, so that a value costs one transaction instead of two. */
export function createOwnerKeys(database: Database, keyring: Keyring, now: () => Date): OwnerKeys {
  const remembered = new Map<string, Promise<KeySet>>()

  const load = (owner: string): Promise<KeySet> => {
    // Cached only after the commit: values encrypted with a key that was rolled back could not be decrypted.
    const loading = database
      .transaction(owner, (query) => findOrCreateKeys(query, keyring, owner, now()))
      .then((rows) => unwrapAll(keyring, owner, rows))
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
      throw new SealError('damaged', 'the key of the value is missing; restore it from a backup')
    },
  }
}

async function findOrCreateKeys(
  query: Query,
  keyring: Keyring,
  owner: string,
  at: Date,
): Promise<readonly KeyRow[]> {
  const rows = await selectKeys(query, owner)
  if (rows.some((row) => row.is_current)) return rows
  const id = randomUUID()
  const wrapped = await keyring.wrap(randomBytes(DATA_KEY_BYTES), wrapPlace(owner, id, keyring.keyId))
  // If two processes create an owner's first key at once, one succeeds and both use its key.
  await query(
    `insert into lockbox.owner_keys (owner, key_id, wrapping_key_id, wrapped_key, is_current, created_at)
     values ($1, $2, $3, $4, true, $5) on conflict do nothing`,
    [owner, id, keyring.keyId, wrapped, at],
  )
  return selectKeys(query, owner)
}

function selectKeys(query: Query, owner: string): Promise<readonly KeyRow[]> {
  const sql =
    'select key_id, wrapping_key_id, wrapped_key, is_current from lockbox.owner_keys where owner = $1'
  return query<KeyRow>(sql, [owner])
}

async function unwrapAll(keyring: Keyring, owner: string, rows: readonly KeyRow[]): Promise<KeySet> {
  const entries = await Promise.all(
    rows.map(async (row) => [row.key_id, await unwrap(keyring, owner, row)] as const),
  )
  const byId = new Map(entries)
  const current = byId.get(rows.find((row) => row.is_current)?.key_id ?? '')
  if (!current) throw new SealError('damaged', 'the owner has no current key; restore it from a backup')
  return { current, byId }
}

async function unwrap(keyring: Keyring, owner: string, row: KeyRow): Promise<DataKey> {
  if (row.wrapping_key_id !== keyring.keyId) throw wrongKey(row.wrapping_key_id, keyring.keyId)
  const bytes = await keyring.unwrap(row.wrapped_key, wrapPlace(owner, row.key_id, row.wrapping_key_id))
  return { id: row.key_id, key: createSecretKey(bytes) }
}

function wrapPlace(owner: string, keyId: string, wrappingKeyId: string): Buffer {
  return associatedData('owner_keys', owner, keyId, wrappingKeyId)
}

/** Names the required and the present key by their digests. */
export function wrongKey(neededKeyId: string, givenKeyId: string): SealError {
  const message =
    `the lockbox is encrypted with key ${neededKeyId}, and the given key is ${givenKeyId}; ` +
    `open it with its original key or key file`
  return new SealError('wrong_key', message)
}
