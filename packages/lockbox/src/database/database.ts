import { LockboxError } from '../errors.ts'
import { isPostgresLocation } from './database-url.ts'
import type { Engine, Query } from './engine.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { enterTenancy, prepareTenancy, type Tenancy } from './tenancy.ts'

/** Access to the rows of one owner. Transactions only: a query beside a running transaction deadlocks PGlite. */
export interface Database {
  /** Runs `work` with access to this owner's rows only; commits when it resolves. Must not be nested. */
  transaction<T>(owner: string, work: (query: Query) => Promise<T>): Promise<T>
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
  return {
    async transaction(owner, work) {
      if (closing) throw new LockboxError('unreachable', 'the lockbox is closed')
      const transaction = engine.transaction(async ({ query }) => {
        await enterTenancy(query, tenancy, owner)
        return work(query)
      })
      running.add(transaction)
      try {
        return await transaction
      } finally {
        running.delete(transaction)
      }
    },
    close() {
      closing ??= Promise.allSettled(running).then(() => engine.close())
      return closing
    },
  }
}
