import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, NO_OWNER, openDatabase } from '../src/database/database.ts'
import { tokenOf } from './support/bearer-token.ts'
import { openTestLockbox, type TestLockbox } from './support/test-lockbox.ts'

describeDatabase('bearer tokens', (databases) => {
  let lockbox: TestLockbox
  let database: Database
  const now = new Date('2026-06-01T00:00:00Z')
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location(), { now: () => now })
    database = await openDatabase(lockbox.engine)
  })
  afterAll(() => lockbox?.close())

  test('are found by their id before their owner is known, and only by it', async () => {
    const token = tokenOf('ann', 'a1')
    await lockbox.bearerTokens.add(token)
    await lockbox.bearerTokens.add(tokenOf('ann', 'a2'))
    const found = await lockbox.bearerTokens.find('a1')
    expect({ ...found, digest: Buffer.from(found?.digest ?? []) }).toEqual({
      ...token,
      lastUsedAt: undefined,
    })
    expect(await lockbox.bearerTokens.find('a')).toBeUndefined()
    const seen = await database.transaction(NO_OWNER, async (query) => {
      await query(`select set_config('lockbox.presented_token', 'a1', true)`)
      return query('select id from lockbox.bearer_tokens')
    })
    expect(seen).toEqual([{ id: 'a1' }])
  })

  test('that are presented can be read and not changed', async () => {
    await lockbox.bearerTokens.add(tokenOf('bea', 'b1'))
    const changed = await database.transaction(NO_OWNER, async (query) => {
      await query(`select set_config('lockbox.presented_token', 'b1', true)`)
      return query(`update lockbox.bearer_tokens set role = 'admin' returning id`)
    })
    expect(changed).toEqual([])
  })

  test('of another owner are neither listed, recorded as used nor removed [S2-89]', async () => {
    await lockbox.bearerTokens.add(tokenOf('cleo', 'c1'))
    expect(await lockbox.bearerTokens.list('dora', 'key')).toEqual([])
    await lockbox.bearerTokens.recordUse('dora', 'c1', now)
    expect(await lockbox.bearerTokens.remove('dora', 'c1')).toBe(false)
    const [kept] = await lockbox.bearerTokens.list('cleo', 'key')
    expect(kept).toMatchObject({ id: 'c1', lastUsedAt: undefined })
  })

  test('show their last use, and are gone when they are removed', async () => {
    await lockbox.bearerTokens.add(tokenOf('emil', 'e1'))
    await lockbox.bearerTokens.recordUse('emil', 'e1', now)
    expect(await lockbox.bearerTokens.list('emil', 'key')).toMatchObject([{ id: 'e1', lastUsedAt: now }])
    expect(await lockbox.bearerTokens.remove('emil', 'e1')).toBe(true)
    expect(await lockbox.bearerTokens.find('e1')).toBeUndefined()
    expect(await lockbox.bearerTokens.remove('emil', 'e1')).toBe(false)
  })

  test('of everyone are listed for administrators, who cannot change them so', async () => {
    await lockbox.bearerTokens.add(tokenOf('fred', 'f1'))
    await lockbox.bearerTokens.add(tokenOf('gail', 'g1', { kind: 'sign-in' }))
    const ids = (await lockbox.bearerTokens.listAll('key')).map(({ id }) => id)
    expect(ids).toContain('f1')
    expect(ids).not.toContain('g1')
    const changed = await database.transaction(NO_OWNER, async (query) => {
      await query(`select set_config('lockbox.task', 'list_all_tokens', true)`)
      return query(`update lockbox.bearer_tokens set role = 'admin' returning id`)
    })
    expect(changed).toEqual([])
  })

  test('that expired go when the owner gets another, except keys, whose owner should see why they fail', async () => {
    const expiresAt = new Date('2026-05-01T00:00:00Z')
    await lockbox.bearerTokens.add(tokenOf('hank', 'h1', { kind: 'sign-in', expiresAt }))
    await lockbox.bearerTokens.add(tokenOf('hank', 'h2', { expiresAt }))
    await lockbox.bearerTokens.add(tokenOf('hank', 'h3', { kind: 'sign-in' }))
    expect(await lockbox.bearerTokens.find('h1')).toBeUndefined()
    expect(await lockbox.bearerTokens.list('hank', 'key')).toMatchObject([{ id: 'h2' }])
    expect(await lockbox.bearerTokens.list('hank', 'sign-in')).toMatchObject([{ id: 'h3' }])
  })
})
