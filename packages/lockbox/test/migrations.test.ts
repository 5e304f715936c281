import { describeDatabase, type PostgresServer, startPostgres } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import { type Migration, migrate } from '../src/database/migrate.ts'
import { migrations } from '../src/migrations/index.ts'
import { openForTest, openTestLockbox, rejection, servers } from './support/test-lockbox.ts'

describeDatabase('the schema', (databases) => {
  test('is recorded step by step, with a checksum, and not applied again', async () => {
    const location = await databases.location()
    await (await openTestLockbox(location)).close()
    const lockbox = await openForTest(location)
    const steps = await lockbox.sql<{ number: number; checksum: string }>(
      'select * from lockbox.migrations order by number',
    )
    expect(steps.map(({ number }) => number)).toEqual(migrations.map(({ number }) => number))
    expect(steps.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum))).toBe(true)
  })

  test('of a newer program is refused and left alone', async () => {
    const location = await databases.location()
    const lockbox = await openTestLockbox(location)
    await lockbox.sql(`insert into lockbox.migrations (number, name, checksum) values (9000, 'future', 'x')`)
    await lockbox.close()
    const error = await rejection(openForTest(location))
    expect(error).toMatchObject({ code: 'migration_failed', data: { migration: 9000 } })
    expect(String(error)).toContain('update this program')
  })

  test('whose steps are not ours is refused', async () => {
    const location = await databases.location()
    const lockbox = await openTestLockbox(location)
    await lockbox.sql(`update lockbox.migrations set checksum = 'edited' where number = 1`)
    await lockbox.close()
    expect(await rejection(openForTest(location))).toMatchObject({
      code: 'migration_failed',
      data: { migration: 1 },
    })
  })

  test('stays as it was when one of several steps fails', async () => {
    const location = await databases.location()
    await (await openTestLockbox(location)).close()
    const engine = await openEngine(location)
    const steps: readonly Migration[] = [
      ...migrations,
      {
        number: 9001,
        name: 'good',
        sql: 'create table lockbox.good (id integer); create table lockbox.better (id integer)',
      },
      { number: 9002, name: 'bad', sql: 'create table lockbox.bad (' },
    ]
    const error = await rejection(engine.transaction((session) => migrate(session, steps)))
    const [row] = await engine.transaction(({ query }) =>
      query(`select to_regclass('lockbox.good') as found`),
    )
    await engine.close()
    expect(error).toMatchObject({ code: 'migration_failed', data: { migration: 9002 } })
    expect(row).toEqual({ found: null })
  })
})

describe('processes that start at once on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.close())

  test('on new databases of a new server all come up: the shared role is created once', async () => {
    const urls = await Promise.all(Array.from({ length: 4 }, () => server.createDatabase()))
    const lockboxes = await Promise.all(urls.map((url) => openForTest(url)))
    await Promise.all(lockboxes.map((lockbox) => lockbox.settings.save('ann', servers, 1)))
  })

  test('on one new database all come up, and see what the others save', async () => {
    const url = await server.createDatabase()
    const lockboxes = await Promise.all(Array.from({ length: 6 }, () => openForTest(url)))
    await Promise.all(lockboxes.map((lockbox, index) => lockbox.settings.save('ann', servers, index)))
    const read = await Promise.all(lockboxes.map((lockbox) => lockbox.settings.read('ann', servers)))
    expect(read.every((setting) => setting?.version === 6)).toBe(true)
    expect(await lockboxes[0]?.sql('select number from lockbox.migrations')).toHaveLength(migrations.length)
    expect(await lockboxes[0]?.sql('select key_id from lockbox.owner_keys')).toHaveLength(1)
  })
})
