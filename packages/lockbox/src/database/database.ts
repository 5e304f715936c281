import { LockboxError } from '../errors.ts'
import { migrations } from '../migrations/index.ts'
import { isPostgresLocation } from './database-url.ts'
import type { Engine, Query } from './engine.ts'
import { migrate } from './migrate.ts'
import { enterTenancy, prepareTenancy, type Tenancy } from './tenancy.ts'

/** The store as one owner sees it. There is no other verb: a query beside a running transaction deadlocks PGlite. */
export interface Database {
  /** Runs `work` with only this owner's rows in sight; commits when it resolves. Never call it from within `work`. */
  transaction<T>(owner: string, work: (query: Query) => Promise<T>): Promise<T>
  /** Waits for running transactions. */
  close(): Promise<void>
}

/** For a statement that concerns no owner's rows: no row belongs to it. */
export const NO_OWNER = ''

/** Opens a folder with PGlite or an address with PostgreSQL, loading only the engine it needs. */
export async function openEngine(location: string, signal?: AbortSignal): Promise<Engine> {
  if (isPostgresLocation(location)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(location)
  }
  if (location === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new TypeError('the location of a lockbox is a folder or a postgres:// address')
  }
  const { openPglite } = await import('./pglite.ts')
  return openPglite(location, signal)
}

/** Brings the schema up to date and answers with the only door to its rows. Closing that closes `engine`. */
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
