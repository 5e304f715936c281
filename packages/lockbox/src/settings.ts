import { randomUUID } from 'node:crypto'
import { assertStorable } from './assert-storable.ts'
import type { Database } from './database/database.ts'
import type { Query } from './database/engine.ts'
import { LockboxError } from './errors.ts'
import type { OwnerKeys } from './sealing/owner-keys.ts'
import type { Sealed } from './sealing/seal.ts'
import { openValue, sealValue, type ValueLocation } from './sealing/seal-value.ts'

/** Which of an owner's settings is meant. */
export type SettingKey = { readonly namespace: string; readonly name: string }

/** One version of a setting, opened. */
export type StoredSetting = {
  readonly id: string
  readonly version: number
  readonly value: unknown
  readonly createdAt: Date
}

/** Where a saved version ended up. */
export type SavedSetting = { readonly id: string; readonly version: number; readonly createdAt: Date }

/** What a save may ask for. */
export type SaveOptions = {
  /** The version this save replaces, 0 for none; any other current version rejects with `version_conflict`. */
  readonly expectedVersion?: number
  /** Who saved, when that is not the owner. */
  readonly createdBy?: string
}

/** Sealed, versioned settings. Every save is a new version; earlier ones stay readable by number. */
export interface Settings {
  /** The current version, or undefined when nothing was saved. Marks it as used now. */
  read(owner: string, key: SettingKey): Promise<StoredSetting | undefined>
  /** A version by its number, current or not. Does not mark it as used. */
  readVersion(owner: string, key: SettingKey, version: number): Promise<StoredSetting | undefined>
  /** Makes `value` (anything JSON can hold) the current version. A rejected save leaves the former version current. */
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

/** Settings on `database`, sealed with `keys`. */
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
 * One statement that reads and touches. The read comes first: an update that finds the row locked by a save would look
 * again, see it retired, and report that there is nothing.
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

/** Whether a stored version can have this number. */
function isVersion(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < 2 ** 31
}

/** Holds the setting until the transaction ends, so that saves come one after the other. */
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
    `somebody saved in between; read it again and repeat the change`
  return new LockboxError('version_conflict', message, { data: { expectedVersion, currentVersion } })
}
