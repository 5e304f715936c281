import { hostname } from 'node:os'
import type { Client } from 'pg'
import { LockboxError } from '../errors.ts'
import { cannotConnect, explainLoss } from './postgres-errors.ts'

/** Locks a PostgreSQL database for this process, on a connection of its own: the lock ends when that connection ends. */
export interface PostgresLock {
  /** Resolves while this process has the lock. Takes it first if needed, also after its connection was lost. */
  hold(): Promise<void>
  release(): Promise<void>
}

// An arbitrary number that no other program on the same database uses.
const PROCESS_LOCK = '7236583140562'

/** Name of the lock's connection. PostgreSQL truncates it to 63 bytes. */
export const lockApplicationName: string = `toolbridge lockbox ${process.pid}@${hostname()}`

/** Creates the lock. Connects on the first `hold`, which rejects with `lockbox_in_use` if another process has the lock. */
export function createPostgresLock(createClient: () => Client, address: string): PostgresLock {
  let holding: Promise<Client> | undefined

  function take(): Promise<Client> {
    const client = createClient()
    const forget = (): void => {
      if (holding === taking) holding = undefined
    }
    const taking = takeOn(client, address)
    client.once('end', forget)
    taking.catch(forget)
    return taking
  }

  return {
    async hold() {
      holding ??= take()
      await holding
    },
    async release() {
      const client = await holding?.catch(() => undefined)
      await client?.end()
    },
  }
}

async function takeOn(client: Client, address: string): Promise<Client> {
  // The end of the connection is handled; without a listener, its error would end the process.
  client.on('error', () => {})
  try {
    await connect(client, address)
    await client.query(keepConnection)
    const { rows } = await client.query<{ taken: boolean }>(tryLock, [PROCESS_LOCK])
    if (rows[0]?.taken !== true) throw await inUse(client, address)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explainLoss(error, address)
  }
}

async function connect(client: Client, address: string): Promise<void> {
  try {
    await client.connect()
  } catch (cause) {
    throw cannotConnect(cause, address)
  }
}

/** The server must not end an idle connection, and must notice within a minute that the machine of the process is gone. */
const keepConnection = `
select set_config(name, wanted.value, false)
from (values ('idle_session_timeout', '0'), ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'),
  ('tcp_keepalives_count', '3')) as wanted (name, value)
join pg_settings using (name)`

const tryLock = 'select pg_try_advisory_lock($1::bigint) as taken'

const findHolder = `
select application_name as name
from pg_locks join pg_stat_activity using (pid)
where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = $1::bigint
  and database = (select oid from pg_database where datname = current_database())`

async function inUse(client: Client, address: string): Promise<LockboxError> {
  const { rows } = await client.query<{ name: string | null }>(findHolder, [PROCESS_LOCK])
  const [, pid, host] = /^toolbridge lockbox (\d+)@(.+)$/.exec(rows[0]?.name ?? '') ?? []
  const holder = pid === undefined ? 'another process' : `process ${pid} on ${host}`
  const message =
    `the lockbox in the database ${address} is open in ${holder}; ` +
    'stop that process, use the gateway it runs, or choose another database'
  const data = { database: address, ...(pid === undefined ? {} : { pid: Number(pid), host }) }
  return new LockboxError('lockbox_in_use', message, { data })
}
