import type { Query } from '../database/engine.ts'
import { SealError } from '../errors.ts'
import type { DataKey } from '../sealing/owner-keys.ts'
import { pack, unpack } from '../sealing/seal.ts'
import { resealValue } from '../sealing/seal-value.ts'
import type { SealedColumn } from '../sealing/sealed-column.ts'

/** A data key that is replaced, and the current key of the same owner. */
export type Replacement = { readonly owner: string; readonly from: DataKey; readonly to: DataKey }

/** Position in the rows of a column, in the order of their replacements and then of their identity. */
export type Position = {
  /** Index of the replacement. */
  readonly place: number
  /** Identity of the row before the position; empty before the first one. */
  readonly identity: readonly string[]
}

/** Before all rows. */
export const START: Position = { place: 0, identity: [] }

/** What one batch did. */
export type Batch = {
  /** Rows that are encrypted with the current key now. */
  readonly moved: number
  /** Rows that cannot be decrypted. */
  readonly unreadable: number
  /** Position after the batch; undefined after the last one. */
  readonly next: Position | undefined
}

type Row = Position & { readonly value: Uint8Array }

type ResealedRow = Row & { readonly owner: string; readonly to: DataKey; readonly packed: Buffer }

/**
 * Encrypts rows with the current key of their owner. Never waits for a row that another transaction is changing: while it
 * holds other rows, both could wait for each other. Leaves such rows, and those that cannot be decrypted, as they are.
 */
export async function resealBatch(
  query: Query,
  column: SealedColumn,
  replacements: readonly Replacement[],
  after: Position,
  limit: number,
): Promise<Batch> {
  const rows = await selectRows(query, column, replacements, after, limit)
  const resealed = rows.flatMap((row) => reseal(column, row, replacements[row.place]))
  if (resealed.length > 0) await updateRows(query, column, resealed)
  return {
    moved: resealed.length,
    unreadable: rows.length - resealed.length,
    next: rows.length < limit ? undefined : rows.at(-1),
  }
}

function reseal(
  column: SealedColumn,
  row: Row,
  replacement: Replacement | undefined,
): readonly ResealedRow[] {
  if (replacement === undefined) return []
  const { owner, from, to } = replacement
  try {
    const sealed = resealValue(from, to, column.location(owner, row.identity), unpack(row.value))
    return [{ ...row, owner, to, packed: pack(sealed) }]
  } catch (error) {
    if (error instanceof SealError) return []
    throw error
  }
}

/** Reads the rows of one key after the other: sorting those of all keys for every batch would take most of the time. */
function selectRows(
  query: Query,
  column: SealedColumn,
  replacements: readonly Replacement[],
  after: Position,
  limit: number,
): Promise<readonly Row[]> {
  const identity = `array[${Object.keys(column.identity)
    .map((name) => `t.${name}::text`)
    .join(', ')}]`
  const remaining = replacements.slice(after.place)
  return query<Row>(
    `select (old.number - 1 + $3)::integer as place, found.identity, found.value
     from unnest($1::text[], $2::uuid[]) with ordinality as old (owner, key_id, number)
     cross join lateral (
       select ${identity} as identity, ${column.read} as value
       from lockbox.${column.table} t
       where t.owner = old.owner and t.${column.keyColumn} = old.key_id and (old.number > 1 or ${identity} > $4::text[])
       order by ${identity} limit $5 for update of t skip locked
     ) as found limit $5`,
    [
      remaining.map(({ owner }) => owner),
      remaining.map(({ from }) => from.id),
      after.place,
      after.identity,
      limit,
    ],
  )
}

async function updateRows(query: Query, column: SealedColumn, rows: readonly ResealedRow[]): Promise<void> {
  const names = Object.entries(column.identity)
  const arrays = names.map((_, index) => `, $${index + 4}::text[]`).join('')
  const aliases = names.map(([name]) => `, ${name}`).join('')
  const matches = names.map(([name, type]) => `and t.${name} = resealed.${name}::${type}`).join(' ')
  await query(
    `update lockbox.${column.table} t set ${column.keyColumn} = resealed.to_key_id, ${column.write}
     from (
       select *, decode(hex, 'hex') as value
       from unnest($1::text[], $2::uuid[], $3::text[]${arrays}) as given (owner, to_key_id, hex${aliases})
     ) as resealed
     where t.owner = resealed.owner ${matches}`,
    [
      rows.map(({ owner }) => owner),
      rows.map(({ to }) => to.id),
      rows.map(({ packed }) => packed.toString('hex')),
      ...names.map((_, index) => rows.map(({ identity }) => identity[index])),
    ],
  )
}
