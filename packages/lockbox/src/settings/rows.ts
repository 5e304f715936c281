import type { Query } from '../database/engine.ts'
import type { Sealed } from '../sealing/seal.ts'
import type { ValueLocation } from '../sealing/seal-value.ts'
import type { SealedColumn } from '../sealing/sealed-column.ts'
import type { SavedSetting, SettingKey } from './settings.ts'

/** An encrypted version. */
export type SettingRow = Omit<Sealed, 'authTag'> & {
  readonly id: string
  readonly version: number
  readonly created_at: Date
  readonly key_id: string
  readonly auth_tag: Uint8Array
}

/** A version without its value. */
export type VersionRow = {
  readonly id: string
  readonly version: number
  readonly created_at: Date
  readonly created_by: string
  readonly is_current: boolean
  readonly last_used_at: Date | null
}

/** A version to insert. */
export type NewVersion = {
  readonly saved: SavedSetting
  readonly owner: string
  readonly key: SettingKey
  readonly sealed: Sealed
  readonly keyId: string
  readonly createdBy: string
}

/** Numbers of a setting, 0 for none. */
export type VersionNumbers = {
  /** The highest one ever used. */
  readonly newest: number
  readonly current: number
  /** How many settings the owner has; 0 if this is one of them. */
  readonly others: number
}

/** The values of all versions. */
export const sealedSettings: SealedColumn = {
  kind: 'setting',
  table: 'user_secrets',
  keyColumn: 'key_id',
  identity: { namespace: 'text', name: 'text', version: 'integer' },
  read: `set_byte('\\x00', 0, t.format & 255) || t.iv || t.auth_tag || t.ciphertext`,
  write: `format = get_byte(resealed.value, 0), iv = substring(resealed.value from 2 for 12),
    auth_tag = substring(resealed.value from 14 for 16), ciphertext = substring(resealed.value from 30)`,
  location: (owner, identity) => ['user_secrets', owner, ...identity],
}

/** Location that the value of a version is bound to. */
export function settingLocation(owner: string, key: SettingKey, version: number): ValueLocation {
  return sealedSettings.location(owner, [key.namespace, key.name, String(version)])
}

const columns = 'id, version, created_at, key_id, format, iv, auth_tag, ciphertext'

/**
 * Reads and updates in one statement, the read first: an update that waits for a concurrent save would re-evaluate its
 * condition, find the row no longer current, and return nothing.
 */
export async function readCurrent(
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

/** Reads versions by their numbers. */
export function readNumbered(
  query: Query,
  owner: string,
  key: SettingKey,
  versions: readonly number[],
): Promise<readonly SettingRow[]> {
  return query<SettingRow>(
    `select ${columns} from lockbox.user_secrets
     where owner = $1 and namespace = $2 and name = $3 and version = any ($4::integer[]) and deleted_at is null`,
    [owner, key.namespace, key.name, versions],
  )
}

/** Lists the versions, newest first. */
export function listVersions(query: Query, owner: string, key: SettingKey): Promise<readonly VersionRow[]> {
  return query<VersionRow>(
    `select id, version, created_at, created_by, is_current, last_used_at from lockbox.user_secrets
     where owner = $1 and namespace = $2 and name = $3 and deleted_at is null order by version desc`,
    [owner, key.namespace, key.name],
  )
}

/** Locks the owner's settings until the transaction ends, so that saves are serialized and no setting is added meanwhile. */
export async function lockVersions(query: Query, owner: string, key: SettingKey): Promise<VersionNumbers> {
  const [, [row]] = await Promise.all([
    query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify([owner])]),
    query<VersionNumbers>(numbers, [owner, key.namespace, key.name]),
  ])
  return row ?? { newest: 0, current: 0, others: 0 }
}

const numbers = `
select newest, current, case when current > 0 then 0 else (
  select count(*)::integer from lockbox.user_secrets where owner = $1 and is_current
) end as others
from (
  select coalesce(max(version), 0) as newest,
         coalesce(max(version) filter (where is_current and deleted_at is null), 0) as current
  from lockbox.user_secrets where owner = $1 and namespace = $2 and name = $3
) as versions`

/** Marks the current version as an earlier one. */
export async function retireCurrent(query: Query, owner: string, key: SettingKey): Promise<void> {
  await query(
    `update lockbox.user_secrets set is_current = false
     where owner = $1 and namespace = $2 and name = $3 and is_current`,
    [owner, key.namespace, key.name],
  )
}

/** Inserts a version as the current one, or as the mark of a deletion. */
export async function insertVersion(query: Query, row: NewVersion, deletedAt?: Date): Promise<void> {
  const { saved, owner, key, sealed } = row
  await query(
    `insert into lockbox.user_secrets (id, version, created_at, owner, namespace, name, format, iv, auth_tag,
       ciphertext, key_id, created_by, is_current, deleted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::timestamptz is null, $13)`,
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
      deletedAt ?? null,
    ],
  )
}

/** Deletes the versions up to a number. */
export async function deleteVersions(
  query: Query,
  owner: string,
  key: SettingKey,
  upTo: number,
): Promise<void> {
  await query(
    `delete from lockbox.user_secrets where owner = $1 and namespace = $2 and name = $3 and version <= $4`,
    [owner, key.namespace, key.name, upTo],
  )
}
