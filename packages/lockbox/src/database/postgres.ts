import { Socket } from 'node:net'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import type { Engine, EngineTransaction, Query } from './engine.ts'
import { cannotConnect, describeAddress, explainLoss } from './postgres-errors.ts'
import { createPostgresLock, lockApplicationName, type PostgresLock } from './postgres-lock.ts'

const CONNECT_DEADLINE_MS = 30_000
const STATEMENT_DEADLINE_MS = 30_000
const MAX_CONNECTIONS = 10

/**
 * Opens a pool on `url` that connects on first use. Errors name the server and never the credentials. If `isExclusive`, every
 * transaction rejects with `lockbox_in_use` while another process has the database open exclusively.
 */
export async function openPostgres(url: string, isExclusive: boolean): Promise<Engine> {
  const address = describeAddress(url)
  const sockets = new Set<Socket>()
  const config: ClientConfig = {
    connectionString: url,
    stream: () => openSocket(sockets),
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    statement_timeout: STATEMENT_DEADLINE_MS,
    query_timeout: STATEMENT_DEADLINE_MS + CONNECT_DEADLINE_MS,
  }
  const pool = openPool(config)
  const lock = isExclusive ? lockOn(config, address) : undefined
  return {
    async transaction(work) {
      await lock?.hold()
      const client = await connect(pool, address)
      return runTransaction(client, work).catch((error: unknown) => {
        throw explainLoss(error, address)
      })
    },
    abort() {
      for (const socket of sockets) socket.destroy(new Error('the connection was aborted'))
    },
    async close() {
      try {
        await pool.end()
      } finally {
        await lock?.release()
      }
    },
  }
}

function openPool(config: ClientConfig): Pool {
  const settings = { ...config, application_name: 'toolbridge lockbox', max: MAX_CONNECTIONS }
  // Statements that are not awaited one by one are sent together, in one round trip.
  const pool = new Pool({ ...settings, pipeline: true })
  // The pool replaces broken connections, and their running queries reject.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function lockOn(config: ClientConfig, address: string): PostgresLock {
  const settings = { ...config, application_name: lockApplicationName, keepAlive: true }
  return createPostgresLock(() => new Client(settings), address)
}

/** The driver cannot abort a connection that is being established, so we create its sockets. */
function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}

async function connect(pool: Pool, address: string): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    throw cannotConnect(cause, address)
  }
}

async function runTransaction<T>(
  client: PoolClient,
  work: (session: EngineTransaction) => Promise<T>,
): Promise<T> {
  const session = createSession(client)
  try {
    // A statement after a lock must see what the previous holder committed, whatever the server's default is.
    const begun = client.query('begin isolation level read committed')
    const [, result] = await Promise.all([begun, work(session)])
    session.end()
    await commit(client)
    client.release()
    return result
  } catch (error) {
    // Before the rollback: a statement after it would be a transaction of its own.
    session.end()
    await abandon(client)
    throw error
  }
}

function createSession(client: PoolClient): EngineTransaction & { end(): void } {
  let hasEnded = false
  const running = (): PoolClient => {
    if (hasEnded) throw new TypeError('the transaction has ended')
    return client
  }
  const query: Query = async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await running().query<Row>(sql, [...parameters])
    return rows
  }
  return {
    query,
    async script(sql) {
      await running().query(sql)
    },
    end() {
      hasEnded = true
    },
  }
}

/** PostgreSQL answers COMMIT with ROLLBACK, without an error, if a statement failed and its error was ignored. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back because one of its statements failed')
}

async function abandon(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    // The state of the connection is unknown, so it is not reused.
    client.release(true)
  }
}
