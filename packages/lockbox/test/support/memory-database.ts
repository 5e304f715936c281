import type { Database } from '../../src/database/database.ts'
import type { Query } from '../../src/database/engine.ts'

export interface OwnerKeyRow {
  owner: string
  key_id: string
  wrapping_key_id: string
  wrapped_key: Uint8Array
  is_current: boolean
  created_at: Date
}

export interface KeyCheckRow {
  wrapping_key_id: string
  wrapped: Uint8Array
}

/** A database of keys in memory whose rows a test can read and change. */
export interface MemoryDatabase extends Database {
  readonly ownerKeys: OwnerKeyRow[]
  readonly keyChecks: KeyCheckRow[]
  /** The owner of each transaction. */
  readonly transactions: string[]
  /** Runs before every insert, as another process would. Default: nothing. */
  beforeInsert: () => Promise<void>
}

/**
 * Not a real database, because the tests count transactions and let others write in between. Other tests run the same
 * statements on PGlite and PostgreSQL.
 */
export function memoryDatabase(): MemoryDatabase {
  const statements: Record<string, (parameters: readonly unknown[]) => Promise<readonly object[]>> = {
    'select key_id, wrapping_key_id, wrapped_key, is_current from lockbox.owner_keys where owner = $1':
      async ([owner]) => database.ownerKeys.filter((row) => row.owner === owner).map((row) => ({ ...row })),
    'select pg_advisory_xact_lock_shared($1::bigint)': async () => [],
    'select wrapping_key_id from lockbox.key_check': async () => [...database.keyChecks],
    'insert into lockbox.owner_keys (owner, key_id, wrapping_key_id, wrapped_key, is_current, created_at, generation) select $1, $2::uuid, $3, $4::bytea, true, $5::timestamptz, generation from lockbox.key_rotation on conflict do nothing':
      async ([owner, key_id, wrapping_key_id, wrapped_key, created_at]) => {
        await database.beforeInsert()
        const row = {
          owner,
          key_id,
          wrapping_key_id,
          wrapped_key,
          is_current: true,
          created_at,
        } as OwnerKeyRow
        if (!database.ownerKeys.some((other) => other.owner === owner && other.is_current))
          database.ownerKeys.push(row)
        return []
      },
    'select wrapping_key_id, wrapped from lockbox.key_check': async () => [...database.keyChecks],
    'insert into lockbox.key_check (wrapping_key_id, wrapped) values ($1, $2) on conflict do nothing':
      async ([wrapping_key_id, wrapped]) => {
        await database.beforeInsert()
        if (database.keyChecks.length === 0)
          database.keyChecks.push({ wrapping_key_id, wrapped } as KeyCheckRow)
        return []
      },
    'update lockbox.key_check set wrapping_key_id = $1, wrapped = $2 where wrapping_key_id <> $1': async ([
      wrapping_key_id,
      wrapped,
    ]) => {
      for (const row of database.keyChecks)
        if (row.wrapping_key_id !== wrapping_key_id) Object.assign(row, { wrapping_key_id, wrapped })
      return []
    },
  }
  const query = (async (sql: string, parameters: readonly unknown[] = []) => {
    const run = statements[sql.replaceAll(/\s+/g, ' ')]
    if (run === undefined) throw new Error(`unknown statement: ${sql}`)
    return run(parameters)
  }) as Query
  const database: MemoryDatabase = {
    ownerKeys: [],
    keyChecks: [],
    transactions: [],
    beforeInsert: async () => {},
    transaction: async (owner, work) => {
      database.transactions.push(owner)
      return work(query)
    },
    maintain: async (work) => work(query),
    close: async () => {},
  }
  return database
}
