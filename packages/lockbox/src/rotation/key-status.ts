import { AUDIT_OWNER } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import { sealedColumns } from './sealed-columns.ts'

/** The keys of a lockbox. Key ids are digests, safe to show. */
export type KeyStatus = {
  /** Key that the lockbox is encrypted with. */
  readonly wrappingKeyId: string
  /** First key of the source. A different one is used after the next rotation. */
  readonly preferredKeyId: string
  /** Data keys of all owners. The key of the audit is only counted if it is encrypted with another key. */
  readonly dataKeys: {
    /** Number of data keys. */
    readonly total: number
    /** Those that were replaced and are still needed by rows. */
    readonly retired: number
    /** Those that are encrypted with another key than `preferredKeyId`. */
    readonly otherWrappingKey: number
  }
  /** Encrypted values. */
  readonly values: {
    /** Number of values. */
    readonly total: number
    /** Those that are encrypted with a data key that was replaced. */
    readonly retired: number
  }
  /** The latest rotation of data keys. */
  readonly rotation: {
    /** `never` started, `unfinished` or `finished`. The next rotation continues an unfinished one. */
    readonly state: 'never' | 'unfinished' | 'finished'
    /** Start of the rotation. */
    readonly startedAt?: Date
    /** End of the rotation. */
    readonly finishedAt?: Date
  }
}

type StatusRow = {
  readonly wrapping_key_id: string
  readonly is_finished: boolean
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly keys: number
  readonly retired_keys: number
  readonly other_keys: number
  readonly values: number
  readonly retired_values: number
}

/** Counts keys and values. */
export async function readKeyStatus(database: Database, preferredKeyId: string): Promise<KeyStatus> {
  const [row] = await database.maintain((query) => query<StatusRow>(select, [preferredKeyId]))
  if (row === undefined) throw new Error('the lockbox has no row for its rotation')
  return {
    wrappingKeyId: row.wrapping_key_id,
    preferredKeyId,
    dataKeys: { total: row.keys, retired: row.retired_keys, otherWrappingKey: row.other_keys },
    values: { total: row.values, retired: row.retired_values },
    rotation: rotationOf(row),
  }
}

function rotationOf(row: StatusRow): KeyStatus['rotation'] {
  if (row.started_at === null) return { state: 'never' }
  if (!row.is_finished || row.finished_at === null) return { state: 'unfinished', startedAt: row.started_at }
  return { state: 'finished', startedAt: row.started_at, finishedAt: row.finished_at }
}

const everyValue = sealedColumns
  .map(
    ({ table, keyColumn }) =>
      `select owner, ${keyColumn} as key_id from lockbox.${table} where ${keyColumn} is not null`,
  )
  .join(' union all ')

const select = `
select c.wrapping_key_id, r.generation = r.finished_generation as is_finished, r.started_at, r.finished_at,
  k.total as keys, k.retired as retired_keys, k.other as other_keys, v.total as values, v.retired as retired_values
from lockbox.key_rotation r, lockbox.key_check c,
  (select count(*) filter (where owner <> '${AUDIT_OWNER}')::integer as total,
     count(*) filter (where not is_current)::integer as retired,
     count(*) filter (where wrapping_key_id <> $1)::integer as other from lockbox.owner_keys) as k,
  (select count(*)::integer as total, count(*) filter (where not is_current)::integer as retired
   from (${everyValue}) as value left join lockbox.owner_keys using (owner, key_id)) as v`
