import { randomUUID } from 'node:crypto'
import { assertStorable } from './assert-storable.ts'
import type { Database } from './database/database.ts'
import type { Query } from './database/engine.ts'
import { LockboxError } from './errors.ts'
import type { OwnerKeys } from './sealing/owner-keys.ts'
import type { Sealed } from './sealing/seal.ts'
import { openValue, sealValue, type ValueLocation } from './sealing/seal-value.ts'

/** Identifies a setting of an owner. */
export type SettingKey = {
  /** Group of settings, such as `mcp`. */
  readonly namespace: string
  /** Name within the namespace. */
  readonly name: string
}

/** A version that was saved. */
export type SavedSetting = {
  /** Unique id of the version. */
  readonly id: string
  /** 1 for the first save, then counted up. */
  readonly version: number
  /** Time of the save. */
  readonly createdAt: Date
}

/** A version with its decrypted value. */
export type StoredSetting = SavedSetting & {
  /** The value that was saved. */
  readonly value: unknown
}

/** Options of `Settings.save`. */
export type SaveOptions = {
  /** Version that this save replaces, 0 for none. Any other current version rejects with `version_conflict`. Default: any. */
  readonly expectedVersion?: number
  /** Who saved. Default: the owner. */
  readonly createdBy?: string
}

/** Encrypted, versioned settings. Every save creates a version; earlier versions stay readable by number. */
export interface Settings {
  /** Returns the current version, or undefined if nothing was saved, and updates its time of last use. */
  read(owner: string, key: SettingKey): Promise<StoredSetting | undefined>
  /** Returns a version by its number, or undefined. Does not update its time of last use. */
  readVersion(owner: string, key: SettingKey, version: number): Promise<StoredSetting | undefined>
  /** Saves `value`, any JSON value, as the current version. A rejected save changes nothing. */
  save(owner: string, key: SettingKey, value: unknown, options?: SaveOptions): Promise<SavedSetting>
}

type SettingRow = Omit<Sealed, 'authTag'> & {
  readonly id: string
  readonly version: number
  readonly created_at: Date
  readonly key_id: string
  readonly auth_tag: Uint8Array
}

type NewVersion = {
  readonly saved: SavedSetting
  readonly owner: string
  readonly key: SettingKey
  readonly sealed: Sealed
  readonly keyId: string
  readonly createdBy: string
}

const columns = 'id, version, created_at, key_id, format, iv, auth_tag, ciphertext'

/** Creates settings on `database`, encrypted with `keys`. */
export function createSettings(database: Database, keys: OwnerKeys, now: () => Date): Settings {
  const open = async (owner: string, key: SettingKey, row: SettingRow): Promise<StoredSetting> => {
    const dataKey = await keys.byId(owner, row.key_id)
    const value = openValue(dataKey, locationOf(owner, key, row.version), { ...row, authTag: row.auth_tag })
    return { id: row.id, version: row.version, value, createdAt: row.created_at }
  }
  return {
    async read(owner, key) {
      assertStorable({ owner, ...key })
      const row = await database.transaction(owner, (query) => readCurrent(query, owner, key, now()))
      return row && open(owner, key, row)
    },
    async readVersion(owner, key, version) {
      assertStorable({ owner, ...key })
      if (!isVersion(version)) return undefined
      const row = await database.transaction(owner, (query) => readNumbered(query, owner, key, version))
      return row && open(owner, key, row)
    },
    async save(owner, key, value, options = {}) {
      const createdBy = options.createdBy ?? owner
      assertStorable({ owner, ...key, createdBy })
      const dataKey = await keys.current(owner)
      return database.transaction(owner, async (query) => {
        const version = await nextVersion(query, owner, key, options.expectedVersion)
        const sealed = sealValue(dataKey, locationOf(owner, key, version), value)
        await retireCurrent(query, owner, key)
        const saved = { id: randomUUID(), version, createdAt: now() }
        await insertCurrent(query, { saved, owner, key, sealed, keyId: dataKey.id, createdBy })
        return saved
      })
    },
  }
}

function locationOf(owner: string, key: SettingKey, version: number): ValueLocation {
  return ['user_secrets', owner, key.namespace, key.name, String(version)]
}

/**
 * Reads and updates in one statement, the read first: an update that waits for a concurrent save would re-evaluate its
 * condition, find the row no longer current, and return nothing.
 */
async function readCurrent(
  query: Query,
  owner: string,
  key: SettingKey,
  at: Date,
): Promise<SettingRow | undefined> {
  const [row] = await query<SettingRow>(
    `with found as (
       select ${columns} from lockbox.user_secrets
       where owner = $1 and namespace = $2 and name = $3 and is_current and deleted_at is null
     ), touched as (
       update lockbox.user_secrets set last_used_at = $4 where id in (select id from found)
     )
     select ${columns} from found`,
    [owner, key.namespace, key.name, at],
  )
  return row
}

async function readNumbered(
  query: Query,
  owner: string,
  key: SettingKey,
  version: number,
): Promise<SettingRow | undefined> {
  const [row] = await query<SettingRow>(
    `select ${columns} from lockbox.user_secrets
     where owner = $1 and namespace = $2 and name = $3 and version = $4 and deleted_at is null`,
    [owner, key.namespace, key.name, version],
  )
  return row
}

/** Whether the number fits the column. */
function isVersion(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < 2 ** 31
}

/** Locks the setting until the transaction ends, so that saves are serialized. */
async function nextVersion(query: Query, owner: string, key: SettingKey, expected?: number): Promise<number> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify([owner, key.namespace, key.name]),
  ])
  const [row] = await query<{ newest: number; current: number }>(
    `select coalesce(max(version), 0) as newest,
            coalesce(max(version) filter (where is_current and deleted_at is null), 0) as current
     from lockbox.user_secrets where owner = $1 and namespace = $2 and name = $3`,
    [owner, key.namespace, key.name],
  )
  const { newest, current } = row ?? { newest: 0, current: 0 }
  if (expected !== undefined && expected !== current) throw conflict(key, expected, current)
  return newest + 1
}

async function retireCurrent(query: Query, owner: string, key: SettingKey): Promise<void> {
  await query(
    `update lockbox.user_secrets set is_current = false
     where owner = $1 and namespace = $2 and name = $3 and is_current`,
    [owner, key.namespace, key.name],
  )
}

async function insertCurrent(query: Query, row: NewVersion): Promise<void> {
  const { saved, owner, key, sealed } = row
  await query(
    `insert into lockbox.user_secrets (id, version, created_at, owner, namespace, name, format, iv, auth_tag,
       ciphertext, key_id, created_by, is_current)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, true)`,
    [
      saved.id,
      saved.version,
      saved.createdAt,
      owner,
      key.namespace,
      key.name,
      sealed.format,
      sealed.iv,
      sealed.authTag,
      sealed.ciphertext,
      row.keyId,
      row.createdBy,
    ],
  )
}

function conflict(key: SettingKey, expectedVersion: number, currentVersion: number): LockboxError {
  const message =
    `${key.namespace}/${key.name} is at version ${currentVersion}, not ${expectedVersion}: ` +
    `it was saved in the meantime; read it again and repeat the change`
  return new LockboxError('version_conflict', message, { data: { expectedVersion, currentVersion } })
}
