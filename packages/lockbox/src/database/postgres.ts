import { Socket } from 'node:net'
import { Pool, type PoolClient } from 'pg'
import { LockboxError } from '../errors.ts'
import { isDatabaseUrl } from './database-url.ts'
import type { Engine, EngineTransaction, Query } from './engine.ts'

const CONNECT_DEADLINE_MS = 10_000
const STATEMENT_DEADLINE_MS = 30_000
const MAX_CONNECTIONS = 10

/** Opens a pool on `url` that connects on first use. Errors name the server and never the credentials. */
export async function openPostgres(url: string): Promise<Engine> {
  const address = describeAddress(url)
  const sockets = new Set<Socket>()
  const pool = new Pool({
    connectionString: url,
    stream: () => openSocket(sockets),
    application_name: 'toolbridge lockbox',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    statement_timeout: STATEMENT_DEADLINE_MS,
    query_timeout: STATEMENT_DEADLINE_MS + CONNECT_DEADLINE_MS,
  })
  // The pool replaces broken connections, and their running queries reject.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    async transaction(work) {
      const client = await connect(pool, address)
      return runTransaction(client, work).catch((error: unknown) => {
        throw explain(error, address)
      })
    },
    abort() {
      for (const socket of sockets) socket.destroy(new Error('the connection was aborted'))
    },
    close: () => pool.end(),
  }
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
    const reason = cause instanceof Error ? cause.message : 'no reason given'
    throw new LockboxError('unreachable', `cannot connect to the database ${address}: ${reason}`, { cause })
  }
}

async function runTransaction<T>(
  client: PoolClient,
  work: (session: EngineTransaction) => Promise<T>,
): Promise<T> {
  const session = createSession(client)
  try {
    // A statement after a lock must see what the previous holder committed, whatever the server's default is.
    await client.query('begin isolation level read committed')
    const result = await work(session)
    await commit(client)
    client.release()
    return result
  } catch (error) {
    await abandon(client)
    throw error
  } finally {
    session.end()
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

function explain(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || !isLostConnection(error)) return error
  const message = `lost the connection to the database ${address}: ${error.message}; a save in progress may or may not have succeeded`
  return new LockboxError('unreachable', message, { cause: error })
}

/** Connection exceptions (08), shutdowns (57P), too many connections (53300), timeouts (57014), and broken sockets. */
function isLostConnection(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(08...|57P0.|53300|57014|E[A-Z]+)$/.test(code)) return true
  return /^(Connection terminated|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}

function describeAddress(url: string): string {
  if (!isDatabaseUrl(url))
    throw new TypeError(
      'the database URL is not a valid postgres:// URL; write / ? # and @ in a password as %2F %3F %23 %40',
    )
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host) || 'localhost'}${pathname}`
}
