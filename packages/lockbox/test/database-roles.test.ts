import { type PostgresServer, startPostgres } from '@toolbridge/testkit/databases'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { tokenOf } from './support/bearer-token.ts'
import { openForTest, rejection, servers, type TestLockbox } from './support/test-lockbox.ts'

describe('on a PostgreSQL server that has no role for the lockbox', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.close())

  test('a user who may create roles creates it and steps down to it', async () => {
    const url = await databaseOf(server, 'creator', 'createrole')
    const lockbox = await openForTest(url)
    expect(await runsAs(lockbox)).toBe('lockbox_app')
    await expectApart(lockbox)
  })
})

describe('on a PostgreSQL server that has the role', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
    await administer(server.url, 'create role lockbox_app nologin; create role lockbox_maintenance nologin')
  })
  afterAll(() => server?.close())

  test('an ordinary user who may not become it goes on under forced row-level security', async () => {
    const lockbox = await openForTest(await databaseOf(server, 'ordinary', ''))
    expect(await runsAs(lockbox)).toBe('ordinary')
    await expectApart(lockbox)
    await lockbox.inbox.ask('ann', { id: 'question', payload: 1 })
    expect(await lockbox.inbox.withdrawAll()).toBe(1)
    expect(await lockbox.keys.rotate()).toMatchObject({ isComplete: true, newDataKeys: 2, resealedValues: 3 })
    const forced = await lockbox.sql<{ forced: boolean }>(
      `select bool_and(relforcerowsecurity) as forced from pg_class
       where relnamespace = 'lockbox'::regnamespace and relrowsecurity`,
    )
    expect(forced).toEqual([{ forced: true }])
  })

  test('a user who neither owns the tables nor may become the role of maintenance is told what to do', async () => {
    const url = await databaseOf(server, 'owning', '')
    await openForTest(url)
    await administer(
      server.url,
      `create role using_only login password 'using_only'; grant lockbox_app to using_only`,
    )
    await administer(asUser(url, 'owning'), 'grant usage on schema lockbox to lockbox_app, using_only')
    await administer(
      asUser(url, 'owning'),
      `grant select, insert, update, delete on all tables in schema lockbox to lockbox_app, using_only`,
    )
    const lockbox = await openForTest(asUser(url, 'using_only'))
    expect(await runsAs(lockbox)).toBe('lockbox_app')
    await expectApart(lockbox)
    const { inbox, keys } = lockbox
    for (const maintain of [() => inbox.withdrawAll(), () => keys.rotate(), () => keys.status()])
      expect(await rejection(maintain())).toMatchObject({
        code: 'migration_failed',
        message: expect.stringContaining('grant lockbox_maintenance to'),
      })
    expect(await rejection(lockbox.bearerTokens.listAll('key'))).toMatchObject({ code: 'migration_failed' })
    expect(await rejection(lockbox.verify())).toMatchObject({ code: 'migration_failed' })
    for (const attempt of [
      'set role lockbox_maintenance',
      `select set_config('role', 'lockbox_maintenance', true)`,
      'alter table lockbox.inbox no force row level security',
      'drop policy own_rows on lockbox.inbox',
      'create policy mine on lockbox.inbox using (true)',
      'grant lockbox_maintenance to using_only',
    ])
      expect(await rejection(lockbox.sql(attempt))).toMatchObject({ code: '42501' })
    await lockbox.inbox.ask('ann', { id: 'question', payload: 1 })
    await lockbox.settings.read('ann', servers)
    await lockbox.bearerTokens.add(tokenOf('ann', 'token'))
    for (const task of ['withdraw_all', 'verify_audit', 'list_all_tokens'])
      for (const table of ['inbox', 'audit', 'bearer_tokens', 'user_secrets'])
        expect(await rowsWithTask(lockbox, task, table)).toEqual([])
  })

  test('a user who was made a member steps down to it', async () => {
    const url = await databaseOf(server, 'member', 'bypassrls')
    await administer(server.url, 'grant lockbox_app to member')
    const lockbox = await openForTest(url)
    expect(await runsAs(lockbox)).toBe('lockbox_app')
    await expectApart(lockbox)
    expect(await lockbox.keys.rotate()).toMatchObject({ isComplete: true, newDataKeys: 2 })
  })

  test('a user who bypasses row-level security and cannot step down is refused, and told what to do', async () => {
    const url = await databaseOf(server, 'unbound', 'bypassrls')
    const error = await rejection(openForTest(url))
    expect(error).toMatchObject({ name: 'LockboxError', code: 'migration_failed' })
    expect(String(error)).toContain('grant lockbox_app to')
  })

  test('a role of that name that itself bypasses row-level security is not used', async () => {
    const url = await server.createDatabase()
    await administer(server.url, 'alter role lockbox_app bypassrls')
    expect(await rejection(openForTest(url))).toMatchObject({ code: 'migration_failed' })
    await administer(server.url, 'alter role lockbox_app nobypassrls')
    expect(await runsAs(await openForTest(url))).toBe('lockbox_app')
  })

  test('a user who may not create the schema is told that it failed and why', async () => {
    const url = await server.createDatabase()
    await administer(server.url, `create role guest login password 'guest'`)
    const error = await rejection(openForTest(asUser(url, 'guest')))
    expect(error).toMatchObject({ code: 'migration_failed' })
    expect(String(error)).toContain('permission denied')
  })
})

async function expectApart(lockbox: TestLockbox): Promise<void> {
  for (const owner of ['ann', 'bob']) await lockbox.settings.save(owner, servers, `of ${owner}`)
  const database = await openDatabase(lockbox.engine)
  const rows = await database.transaction('bob', (query) => query('select owner from lockbox.user_secrets'))
  expect(rows).toEqual([{ owner: 'bob' }])
}

/** What the connecting user sees after a setting that policies trusted in earlier versions. */
function rowsWithTask({ engine }: TestLockbox, task: string, table: string): Promise<readonly object[]> {
  return engine.transaction(async ({ query }) => {
    await query(`select set_config('lockbox.task', $1, true)`, [task])
    return query(`select owner from lockbox.${table}`)
  })
}

async function runsAs(lockbox: TestLockbox): Promise<unknown> {
  const database = await openDatabase(lockbox.engine)
  const [row] = await database.transaction('ann', (query) =>
    query<{ name: string }>('select current_user as name'),
  )
  return row?.name
}

async function databaseOf(server: PostgresServer, user: string, attributes: string): Promise<string> {
  const url = await server.createDatabase()
  await administer(server.url, `create role ${user} login password '${user}' ${attributes}`)
  await administer(server.url, `alter database ${new URL(url).pathname.slice(1)} owner to ${user}`)
  return asUser(url, user)
}

function asUser(url: string, user: string): string {
  return Object.assign(new URL(url), { username: user, password: user }).href
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
