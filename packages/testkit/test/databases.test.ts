import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openKeyring, openLockbox } from '@toolbridge/lockbox'
import {
  openPgliteFromImage,
  preparePgliteImage,
  sharedPostgres,
  startPostgres,
} from '@toolbridge/testkit/databases'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { canary, takeLeaks } from '@toolbridge/testkit/secrets'
import { Client } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const key = '00'.repeat(32)

describe('PGlite from an image', () => {
  beforeAll(async () => void (await preparePgliteImage()))

  test('a copy opens with any key, and what is saved in it stays out of the next copy', async () => {
    const first = await copy()
    await save(first.location)
    const second = await copy()
    expect(await saved(second.location)).toBeUndefined()
  })

  test('closing removes the copy', async () => {
    const folder = await openPgliteFromImage()
    await folder.close()
    await expect(stat(folder.location)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('PostgreSQL', () => {
  test('listens on loopback only, and every database is a fresh one', async () => {
    const server = await sharedPostgres()
    const [one, two] = await Promise.all([server.createDatabase(), server.createDatabase()])
    expect(one).not.toBe(two)
    expect(await ask(one, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect(await ask(two, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }])
  })

  test('a secret in a row is found before the server is closed, as text and in binary values', async () => {
    const server = await startPostgres()
    await ask(server.url, 'create table kept (value text, bytes bytea)')
    await ask(await server.createDatabase(), 'create table clean as select 1 as number')
    await ask(server.url, `insert into kept values ('${canary('row')}')`)
    await server.close()
    expect(takeLeaks()).toMatchObject([{ where: 'the table kept' }])

    const other = await startPostgres()
    await ask(
      await other.createDatabase(),
      `create table bytes as select '${canary('bytes')}'::bytea as value`,
    )
    await other.close()
    expect(takeLeaks()).toMatchObject([{ where: 'the table bytes' }])
  })

  test('closing stops the server and removes its data, and closing again does nothing', async () => {
    const server = await startPostgres()
    const [row] = await ask(server.url, 'show data_directory')
    await server.close()
    await server.close()
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    await expect(readdir(row?.['data_directory'] ?? '')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a killed test process leaves no server behind', async () => {
    const owner = startOwner()
    const url = await firstLineOf(owner)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    owner.kill('SIGKILL')
    await expect.poll(() => ask(url, 'select 1').then(String, String)).toContain('ECONNREFUSED')
  })
})

async function copy(): ReturnType<typeof openPgliteFromImage> {
  const folder = await openPgliteFromImage()
  onTestFinished(() => folder.close())
  return folder
}

async function save(location: string): Promise<void> {
  const lockbox = await openLockbox({ location, keyring: await openKeyring({ key }) })
  await lockbox.settings.save('ann', { namespace: 'n', name: 'n' }, 'kept')
  await lockbox.close()
}

async function saved(location: string): Promise<unknown> {
  const lockbox = await openLockbox({ location, keyring: await openKeyring({ key }) })
  const setting = await lockbox.settings.read('ann', { namespace: 'n', name: 'n' })
  await lockbox.close()
  return setting?.value
}

async function ask(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url })
  // A server that stops at this moment tells its clients apart from their questions, which fail as well.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, string>>(sql)
    return rows
  } finally {
    await client.end()
  }
}

function startOwner(): ChildProcess {
  const entry = fileURLToPath(new URL('../dist/databases/postgres.js', import.meta.url))
  const program = `import { startPostgres } from ${JSON.stringify(entry)}
    console.log((await startPostgres()).url)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void owner.kill('SIGKILL'))
  return owner
}
