import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { lookAtEnd } from '../secrets/at-end.ts'
import { temporaryRoot } from './cache.ts'
import { lookInRows } from './look-in-rows.ts'
import { findPostgresPrograms, type PostgresPrograms, TEST_PASSWORD } from './postgres-programs.ts'

/**
 * A separate PostgreSQL server. `close()`, or the end of this process, stops it and removes its data. Its databases are searched for
 * secrets at the end of the test file and before it is closed.
 */
export interface PostgresServer {
  /** URL of its first database, for the superuser. */
  readonly url: string
  /** Creates an empty database and returns its URL for the superuser. */
  createDatabase(): Promise<string>
  close(): Promise<void>
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
}

const START_DEADLINE_MS = 120_000
const PORT_ATTEMPTS = 5

/** Starts a server on a free port of the loopback interface. Needs only npm packages. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = await findPostgresPrograms()
  const { child, port } = await startOnFreePort(programs)
  const urlOf = (database: string): string =>
    `postgres://postgres:${TEST_PASSWORD}@127.0.0.1:${port}/${database}`
  const unsearched = new Set([urlOf('postgres')])
  const search = async (): Promise<void> => {
    for (const url of unsearched) {
      unsearched.delete(url)
      await lookInRows(url)
    }
  }
  lookAtEnd(search)
  return {
    url: urlOf('postgres'),
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await runStatement(urlOf('postgres'), `create database ${name}`)
      unsearched.add(urlOf(name))
      return urlOf(name)
    },
    async close() {
      await search()
      await stop(child)
    },
  }
}

let ofProcess: Promise<PostgresServer> | undefined

/**
 * One server for all tests of this process, which ends with it: starting one costs more than most test files. Its databases
 * have the roles in common.
 */
export async function sharedPostgres(): Promise<Pick<PostgresServer, 'createDatabase'>> {
  ofProcess ??= startPostgres()
  return ofProcess
}

/** URL of a server that has stopped. */
export async function stoppedPostgresUrl(): Promise<string> {
  return `postgres://postgres:${TEST_PASSWORD}@127.0.0.1:${await freePort()}/postgres`
}

async function startOnFreePort(programs: PostgresPrograms): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const child = await spawnServer(programs, port)
    try {
      await untilReady(child)
      return { child, port }
    } catch (error) {
      await stop(child)
      // Another process may have taken the port in the meantime.
      const isPortTaken = error instanceof Error && error.message.includes('Address already in use')
      if (!isPortTaken || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

// Runs until its standard input closes: when this process ends for any reason, the server stops and its data is removed.
const supervise = `
data=$1; shift
exec 3<&0
"$@" & server=$!
(cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
wait $server
rm -rf "$data"`

async function spawnServer(programs: PostgresPrograms, port: number): Promise<ChildProcess> {
  const data = await copyCluster(programs)
  const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(programs.bin, 'postgres'), '-D', join(data, 'cluster'), ...options]
  return spawn('sh', ['-c', supervise, 'sh', data, ...server], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    ...programs.user,
  })
}

async function copyCluster({ cluster, user }: PostgresPrograms): Promise<string> {
  const data = await mkdtemp(join(temporaryRoot, 'toolbridge-postgres-data-'))
  if (user) await chown(data, user.uid, user.gid)
  await promisify(execFile)('cp', ['-R', cluster, join(data, 'cluster')], { ...user })
  return data
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

async function untilReady(child: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(`PostgreSQL ${reason}:\n${log}`))
    const deadline = setTimeout(() => fail('was not ready in time'), START_DEADLINE_MS)
    child.once('exit', () => fail('did not start')).once('error', reject)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (!log.includes('ready to accept connections')) return
      clearTimeout(deadline)
      resolve()
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.stdin?.end()
  await exited
}

async function runStatement(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
