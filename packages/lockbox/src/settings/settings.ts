import { randomUUID } from 'node:crypto'
import { assertStorable } from '../storable.ts'
import type { AuditLog } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import type { Query } from '../database/engine.ts'
import { LockboxError } from '../errors.ts'
import type { DataKey, OwnerKeys } from '../sealing/owner-keys.ts'
import { openValue, sealValue } from '../sealing/seal-value.ts'
import { diffValues, type SettingChange } from './diff.ts'
import { limitExceeded, type SettingLimits } from './limits.ts'
import {
  deleteVersions,
  insertVersion,
  listVersions,
  lockVersions,
  readCurrent,
  readNumbered,
  retireCurrent,
  settingLocation,
  type SettingRow,
  type VersionNumbers,
  type VersionRow,
} from './rows.ts'

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
  /** 1 for the first save, then counted up, also after a deletion. */
  readonly version: number
  /** Time of the save. */
  readonly createdAt: Date
}

/** A version with its decrypted value. */
export type StoredSetting = SavedSetting & {
  /** The value that was saved. */
  readonly value: unknown
}

/** A version without its value. */
export type SettingVersion = SavedSetting & {
  /** Who saved. */
  readonly createdBy: string
  /** Whether `read` returns this version. */
  readonly isCurrent: boolean
  /** Time of the last `read`. Absent if there was none. */
  readonly lastUsedAt?: Date
}

/** Options of `Settings.save`, `rollback` and `delete`. */
export type SaveOptions = {
  /** Version that this save replaces, 0 for none. Any other current version rejects with `version_conflict`. Default: any. */
  readonly expectedVersion?: number
  /** Who saved. Default: the owner. */
  readonly createdBy?: string
}

/**
 * Encrypted, versioned settings. Every save creates a version; earlier versions stay readable by number, up to a limit. What
 * rejects changes nothing.
 */
export interface Settings {
  /** Returns the current version, or undefined if nothing was saved, and updates its time of last use. */
  read(owner: string, key: SettingKey): Promise<StoredSetting | undefined>
  /** Returns a version by its number, or undefined. Does not update its time of last use. */
  readVersion(owner: string, key: SettingKey, version: number): Promise<StoredSetting | undefined>
  /** Saves `value`, any JSON value, as the current version. Rejects with `limit_exceeded` if it is too large or one too many. */
  save(owner: string, key: SettingKey, value: unknown, options?: SaveOptions): Promise<SavedSetting>
  /** Lists the versions that are kept, newest first. */
  history(owner: string, key: SettingKey): Promise<readonly SettingVersion[]>
  /** Compares two versions without showing values. Rejects with `version_not_found` if one is not kept. */
  diff(owner: string, key: SettingKey, from: number, to: number): Promise<readonly SettingChange[]>
  /** Saves the value of an earlier version again, as a new version. Rejects with `version_not_found` if it is not kept. */
  rollback(owner: string, key: SettingKey, version: number, options?: SaveOptions): Promise<SavedSetting>
  /**
   * Deletes all versions for good, with an entry in the audit. Returns false if there is no current version. Numbers of versions
   * are not used again.
   */
  delete(owner: string, key: SettingKey, options?: SaveOptions): Promise<boolean>
}

/** What settings need. */
export type SettingsOptions = {
  readonly database: Database
  readonly audit: AuditLog
  readonly keys: OwnerKeys
  readonly now: () => Date
  readonly limits: SettingLimits
}

/** Creates settings on `database`, encrypted with `keys`. */
export function createSettings({ database, audit, keys, now, limits }: SettingsOptions): Settings {
  const open = async (owner: string, key: SettingKey, row: SettingRow): Promise<StoredSetting> => {
    const dataKey = await keys.byId(owner, row.key_id)
    const value = openValue(dataKey, settingLocation(owner, key, row.version), {
      ...row,
      authTag: row.auth_tag,
    })
    return { id: row.id, version: row.version, value, createdAt: row.created_at }
  }
  const readVersions = async (
    owner: string,
    key: SettingKey,
    versions: readonly number[],
  ): Promise<readonly (StoredSetting | undefined)[]> => {
    assertStorable({ owner, ...key })
    const numbers = versions.filter(isVersion)
    const opened = await keys.use(owner, async () => {
      const rows = await database.transaction(owner, (query) => readNumbered(query, owner, key, numbers))
      return Promise.all(rows.map((row) => open(owner, key, row)))
    })
    return versions.map((version) => opened.find((setting) => setting.version === version))
  }
  const change = async <T>(
    owner: string,
    key: SettingKey,
    options: SaveOptions,
    work: (prepared: Change) => Promise<T>,
  ): Promise<T> => {
    const createdBy = options.createdBy ?? owner
    assertStorable({ owner, ...key, createdBy })
    return keys.use(owner, async () => {
      const dataKey = await keys.current(owner)
      return work({ owner, key, options, createdBy, dataKey, at: now() })
    })
  }
  const settings: Settings = {
    async read(owner, key) {
      assertStorable({ owner, ...key })
      return keys.use(owner, async () => {
        const row = await database.transaction(owner, (query) => readCurrent(query, owner, key, now()))
        return row && open(owner, key, row)
      })
    },
    async readVersion(owner, key, version) {
      const [setting] = await readVersions(owner, key, [version])
      return setting
    },
    save: (owner, key, value, options = {}) =>
      change(owner, key, options, (prepared) =>
        database.transaction(owner, (query) => saveVersion(query, prepared, value, limits)),
      ),
    async history(owner, key) {
      assertStorable({ owner, ...key })
      const rows = await database.transaction(owner, (query) => listVersions(query, owner, key))
      return rows.map(settingVersion)
    },
    async diff(owner, key, from, to) {
      const [before, after] = await readVersions(owner, key, [from, to])
      if (before === undefined) throw notFound(key, from)
      if (after === undefined) throw notFound(key, to)
      return diffValues(before.value, after.value)
    },
    async rollback(owner, key, version, options) {
      const earlier = await settings.readVersion(owner, key, version)
      if (earlier === undefined) throw notFound(key, version)
      return settings.save(owner, key, earlier.value, options)
    },
    delete: (owner, key, options = {}) =>
      change(owner, key, options, (prepared) =>
        audit.transaction(owner, async (query, record) => {
          const isDeleted = await deleteSetting(query, prepared)
          if (isDeleted) record({ action: 'remove', kind: 'setting', name: [key.namespace, key.name] })
          return isDeleted
        }),
      ),
  }
  return settings
}

type Change = {
  readonly owner: string
  readonly key: SettingKey
  readonly options: SaveOptions
  readonly createdBy: string
  readonly dataKey: DataKey
  readonly at: Date
}

async function saveVersion(
  query: Query,
  change: Change,
  value: unknown,
  limits: SettingLimits,
): Promise<SavedSetting> {
  const { owner, key } = change
  const { newest, others } = await lockExpected(query, change)
  if (others >= limits.settings) throw tooMany(limits)
  const version = newest + 1
  const sealed = sealValue(change.dataKey, settingLocation(owner, key, version), value)
  // AES-GCM does not change the length.
  if (sealed.ciphertext.length > limits.valueBytes) throw tooLarge(key, limits)
  const saved = { id: randomUUID(), version, createdAt: change.at }
  await Promise.all([
    retireCurrent(query, owner, key),
    insertVersion(query, { ...change, saved, sealed, keyId: change.dataKey.id }),
    deleteVersions(query, owner, key, version - limits.versions),
  ])
  return saved
}

/** Leaves one row without a value, so that the numbers of versions continue and a stale reference to one never matches. */
async function deleteSetting(query: Query, change: Change): Promise<boolean> {
  const { owner, key, at } = change
  const { newest, current } = await lockExpected(query, change)
  if (current === 0) return false
  const version = newest + 1
  const sealed = sealValue(change.dataKey, settingLocation(owner, key, version), null)
  await deleteVersions(query, owner, key, newest)
  const saved = { id: randomUUID(), version, createdAt: at }
  await insertVersion(query, { ...change, saved, sealed, keyId: change.dataKey.id }, at)
  return true
}

async function lockExpected(query: Query, { owner, key, options }: Change): Promise<VersionNumbers> {
  const numbers = await lockVersions(query, owner, key)
  const { expectedVersion: expected } = options
  if (expected !== undefined && expected !== numbers.current) throw conflict(key, expected, numbers.current)
  return numbers
}

function tooMany(limits: SettingLimits): LockboxError {
  const message = `an owner can have at most ${limits.settings} settings; delete one first`
  return limitExceeded('settings', limits.settings, message)
}

function tooLarge(key: SettingKey, limits: SettingLimits): LockboxError {
  const message = `${nameOf(key)} is larger than ${limits.valueBytes} bytes`
  return limitExceeded('valueBytes', limits.valueBytes, message)
}

function settingVersion(row: VersionRow): SettingVersion {
  return {
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    createdBy: row.created_by,
    isCurrent: row.is_current,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  }
}

/** Whether the number fits the column. */
function isVersion(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < 2 ** 31
}

function conflict(key: SettingKey, expectedVersion: number, currentVersion: number): LockboxError {
  const message =
    `${nameOf(key)} is at version ${currentVersion}, not ${expectedVersion}: ` +
    `it was saved in the meantime; read it again and repeat the change`
  return new LockboxError('version_conflict', message, { data: { expectedVersion, currentVersion } })
}

function notFound(key: SettingKey, version: number): LockboxError {
  const message = `${nameOf(key)} has no version ${version}, or it is no longer kept; see its history`
  return new LockboxError('version_not_found', message, { data: { version } })
}

function nameOf(key: SettingKey): string {
  return `${key.namespace}/${key.name}`
}
