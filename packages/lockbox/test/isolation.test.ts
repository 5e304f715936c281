import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, NO_OWNER, openDatabase } from '../src/database/database.ts'
import { tokenOf } from './support/bearer-token.ts'
import { sealedColumns } from '../src/rotation/sealed-columns.ts'
import { openTestLockbox, rejection, servers, type TestLockbox } from './support/test-lockbox.ts'

const token = { issuer: 'https://as.example', resource: 'https://mcp.example', principal: 'ann' }
const ownerTables = [
  'user_secrets',
  'owner_keys',
  'inbox',
  'activity',
  'audit',
  'records',
  'leases',
  'bearer_tokens',
]

describeDatabase('owners are kept apart', (databases) => {
  let lockbox: TestLockbox
  let database: Database
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
    database = await openDatabase(lockbox.engine)
    for (const owner of ['ann', 'bob']) {
      await lockbox.settings.save(owner, servers, `of ${owner}`)
      await lockbox.settings.read(owner, servers)
      await lockbox.trust(owner).trust('ab'.repeat(32), `of ${owner}`)
      await lockbox.credentials(owner).lease(token, () => Promise.resolve())
      await lockbox.inbox.ask(owner, { id: 'question', payload: `of ${owner}` })
      await lockbox.activity.record(owner, { id: 'entry', at: new Date(), payload: `of ${owner}` })
      await lockbox.bearerTokens.add(tokenOf(owner, `token of ${owner}`))
    }
  })
  afterAll(() => lockbox?.close())

  test.each(ownerTables)(
    'a query on %s that forgets its owner sees only the rows of the transaction’s [S2-89]',
    async (table) => {
      const owners = await database.transaction('bob', (query) =>
        query(`select distinct owner from lockbox.${table}`),
      )
      expect(owners).toEqual([{ owner: 'bob' }])
    },
  )

  test.each(ownerTables)('a transaction without an owner sees no row of %s', async (table) => {
    const rows = await database.transaction(NO_OWNER, (query) => query(`select * from lockbox.${table}`))
    expect(rows).toEqual([])
  })

  test('the owner and the role end with the transaction', async () => {
    await database.transaction('bob', (query) => query('select 1'))
    const [row] = await lockbox.sql<{ owner: string | null; is_self: boolean }>(
      `select nullif(current_setting('lockbox.owner', true), '') as owner, current_user = session_user as is_self`,
    )
    expect(row).toEqual({ owner: null, is_self: true })
  })

  test('transactions run as a role that cannot bypass row-level security', async () => {
    const [row] = await database.transaction('bob', (query) =>
      query(`select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user`),
    )
    expect(row).toEqual({ rolname: 'lockbox_app', rolsuper: false, rolbypassrls: false })
  })

  test('every table with an owner has row-level security on, and forced on its own owner [S2-89]', async () => {
    const tables = await lockbox.sql<{
      relname: string
      relrowsecurity: boolean
      relforcerowsecurity: boolean
    }>(
      `select relname, relrowsecurity, relforcerowsecurity from pg_class
       where relkind = 'r' and relnamespace = 'lockbox'::regnamespace
         and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'owner')`,
    )
    expect(tables.map(({ relname }) => relname).toSorted()).toEqual(ownerTables.toSorted())
    expect(tables.every((table) => table.relrowsecurity && table.relforcerowsecurity)).toBe(true)
  })

  test('every table without an owner is one of those that have no rows of owners, and there is no view [S2-89]', async () => {
    const relations = await lockbox.sql<{ name: string }>(
      `select relname as name from pg_class
       where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = 'lockbox'::regnamespace`,
    )
    const known = [...ownerTables, 'key_check', 'key_rotation', 'migrations']
    expect(relations.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
  })

  test('no setting opens the rows of others to the role of owners [S2-89]', async () => {
    const settings = [
      ['lockbox.task', 'withdraw_all', 'inbox'],
      ['lockbox.task', 'verify_audit', 'audit'],
      ['lockbox.task', 'list_all_tokens', 'bearer_tokens'],
      ['lockbox.maintenance', 'lockbox_maintenance', 'records'],
      ['row_security', 'off', 'inbox'],
    ] as const
    for (const [name, value, table] of settings) {
      const rows = database.transaction('bob', async (query) => {
        await query('select set_config($1, $2, true)', [name, value])
        return query(`select distinct owner from lockbox.${table}`)
      })
      expect(await rows.catch((error: { code: string }) => error.code)).toEqual(
        name === 'row_security' ? '42501' : [{ owner: 'bob' }],
      )
    }
  })

  test('a setting of a token shows the row of that token only, and nothing of it can be changed', async () => {
    const rows = await database.transaction('bob', async (query) => {
      await query(`select set_config('lockbox.presented_token', 'token of ann', true)`)
      await query(`update lockbox.bearer_tokens set owner = 'bob' where id = 'token of ann'`)
      return query('select id, owner from lockbox.bearer_tokens order by id')
    })
    expect(rows).toEqual([
      { id: 'token of ann', owner: 'ann' },
      { id: 'token of bob', owner: 'bob' },
    ])
  })

  test('every policy lets in the rows of the transaction’s owner, the presented token, or the role of maintenance', async () => {
    const policies = await lockbox.sql<{ name: string; condition: string }>(
      `select distinct policyname as name, concat(qual, ' ', with_check) as condition from pg_policies
       where schemaname = 'lockbox' order by 1`,
    )
    const isOwn = `(owner = current_setting('lockbox.owner'::text, true))`
    expect(policies).toEqual([
      { name: 'maintenance', condition: `(CURRENT_USER = 'lockbox_maintenance'::name) ` },
      { name: 'new_entries', condition: ` ${isOwn}` },
      { name: 'own_entries', condition: `${isOwn} ` },
      { name: 'own_rows', condition: `${isOwn} ${isOwn}` },
      { name: 'presented', condition: `(id = current_setting('lockbox.presented_token'::text, true)) ` },
    ])
    const functions = `select proname from pg_proc where pronamespace = 'lockbox'::regnamespace`
    expect(await lockbox.sql(functions)).toEqual([])
  })

  test('every table that refers to data keys has its columns in the list of those that a rotation encrypts again', async () => {
    const references = await lockbox.sql<{ name: string }>(
      `select conrelid::regclass || ' ' || attname as name from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[2]
       where contype = 'f' and confrelid = 'lockbox.owner_keys'::regclass`,
    )
    // Entries of the audit cannot be changed, so its key is not replaced.
    const columns = [...sealedColumns, { table: 'audit', keyColumn: 'key_id' }]
    expect(references.map(({ name }) => name).toSorted()).toEqual(
      columns.map(({ table, keyColumn }) => `lockbox.${table} ${keyColumn}`).toSorted(),
    )
  })

  test('one owner cannot write a row of another', async () => {
    const forge = `insert into lockbox.activity (owner, id, at, key_id, payload)
      select 'ann', 'forged', at, key_id, payload from lockbox.activity`
    expect(await rejection(database.transaction('bob', (query) => query(forge)))).toMatchObject({
      code: '42501',
    })
    const steal = `update lockbox.user_secrets set created_by = 'bob' where owner = 'ann' returning id`
    expect(await database.transaction('bob', (query) => query(steal))).toEqual([])
  })

  test('a row moved to another owner is refused by the database, and with that owner’s key it does not open', async () => {
    await lockbox.settings.save('cleo', servers, 'of cleo')
    await lockbox.settings.save('dora', { namespace: 'mcp', name: 'other' }, 'of dora')
    const move = `update lockbox.user_secrets set owner = 'dora' where owner = 'cleo'`
    expect(await rejection(lockbox.sql(move))).toMatchObject({ code: '23503' })
    const keyOfDora = `(select key_id from lockbox.owner_keys where owner = 'dora')`
    await lockbox.sql(
      `update lockbox.user_secrets set owner = 'dora', key_id = ${keyOfDora} where owner = 'cleo'`,
    )
    expect(await rejection(lockbox.settings.read('dora', servers))).toMatchObject({ code: 'damaged' })
  })

  test('not even with the key it was sealed with', async () => {
    await lockbox.settings.save('emil', servers, 'of emil')
    await lockbox.sql(`insert into lockbox.owner_keys select 'fred', key_id, wrapping_key_id, wrapped_key, true, created_at
      from lockbox.owner_keys where owner = 'emil'`)
    await lockbox.sql(`update lockbox.user_secrets set owner = 'fred' where owner = 'emil'`)
    expect(await rejection(lockbox.settings.read('fred', servers))).toMatchObject({ code: 'damaged' })
  })

  test.each([
    [`name = 'elsewhere'`, { namespace: 'mcp', name: 'elsewhere' }],
    [`namespace = 'elsewhere'`, { namespace: 'elsewhere', name: 'servers' }],
    [`version = 9`, servers],
    [`ciphertext = ciphertext || '\\x00'`, servers],
    [`iv = '\\x000000000000000000000000'`, servers],
    [`auth_tag = '\\x00000000000000000000000000000000'`, servers],
  ])('a row changed by hand does not open: %s', async (change, key) => {
    const owner = `owner of ${change}`
    await lockbox.settings.save(owner, servers, 'untouched')
    await lockbox.sql(`update lockbox.user_secrets set ${change} where owner = $1`, [owner])
    expect(await rejection(lockbox.settings.read(owner, key))).toMatchObject({
      name: 'SealError',
      code: 'damaged',
    })
  })

  test('questions and entries that were moved do not open either', async () => {
    await lockbox.inbox.ask('gail', { id: 'one', payload: canary('payload') })
    await lockbox.activity.record('gail', { id: 'one', at: new Date(), payload: canary('payload') })
    await lockbox.sql(`update lockbox.inbox set id = 'two' where owner = 'gail'`)
    await lockbox.sql(`update lockbox.activity set id = 'two' where owner = 'gail'`)
    expect(await rejection(lockbox.inbox.open('gail'))).toMatchObject({ code: 'damaged' })
    expect(await rejection(lockbox.activity.recent('gail', 10))).toMatchObject({ code: 'damaged' })
  })

  test('a value in a format of the future says so', async () => {
    await lockbox.settings.save('hank', servers, 'new')
    await lockbox.sql(`update lockbox.user_secrets set format = 2 where owner = 'hank'`)
    expect(await rejection(lockbox.settings.read('hank', servers))).toMatchObject({ code: 'unknown_version' })
  })
})
