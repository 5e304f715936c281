import { LockboxError } from '../errors.ts'
import { isPostgresLocation } from './database-url.ts'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { runMaintenance } from './maintenance.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { enterTenancy, prepareTenancy, type Tenancy } from './tenancy.ts'

/** Access to the rows of one owner, or to those of all for maintenance. Transactions only: a query beside a running transaction deadlocks PGlite. */
export interface Database {
  /** Runs `work` with access to this owner's rows only; commits when it resolves. Must not be nested. */
  transaction<T>(owner: string, work: (query: Query) => Promise<T>): Promise<T>
  /** The same with access to the rows of all owners. For what is done for all of them: never with input of a person. */
  maintain<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Waits for running transactions. */
  close(): Promise<void>
}

/** Owner for statements that use no owner's rows: no row has it. */
export const NO_OWNER = ''

/** Options of `openEngine`. */
export interface EngineOptions {
  /** Rejects if another process has opened the PostgreSQL database exclusively. Default: false. */
  readonly exclusive?: boolean | undefined
  /** Aborts the opening of a folder. Default: none. */
  readonly signal?: AbortSignal | undefined
}

/** Opens a folder with PGlite or a URL with PostgreSQL. Loads only the engine it needs. */
export async function openEngine(location: string, options: EngineOptions = {}): Promise<Engine> {
  if (isPostgresLocation(location)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location, options.exclusive ?? false)
  }
  if (location === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new TypeError('the location of a lockbox must be a folder or a postgres:// URL')
  }
  const { openPglite } = await import('./pglite.ts')
  return openPglite(location, options.signal)
}

/** Rejects with `unreachable` if the database has no lockbox. */
export async function requireSchema(engine: Engine): Promise<void> {
  const sql = `select to_regclass('lockbox.key_check') is not null as found`
  const [row] = await engine.transaction(({ query }) => query<{ found: boolean }>(sql))
  if (!row?.found) throw new LockboxError('unreachable', 'the database has no lockbox')
}

/** Migrates the schema and returns the database. Closing it closes `engine`. */
export async function openDatabase(engine: Engine): Promise<Database> {
  const tenancy = await engine.transaction(async (session) => {
    await migrate(session, migrations)
    return prepareTenancy(session)
  })
  return createDatabase(engine, tenancy)
}

function createDatabase(engine: Engine, tenancy: Tenancy): Database {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const run = async <T>(work: (session: EngineTransaction) => Promise<T>): Promise<T> => {
    if (closing) throw new LockboxError('unreachable', 'the lockbox is closed')
    const transaction = engine.transaction(work)
    running.add(transaction)
    try {
      return await transaction
    } finally {
      running.delete(transaction)
    }
  }
  return {
    transaction: (owner, work) =>
      run(async ({ query }) => {
        // Not waited for: statements run in order, and if this one fails, so do those after it.
        const [, result] = await Promise.all([enterTenancy(query, tenancy, owner), work(query)])
        return result
      }),
    maintain: (work) =>
      run((session) => runMaintenance(session, tenancy.maintenance, () => work(session.query))),
    close() {
      closing ??= Promise.allSettled(running).then(() => engine.close())
      return closing
    },
  }
}
