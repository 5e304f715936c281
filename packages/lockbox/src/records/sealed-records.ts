import { createHash } from 'node:crypto'
import { assertStorable } from '../storable.ts'
import type { AuditEvent, AuditLog } from '../audit/audit.ts'
import type { Query } from '../database/engine.ts'
import type { DataKey, OwnerKeys } from '../sealing/owner-keys.ts'
import { associatedData, pack, unpack } from '../sealing/seal.ts'
import { openValue, sealValue } from '../sealing/seal-value.ts'
import type { SealedColumn } from '../sealing/sealed-column.ts'

/** What a record is. The reads of secret kinds are recorded. */
export type RecordKind = keyof typeof kinds

const kinds = {
  grant: { isSecret: false },
  pin: { isSecret: false },
  trust: { isSecret: false },
  input: { isSecret: true },
  tokens: { isSecret: true },
  client: { isSecret: true },
  flow: { isSecret: true },
  server: { isSecret: false },
} as const

/** Identifies a record. */
export type RecordKey = {
  readonly owner: string
  readonly kind: RecordKind
  /** Names within the kind, of any length. */
  readonly names: readonly string[]
  /** What the audit calls it. Default: `names`. Must not contain a secret. */
  readonly label?: readonly string[]
}

/** A record with the version that its last write gave it. */
export type VersionedRecord = { readonly version: number; readonly value: unknown }

/** Conditions and version of `SealedRecords.swap`. */
export type SwapOptions = {
  /** The version that must be stored; undefined for none. */
  readonly expected: number | undefined
  /** The version to store. */
  readonly version: number
  /** Runs first, in the same transaction; nothing is written if it resolves with false. Default: none. */
  readonly guard?: ((query: Query) => Promise<boolean>) | undefined
}

/** Encrypted JSON values of owners. Every change, and every read of a secret, is recorded in the audit. */
export interface SealedRecords {
  read(key: RecordKey): Promise<VersionedRecord | undefined>
  /** Reads a record without an entry in the audit. The caller records what it does with the value. */
  inspect(key: RecordKey): Promise<unknown>
  /** Records what was done with an inspected record. */
  record(key: RecordKey, action: AuditEvent['action']): Promise<void>
  /** Resolves with all records of a kind, in the order of their writing, oldest first. */
  list(owner: string, kind: RecordKind): Promise<readonly unknown[]>
  write(key: RecordKey, value: unknown): Promise<void>
  /** Writes if the stored version is the expected one, and resolves with whether it was. */
  swap(key: RecordKey, value: unknown, options: SwapOptions): Promise<boolean>
  /** Removes a record. Resolves with false if there was none. */
  remove(key: RecordKey): Promise<boolean>
  /** Reads and removes a record; of several concurrent callers one gets it. */
  take(key: RecordKey): Promise<unknown>
  /** Removes the records of a kind that were written before. */
  prune(owner: string, kind: RecordKind, before: Date): Promise<void>
}

type RecordRow = {
  readonly id: string
  readonly version: number
  readonly key_id: string
  readonly payload: Uint8Array
}

/** The values of all records. */
export const sealedRecords: SealedColumn = {
  kind: 'record',
  table: 'records',
  keyColumn: 'key_id',
  identity: { kind: 'text', id: 'text', version: 'integer' },
  read: 't.payload',
  write: 'payload = resealed.value',
  location: (owner, identity) => ['records', owner, ...identity],
}

const UNVERSIONED = 1

/** Creates the records of all owners. */
export function createRecords(audit: AuditLog, keys: OwnerKeys, now: () => Date): SealedRecords {
  return new AuditedRecords(audit, keys, now)
}

class AuditedRecords implements SealedRecords {
  readonly #audit: AuditLog
  readonly #keys: OwnerKeys
  readonly #now: () => Date

  constructor(audit: AuditLog, keys: OwnerKeys, now: () => Date) {
    this.#audit = audit
    this.#keys = keys
    this.#now = now
  }

  async read(key: RecordKey): Promise<VersionedRecord | undefined> {
    const { owner, kind } = key
    assertStorable({ owner })
    return this.#keys.use(owner, async () => {
      const row = await this.#audit.transaction(owner, async (query, record) => {
        const [found] = await query<RecordRow>(selectOne, [owner, kind, recordId(key)])
        if (found !== undefined && kinds[kind].isSecret) record(eventOf('read', key))
        return found
      })
      return row && { version: row.version, value: await this.#open(owner, kind, row) }
    })
  }

  async inspect(key: RecordKey): Promise<unknown> {
    const { owner, kind } = key
    assertStorable({ owner })
    return this.#keys.use(owner, async () => {
      const [row] = await this.#audit.transaction(owner, (query) =>
        query<RecordRow>(selectOne, [owner, kind, recordId(key)]),
      )
      return row && this.#open(owner, kind, row)
    })
  }

  record(key: RecordKey, action: AuditEvent['action']): Promise<void> {
    return this.#audit.transaction(key.owner, async (_query, record) => record(eventOf(action, key)))
  }

  async list(owner: string, kind: RecordKind): Promise<readonly unknown[]> {
    assertStorable({ owner })
    return this.#keys.use(owner, async () => {
      const rows = await this.#audit.transaction(owner, (query) => query<RecordRow>(selectAll, [owner, kind]))
      return Promise.all(rows.map((row) => this.#open(owner, kind, row)))
    })
  }

  async write(key: RecordKey, value: unknown): Promise<void> {
    const { owner } = key
    assertStorable({ owner })
    await this.#keys.use(owner, async () => {
      const dataKey = await this.#keys.current(owner)
      await this.#audit.transaction(owner, async (query, record) => {
        await query(upsert, this.#row(key, dataKey, UNVERSIONED, value))
        record(eventOf('save', key))
      })
    })
  }

  async swap(key: RecordKey, value: unknown, options: SwapOptions): Promise<boolean> {
    const { expected, version, guard } = options
    const { owner } = key
    assertStorable({ owner })
    return this.#keys.use(owner, async () => {
      const row = this.#row(key, await this.#keys.current(owner), version, value)
      return this.#audit.transaction(owner, async (query, record) => {
        if (guard !== undefined && !(await guard(query))) return false
        const written = await (expected === undefined
          ? query(insert, row)
          : query(update, [...row, expected]))
        if (written.length > 0) record(eventOf('save', key))
        return written.length > 0
      })
    })
  }

  async remove(key: RecordKey): Promise<boolean> {
    const { owner, kind } = key
    assertStorable({ owner })
    return this.#audit.transaction(owner, async (query, record) => {
      const removed = await query(deleteOne, [owner, kind, recordId(key)])
      if (removed.length > 0) record(eventOf('remove', key))
      return removed.length > 0
    })
  }

  async take(key: RecordKey): Promise<unknown> {
    const { owner, kind } = key
    assertStorable({ owner })
    // Before the row is removed: a rotation may delete its key right after.
    const dataKey = await this.#keys.current(owner)
    const row = await this.#audit.transaction(owner, async (query, record) => {
      const [taken] = await query<RecordRow>(deleteOne, [owner, kind, recordId(key)])
      if (taken !== undefined) record(eventOf('read', key))
      return taken
    })
    return row && this.#open(owner, kind, row, dataKey)
  }

  async prune(owner: string, kind: RecordKind, before: Date): Promise<void> {
    assertStorable({ owner })
    await this.#audit.transaction(owner, (query) => query(deleteBefore, [owner, kind, before]))
  }

  #row(key: RecordKey, dataKey: DataKey, version: number, value: unknown): readonly unknown[] {
    const { owner, kind } = key
    const id = recordId(key)
    const location = sealedRecords.location(owner, [kind, id, String(version)])
    const payload = pack(sealValue(dataKey, location, value))
    return [owner, kind, id, version, dataKey.id, payload, this.#now()]
  }

  async #open(owner: string, kind: RecordKind, row: RecordRow, known?: DataKey): Promise<unknown> {
    const { id, version, key_id, payload } = row
    const key = known?.id === key_id ? known : await this.#keys.byId(owner, key_id)
    return openValue(key, sealedRecords.location(owner, [kind, id, String(version)]), unpack(payload))
  }
}

/** The id of a record: a digest, because names have no maximum length and may be secret. */
export function recordId({ owner, kind, names }: RecordKey): string {
  return createHash('sha256')
    .update(associatedData('records', owner, kind, ...names))
    .digest('hex')
}

function eventOf(action: AuditEvent['action'], { kind, names, label }: RecordKey): AuditEvent {
  return { action, kind, name: label ?? names }
}

const selectOne = `
select id, version, key_id, payload from lockbox.records where owner = $1 and kind = $2 and id = $3`

const selectAll = `
select id, version, key_id, payload from lockbox.records
where owner = $1 and kind = $2 order by updated_at, id`

const insertValues = `
insert into lockbox.records (owner, kind, id, version, key_id, payload, updated_at)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (owner, kind, id)`

const insert = `${insertValues} do nothing returning id`

const upsert = `${insertValues} do update
set version = excluded.version, key_id = excluded.key_id, payload = excluded.payload, updated_at = excluded.updated_at`

const update = `
update lockbox.records set version = $4, key_id = $5, payload = $6, updated_at = $7
where owner = $1 and kind = $2 and id = $3 and version = $8 returning id`

const deleteOne = `
delete from lockbox.records where owner = $1 and kind = $2 and id = $3
returning id, version, key_id, payload`

const deleteBefore = 'delete from lockbox.records where owner = $1 and kind = $2 and updated_at < $3'
