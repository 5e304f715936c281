import { describeDatabase, type PostgresServer, startPostgres } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import { type Migration, migrate } from '../src/database/migrate.ts'
import { migrations } from '../src/database/migrations/index.ts'
import { openLockbox } from '../src/lockbox.ts'
import {
  openForTest,
  openTestLockbox,
  rejection,
  servers,
  testKey,
  type TestLockbox,
} from './support/test-lockbox.ts'

describeDatabase('the schema', (databases) => {
  let lockbox: TestLockbox
  const migrateTo = (steps: readonly Migration[]): Promise<void> =>
    lockbox.engine.transaction((session) => migrate(session, steps))
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
  })
  afterAll(() => lockbox?.close())

  test('is recorded step by step, with a checksum, and not applied again', async () => {
    await migrateTo(migrations)
    const steps = await lockbox.sql<{ number: number; checksum: string }>(
      'select * from lockbox.migrations order by number',
    )
    expect(steps.map(({ number }) => number)).toEqual(migrations.map(({ number }) => number))
    expect(steps.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum))).toBe(true)
  })

  test('of a newer program is refused', async () => {
    const error = await rejection(migrateTo(migrations.slice(0, -1)))
    expect(error).toMatchObject({ code: 'migration_failed', data: { migration: migrations.at(-1)?.number } })
    expect(String(error)).toContain('update this program')
  })

  test('whose steps are not ours is refused', async () => {
    const edited = migrations.map((migration) => ({ ...migration, sql: `${migration.sql} -- edited` }))
    expect(await rejection(migrateTo(edited))).toMatchObject({
      code: 'migration_failed',
      data: { migration: 1 },
    })
  })

  test('stays as it was when one of several steps fails', async () => {
    const error = await rejection(
      migrateTo([
        ...migrations,
        {
          number: 9001,
          name: 'good',
          sql: 'create table lockbox.good (id integer); create table lockbox.fine (id integer)',
        },
        { number: 9002, name: 'bad', sql: 'create table lockbox.bad (' },
      ]),
    )
    expect(error).toMatchObject({ code: 'migration_failed', data: { migration: 9002 } })
    expect(await lockbox.sql(`select to_regclass('lockbox.good') as found`)).toEqual([{ found: null }])
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
    expect(await lockboxes[0]?.sql(`select key_id from lockbox.owner_keys where owner = 'ann'`)).toHaveLength(
      1,
    )
  })

  test('and need an existing lockbox are refused, and nothing is created', async () => {
    const url = await server.createDatabase()
    const opening = openLockbox({ location: url, keyring: { key: testKey }, create: false })
    expect(await rejection(opening)).toMatchObject({ code: 'unreachable' })
    const engine = await openEngine(url)
    const found = `select nspname from pg_namespace where nspname = 'lockbox'`
    expect(await engine.transaction(({ query }) => query(found))).toEqual([])
    await engine.close()
    await openForTest(url)
    const again = await openLockbox({ location: url, keyring: { key: testKey }, create: false })
    await again.close()
  })

  test('and are too old for it are refused', async () => {
    const url = await server.createDatabase()
    const lockbox = await openForTest(url)
    await lockbox.sql(`insert into lockbox.migrations (number, name, checksum) values (9000, 'future', 'x')`)
    expect(await rejection(openForTest(url))).toMatchObject({
      code: 'migration_failed',
      data: { migration: 9000 },
    })
  })
})
