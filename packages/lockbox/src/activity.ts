import { randomUUID } from 'node:crypto'
import { assertStorable } from './storable.ts'
import type { Database } from './database/database.ts'
import type { DataKey, OwnerKeys } from './sealing/owner-keys.ts'
import { pack, unpack } from './sealing/seal.ts'
import { jsonOf, openValue, sealJson } from './sealing/seal-value.ts'
import type { SealedColumn } from './sealing/sealed-column.ts'

/** An event of an owner. */
export type ActivityEntry = {
  /** Chosen by the caller. */
  readonly id: string
  /** Time of the event; entries are ordered by it. */
  readonly at: Date
  /** Any JSON value. */
  readonly payload: unknown
}

/** Encrypted log of recent events. Keeps the newest 1,000 entries of each owner, and for a while some more. */
export interface Activity {
  /** Adds an entry. */
  record(owner: string, entry: ActivityEntry): Promise<void>
  /** Adds several entries in one transaction: all of them, or none if it rejects. Costs much less than one by one. */
  recordAll(owner: string, entries: readonly ActivityEntry[]): Promise<void>
  /** Returns at most `limit` entries, and at most 1,000, newest first. */
  recent(owner: string, limit: number): Promise<readonly ActivityEntry[]>
}

/** The payloads of entries: many in one value. */
export const sealedActivity: SealedColumn = {
  kind: 'activity',
  table: 'activity',
  keyColumn: 'key_id',
  identity: { id: 'text' },
  read: 't.payload',
  write: 'payload = resealed.value',
  location: (owner, identity) => ['activity', owner, ...identity],
}

const KEPT_PER_OWNER = 1_000

/** Older ones are deleted after as many new ones: finding them costs more than adding a batch. */
const ADDED_BETWEEN_PRUNES = 250

/** Owners whose number of new entries is remembered. */
const REMEMBERED_OWNERS = 1_000

/** Size of the entries of one row, so that a rotation, which opens many rows at once, needs little memory. */
const MAX_ROW_BYTES = 65_536

/** Begins the id of a row. In rows of earlier versions, the payload is that of one entry, and its id is that of the row. */
const BATCH = 'batch:'

/** Creates an activity log on `database`, encrypted with `keys`. */
export function createActivity(database: Database, keys: OwnerKeys): Activity {
  const openRow = async (owner: string, row: ActivityRow): Promise<readonly ActivityEntry[]> => {
    const key = await keys.byId(owner, row.key_id)
    const value = openValue(key, sealedActivity.location(owner, [row.id]), unpack(row.payload))
    return row.id.startsWith(BATCH) ? entriesOf(value) : [{ id: row.id, at: row.at, payload: value }]
  }
  const pruning = createPruning()
  const recordAll: Activity['recordAll'] = async (owner, entries) => {
    assertStorable({ owner })
    if (entries.length === 0) return
    const batches = batchesOf(entries)
    await keys.use(owner, async () => {
      const key = await keys.current(owner)
      const isPruned = pruning.isDue(owner, entries.length)
      await database.transaction(owner, async (query) => {
        await query(insert, [
          owner,
          key.id,
          ...columnsOf(batches.map((batch) => sealBatch(key, owner, batch))),
        ])
        if (isPruned) await query(prune, [owner, KEPT_PER_OWNER])
      })
      pruning.added(owner, entries.length)
    })
  }
  return {
    record: (owner, entry) => recordAll(owner, [entry]),
    recordAll,
    async recent(owner, limit) {
      assertStorable({ owner })
      if (!Number.isSafeInteger(limit) || limit < 0)
        throw new RangeError('limit must be a non-negative integer')
      const wanted = Math.min(limit, KEPT_PER_OWNER)
      return keys.use(owner, async () => {
        const rows = await database.transaction(owner, (query) => query<ActivityRow>(newest, [owner, wanted]))
        const entries = await Promise.all(rows.map((row) => openRow(owner, row)))
        return newestFirst(entries.flat()).slice(0, wanted)
      })
    },
  }
}

type ActivityRow = {
  readonly id: string
  readonly at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

/** The entries of one row, and their text. */
interface Batch {
  readonly entries: ActivityEntry[]
  text: string
  bytes: number
}

/** Divides entries into rows, in their order. */
function batchesOf(entries: readonly ActivityEntry[]): readonly Batch[] {
  const batches: Batch[] = []
  for (const entry of entries) {
    const { id, at, payload } = entry
    const text = `{"id":${JSON.stringify(id)},"at":"${at.toISOString()}","payload":${jsonOf(payload)}}`
    const bytes = Buffer.byteLength(text)
    const last = batches.at(-1)
    if (last === undefined || last.bytes + bytes > MAX_ROW_BYTES)
      batches.push({ entries: [entry], text, bytes })
    else {
      last.entries.push(entry)
      last.text += `,${text}`
      last.bytes += bytes
    }
  }
  return batches
}

/** What `batchesOf` wrote. */
function entriesOf(value: unknown): readonly ActivityEntry[] {
  const entries = value as readonly { readonly id: string; readonly at: string; readonly payload: unknown }[]
  return entries.map(({ id, at, payload }) => ({ id, at: new Date(at), payload }))
}

/** In the order in which they were recorded, which decides between entries of one moment. */
function newestFirst(recorded: readonly ActivityEntry[]): readonly ActivityEntry[] {
  return recorded.toReversed().toSorted((one, other) => other.at.getTime() - one.at.getTime())
}

type SealedBatch = readonly [id: string, newest: Date, oldest: Date, entries: number, payload: string]

function sealBatch(key: DataKey, owner: string, { entries, text }: Batch): SealedBatch {
  const id = BATCH + randomUUID()
  const times = entries.map(({ at }) => at.getTime())
  const sealed = pack(sealJson(key, sealedActivity.location(owner, [id]), `[${text}]`))
  const [newest, oldest] = [new Date(Math.max(...times)), new Date(Math.min(...times))]
  return [id, newest, oldest, entries.length, sealed.toString('base64')]
}

/** The parameters of `insert`: one array for each column. */
function columnsOf(batches: readonly SealedBatch[]): readonly (readonly unknown[])[] {
  const indexes = [0, 1, 2, 3, 4] as const
  return indexes.map((index) => batches.map((batch) => batch[index]))
}

/** Counts the entries of each owner since older ones were deleted. The first ones of an owner are due: others may have added some. */
function createPruning(): {
  isDue(owner: string, adding: number): boolean
  added(owner: string, count: number): void
} {
  const addedSince = new Map<string, number>()
  const isDue = (owner: string, adding: number): boolean =>
    (addedSince.get(owner) ?? ADDED_BETWEEN_PRUNES) + adding > ADDED_BETWEEN_PRUNES
  return {
    isDue,
    added(owner, count) {
      addedSince.set(owner, isDue(owner, count) ? 0 : (addedSince.get(owner) ?? 0) + count)
      if (addedSince.size > REMEMBERED_OWNERS) addedSince.clear()
    },
  }
}

/** Base64 is half as long as hexadecimal. */
const insert = `
insert into lockbox.activity (owner, id, at, oldest, entries, key_id, payload)
select $1, new.id, new.at, new.oldest, new.entries, $2::uuid, decode(new.sealed, 'base64')
from unnest($3::text[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::text[])
  with ordinality as new (id, at, oldest, entries, sealed, number)
order by new.number`

/**
 * A time since which the owner $1 has at least $2 entries; null if there are fewer. Rows of later entries only have that many, so
 * what is older than all of them is not among the newest $2.
 */
const sinceNewest = `
select since from (
  select coalesce(oldest, at) as since,
    sum(coalesce(entries, 1)) over (order by coalesce(oldest, at) desc, recorded desc) as total
  from lockbox.activity where owner = $1
) as counted where total >= $2 order by total limit 1`

const prune = `delete from lockbox.activity where owner = $1 and at < (${sinceNewest})`

const newest = `
select id, at, key_id, payload from lockbox.activity
where owner = $1 and at >= coalesce((${sinceNewest}), '-infinity')
order by recorded`
