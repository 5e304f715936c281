import type { Database } from '../database/database.ts'
import { SealError, type SealErrorCode } from '../errors.ts'
import { sealedColumns } from '../rotation/sealed-columns.ts'
import { type DataKey, unwrapKey } from '../sealing/owner-keys.ts'
import { unpack } from '../sealing/seal.ts'
import { openValue } from '../sealing/seal-value.ts'
import type { SealedColumn } from '../sealing/sealed-column.ts'
import type { WrappingKeys } from '../sealing/wrapping-keys.ts'

/** A stored value that cannot be decrypted. */
export type ValueProblem = {
  /** `damaged`: the value or its key was changed, moved or cut. The others are as of `SealError`. */
  readonly problem: SealErrorCode
  /** What the value is. */
  readonly kind: SealedColumn['kind']
  /** Owner of the row. */
  readonly owner: string
  /** What identifies the row among those of its owner, such as namespace, name and version of a setting. */
  readonly name: readonly string[]
}

/** The result of checking all values. */
export type ValuesVerification = {
  /** Number of values that were checked. */
  readonly total: number
  /** Empty if every value can be decrypted where it is. */
  readonly problems: readonly ValueProblem[]
}

type StoredValue = {
  readonly owner: string
  readonly identity: readonly string[]
  readonly value: Uint8Array
  readonly key_id: string
  readonly wrapping_key_id: string | null
  readonly wrapped_key: Uint8Array | null
}

const PAGE_SIZE = 200

/** Decrypts every value, in pages, and discards it. */
export async function verifyValues(database: Database, wrapping: WrappingKeys): Promise<ValuesVerification> {
  const problems: ValueProblem[] = []
  let total = 0
  for (const column of sealedColumns) {
    let last: StoredValue | undefined
    do {
      const page = await checkPage(database, wrapping, column, last)
      problems.push(...page.problems)
      total += page.rows.length
      last = page.rows.length < PAGE_SIZE ? undefined : page.rows.at(-1)
    } while (last !== undefined)
  }
  return { total, problems }
}

type Page = { readonly rows: readonly StoredValue[]; readonly problems: readonly ValueProblem[] }

/** A rotation may remove the key of a value after it was read, so a problem counts only if it is found twice. */
async function checkPage(
  database: Database,
  wrapping: WrappingKeys,
  column: SealedColumn,
  after: StoredValue | undefined,
): Promise<Page> {
  const rows = await readPage(database, column, after)
  const suspected = await problemsIn(rows, wrapping, column)
  if (suspected.length === 0) return { rows, problems: [] }
  const again = await problemsIn(await readPage(database, column, after), wrapping, column)
  const names = new Set(suspected.map(nameOf))
  return { rows, problems: again.filter((problem) => names.has(nameOf(problem))) }
}

function nameOf({ owner, name }: ValueProblem): string {
  return JSON.stringify([owner, ...name])
}

/** In the order of the primary key. The key is joined loosely: without it, the value is damaged, not absent. */
function readPage(
  database: Database,
  { table, keyColumn, identity, read }: SealedColumn,
  after: StoredValue | undefined,
): Promise<readonly StoredValue[]> {
  const columns = Object.entries(identity)
  const order = ['t.owner', ...columns.map(([name]) => `t.${name}`)].join(', ')
  const position = columns.map(([, type], index) => `$${index + 2}::text::${type}`).join(', ')
  const following = after === undefined ? '' : `and (${order}) > ($1::text, ${position})`
  const sql = `
    select t.owner, array[${columns.map(([name]) => `t.${name}::text`).join(', ')}] as identity, ${read} as value,
      t.${keyColumn} as key_id, k.wrapping_key_id, k.wrapped_key
    from lockbox.${table} t left join lockbox.owner_keys k on k.owner = t.owner and k.key_id = t.${keyColumn}
    where t.${keyColumn} is not null ${following}
    order by ${order} limit ${PAGE_SIZE}`
  const parameters = after === undefined ? [] : [after.owner, ...after.identity]
  return database.maintain((query) => query<StoredValue>(sql, parameters))
}

async function problemsIn(
  rows: readonly StoredValue[],
  wrapping: WrappingKeys,
  column: SealedColumn,
): Promise<readonly ValueProblem[]> {
  const keys = new Map<string, Promise<DataKey>>()
  const problems = await Promise.all(rows.map((row) => problemOf(row, wrapping, column, keys)))
  return problems.flatMap((problem, index) => {
    const row = rows[index]
    if (problem === undefined || row === undefined) return []
    return [{ problem, kind: column.kind, owner: row.owner, name: row.identity }]
  })
}

async function problemOf(
  row: StoredValue,
  wrapping: WrappingKeys,
  column: SealedColumn,
  keys: Map<string, Promise<DataKey>>,
): Promise<SealErrorCode | undefined> {
  const { owner, identity, value, key_id, wrapping_key_id, wrapped_key } = row
  if (wrapping_key_id === null || wrapped_key === null) return 'damaged'
  const key = keys.get(owner + key_id) ?? unwrapKey(wrapping, owner, { key_id, wrapping_key_id, wrapped_key })
  keys.set(owner + key_id, key)
  try {
    openValue(await key, column.location(owner, identity), unpack(value))
    return undefined
  } catch (error) {
    if (error instanceof SealError) return error.code
    throw error
  }
}
