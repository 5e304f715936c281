import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { LockboxError } from '../errors.ts'
import { hasErrorCode } from '@toolbridge/client/internal'
import { unpackEmptyCluster } from './empty-cluster.ts'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { type FolderLock, takeFolderLock } from './folder-lock.ts'

const CLUSTER = 'database'
const DRAFT = 'new-database-'
/** A transaction can delete hundreds of rows: the calls of a moment. */
const TRANSACTIONS_BETWEEN_MAINTENANCE = 250

/** Opens the database in `folder`, creating it if missing, and locks the folder until it is closed. */
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
    if (hasErrorCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Created under another name and renamed when complete, so that a crash leaves no partial database. */
async function createCluster(root: string, cluster: string): Promise<void> {
  const leftovers = (await readdir(root)).filter((name) => name.startsWith(DRAFT))
  await Promise.all(leftovers.map((name) => rm(join(root, name), { recursive: true, force: true })))
  const draft = await mkdtemp(join(root, DRAFT))
  try {
    if (!(await unpackEmptyCluster(draft))) await initialize(draft)
    await rename(draft, cluster)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Creates a database in an empty folder. */
export async function initialize(folder: string): Promise<void> {
  const database = await start(folder)
  await database.close()
}

async function start(cluster: string): Promise<PGlite> {
  try {
    return await PGlite.create({
      dataDir: cluster,
      // 1 MB segments instead of 16 MB: otherwise unused log is nearly half of an empty database.
      initDbStartParams: ['--wal-segsize=1'],
      // 8 MB of buffers instead of 128 MB: initializing them takes half of the time to open a database of a few MB.
      startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'],
    })
  } catch (cause) {
    const message = `the database in ${cluster} does not start; restore the folder from a backup`
    throw new LockboxError('unreachable', message, { data: { folder: cluster }, cause })
  }
}

function createEngine(database: PGlite, lock: FolderLock): Engine {
  let untilMaintenance = TRANSACTIONS_BETWEEN_MAINTENANCE
  return {
    async transaction(work) {
      untilMaintenance -= 1
      if (untilMaintenance === 0) {
        untilMaintenance = TRANSACTIONS_BETWEEN_MAINTENANCE
        // Before the transaction, not after it: the next transaction may be waiting for the result of this one.
        await maintain(database)
      }
      return database.transaction((transaction) => work(createSession(transaction)))
    },
    abort() {
      // PGlite runs synchronously in this process and cannot be interrupted.
    },
    async close() {
      try {
        await maintain(database)
        await database.close()
      } finally {
        await lock.release()
      }
    },
  }
}

/**
 * PGlite has no background processes: without this its log grows without bound and deleted rows keep their space. A failure
 * costs only space, so it is ignored.
 */
async function maintain(database: PGlite): Promise<void> {
  await vacuum(database).catch(() => {})
  await database.exec('checkpoint').catch(() => {})
}

/** Leaves out PostgreSQL's own tables: they take most of the time and change only with the schema. */
async function vacuum(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and oid >= 16384`,
  )
  if (rows.length > 0) await database.exec(`vacuum ${rows.map(({ name }) => name).join(', ')}`)
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
