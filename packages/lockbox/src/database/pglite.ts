import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { LockboxError } from '../errors.ts'
import { hasCode } from '../has-code.ts'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { type FolderLock, takeFolderLock } from './folder-lock.ts'

const CLUSTER = 'database'
const DRAFT = 'new-database-'
const TRANSACTIONS_BETWEEN_UPKEEP = 1_000

/** Opens the database that lives in `folder`, creating it when missing, and holds the folder until it is closed. */
export async function openPglite(folder: string, signal?: AbortSignal): Promise<Engine> {
  const root = resolve(folder)
  await mkdir(root, { recursive: true, mode: 0o700 })
  const lock = await takeFolderLock(root)
  try {
    signal?.throwIfAborted()
    const cluster = join(root, CLUSTER)
    if (!(await exists(cluster))) await createCluster(root, cluster)
    signal?.throwIfAborted()
    return createEngine(await start(cluster), lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Made beside its place and moved there whole: a process that dies half way leaves nothing that looks like a database. */
async function createCluster(root: string, cluster: string): Promise<void> {
  const leftovers = (await readdir(root)).filter((name) => name.startsWith(DRAFT))
  await Promise.all(leftovers.map((name) => rm(join(root, name), { recursive: true, force: true })))
  const draft = await mkdtemp(join(root, DRAFT))
  try {
    const database = await start(draft)
    await database.close()
    await rename(draft, cluster)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function start(cluster: string): Promise<PGlite> {
  try {
    // Segments of 1 MB instead of 16: nearly half of an empty database would be unused log.
    return await PGlite.create({ dataDir: cluster, initDbStartParams: ['--wal-segsize=1'] })
  } catch (cause) {
    const message = `the database in ${cluster} does not start; restore the folder from a backup`
    throw new LockboxError('unreachable', message, { data: { folder: cluster }, cause })
  }
}

function createEngine(database: PGlite, lock: FolderLock): Engine {
  let untilUpkeep = TRANSACTIONS_BETWEEN_UPKEEP
  return {
    async transaction(work) {
      const result = await database.transaction((transaction) => work(createSession(transaction)))
      untilUpkeep -= 1
      if (untilUpkeep === 0) {
        untilUpkeep = TRANSACTIONS_BETWEEN_UPKEEP
        await keepUp(database)
      }
      return result
    },
    abort() {
      // It computes within this process: nothing reaches it before its step is over.
    },
    async close() {
      try {
        await keepUp(database)
        await database.close()
      } finally {
        await lock.release()
      }
    },
  }
}

/**
 * PGlite has no background processes: unasked, its log grows for ever and deleted rows keep their space. Failing here
 * costs space only, so it does not fail the transaction that happened to be next.
 */
async function keepUp(database: PGlite): Promise<void> {
  await database.exec('vacuum').catch(() => {})
  await database.exec('checkpoint').catch(() => {})
}

function createSession(transaction: Transaction): EngineTransaction {
  const query: Query = async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await transaction.query<Row>(sql, [...parameters])
    return rows
  }
  return {
    query,
    async script(sql) {
      await transaction.exec(sql)
    },
  }
}
