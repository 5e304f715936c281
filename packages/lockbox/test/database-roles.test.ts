import { type PostgresServer, startPostgres } from '@toolbridge/testkit/databases'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
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
    await administer(server.url, 'create role lockbox_app nologin')
  })
  afterAll(() => server?.close())

  test('an ordinary user who may not become it goes on under forced row-level security', async () => {
    const lockbox = await openForTest(await databaseOf(server, 'ordinary', ''))
    expect(await runsAs(lockbox)).toBe('ordinary')
    await expectApart(lockbox)
    await lockbox.inbox.ask('ann', { id: 'question', payload: 1 })
    expect(await lockbox.inbox.withdrawAll()).toBe(1)
  })

  test('a user who was made a member steps down to it', async () => {
    const url = await databaseOf(server, 'member', 'bypassrls')
    await administer(server.url, 'grant lockbox_app to member')
    const lockbox = await openForTest(url)
    expect(await runsAs(lockbox)).toBe('lockbox_app')
    await expectApart(lockbox)
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
