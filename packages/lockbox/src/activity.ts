import { assertStorable } from './assert-storable.ts'
import type { Database } from './database/database.ts'
import type { OwnerKeys } from './sealing/owner-keys.ts'
import { pack, unpack } from './sealing/seal.ts'
import { openValue, sealValue } from './sealing/seal-value.ts'
import type { SealedColumn } from './sealing/sealed-column.ts'

/** An event of an owner. */
export type ActivityEntry = {
  /** Unique per owner. */
  readonly id: string
  /** Time of the event; entries are ordered by it. */
  readonly at: Date
  /** Any JSON value. */
  readonly payload: unknown
}

/** Encrypted log of recent events. Keeps the newest 1,000 entries of each owner, and for a while a few more. */
export interface Activity {
  /** Adds an entry, or replaces the one with the same id. */
  record(owner: string, entry: ActivityEntry): Promise<void>
  /** The same for several entries, in one transaction: all of them, or none if it rejects. */
  recordAll(owner: string, entries: readonly ActivityEntry[]): Promise<void>
  /** Returns at most `limit` entries, and at most 1,000, newest first. */
  recent(owner: string, limit: number): Promise<readonly ActivityEntry[]>
}

type ActivityRow = {
  readonly id: string
  readonly at: Date
  readonly key_id: string
  readonly payload: Uint8Array
}

/** The payloads of entries. */
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

/** Creates an activity log on `database`, encrypted with `keys`. */
export function createActivity(database: Database, keys: OwnerKeys): Activity {
  const openEntry = async (owner: string, row: ActivityRow): Promise<ActivityEntry> => {
    const key = await keys.byId(owner, row.key_id)
    return {
      id: row.id,
      at: row.at,
      payload: openValue(key, sealedActivity.location(owner, [row.id]), unpack(row.payload)),
    }
  }
  const pruning = createPruning()
  const recordAll: Activity['recordAll'] = async (owner, entries) => {
    assertStorable({ owner })
    for (const { id } of entries) assertStorable({ id })
    if (entries.length === 0) return
    const latest = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
    await keys.use(owner, async () => {
      const key = await keys.current(owner)
      const sealed = latest.map(({ id, payload }) =>
        pack(sealValue(key, sealedActivity.location(owner, [id]), payload)).toString('base64'),
      )
      const isPruned = pruning.isDue(owner, latest.length)
      await database.transaction(owner, async (query) => {
        await query(upsert, [owner, key.id, latest.map(({ id }) => id), latest.map(({ at }) => at), sealed])
        if (isPruned) await query(prune, [owner, KEPT_PER_OWNER])
      })
      pruning.added(owner, latest.length)
    })
  }
  return {
    record: (owner, entry) => recordAll(owner, [entry]),
    recordAll,
    async recent(owner, limit) {
      assertStorable({ owner })
      if (!Number.isSafeInteger(limit) || limit < 0)
        throw new RangeError('limit must be a non-negative integer')
      return keys.use(owner, async () => {
        const rows = await database.transaction(owner, (query) =>
          query<ActivityRow>(newest, [owner, Math.min(limit, KEPT_PER_OWNER)]),
        )
        return Promise.all(rows.map((row) => openEntry(owner, row)))
      })
    },
  }
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

/** One statement for all rows: in the embedded database, each costs as much as a call. Base64 is half as long as hexadecimal. */
const upsert = `
insert into lockbox.activity (owner, id, at, key_id, payload)
select $1, new.id, new.at, $2::uuid, decode(new.sealed, 'base64')
from unnest($3::text[], $4::timestamptz[], $5::text[]) with ordinality as new (id, at, sealed, number)
order by new.number
on conflict (owner, id) do update set at = excluded.at, key_id = excluded.key_id, payload = excluded.payload`

const prune = `
delete from lockbox.activity where owner = $1 and (at, recorded) < (
  select at, recorded from lockbox.activity where owner = $1
  order by at desc, recorded desc offset $2 - 1 limit 1)`

const newest = `
select id, at, key_id, payload from lockbox.activity
where owner = $1 order by at desc, recorded desc limit $2`
