import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLockbox, rejection, servers, type TestLockbox } from './support/test-lockbox.ts'

const config = { mcpServers: { github: { command: 'npx', env: { TOKEN: canary('saved') } } } }

describeDatabase('settings', (databases) => {
  let location: string
  let lockbox: TestLockbox
  let clock = new Date('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    location = await databases.location()
    lockbox = await openTestLockbox(location, { now: () => clock })
  })
  afterAll(() => lockbox?.close())

  test('nothing is stored before the first save', async () => {
    expect(await lockbox.settings.read('nobody yet', servers)).toBeUndefined()
    expect(await lockbox.settings.readVersion('nobody yet', servers, 1)).toBeUndefined()
  })

  test('a saved value is read back with its id, version and time', async () => {
    const saved = await lockbox.settings.save('ann', servers, config)
    expect(saved).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), version: 1, createdAt: clock })
    expect(await lockbox.settings.read('ann', servers)).toEqual({ ...saved, value: config })
  })

  test('every save is a new version, and only the newest is current [S2-74] [S2-79]', async () => {
    for (const value of ['one', 'two', 'three']) await lockbox.settings.save('bob', servers, value)
    expect(await lockbox.settings.read('bob', servers)).toMatchObject({ version: 3, value: 'three' })
    const rows = await versionsOf(lockbox, 'bob')
    expect(rows.map(({ version, is_current }) => [version, is_current])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
  })

  test('earlier versions stay readable by their number', async () => {
    for (const value of ['one', 'two']) await lockbox.settings.save('cleo', servers, value)
    expect(await lockbox.settings.readVersion('cleo', servers, 1)).toMatchObject({ version: 1, value: 'one' })
    expect(await lockbox.settings.readVersion('cleo', servers, 3)).toBeUndefined()
    expect(await lockbox.settings.readVersion('cleo', servers, 1.5)).toBeUndefined()
    expect(await lockbox.settings.readVersion('cleo', servers, 2 ** 40)).toBeUndefined()
  })

  test('owners, namespaces and names do not mix', async () => {
    await lockbox.settings.save('dora', { namespace: 'a', name: 'bc' }, 'first')
    await lockbox.settings.save('dora', { namespace: 'ab', name: 'c' }, 'second')
    expect(await lockbox.settings.read('dora', { namespace: 'a', name: 'bc' })).toMatchObject({
      value: 'first',
    })
    expect(await lockbox.settings.read('dora', { namespace: 'ab', name: 'c' })).toMatchObject({
      value: 'second',
    })
    expect(await lockbox.settings.read('dorab', { namespace: '', name: 'c' }).catch(String)).toContain(
      'RangeError',
    )
  })

  test('reading marks the version as used; reading an earlier one does not [S2-77]', async () => {
    await lockbox.settings.save('emil', servers, 'one')
    await lockbox.settings.save('emil', servers, 'two')
    await lockbox.settings.readVersion('emil', servers, 1)
    clock = new Date('2026-02-02T00:00:00Z')
    await lockbox.settings.read('emil', servers)
    expect((await versionsOf(lockbox, 'emil')).map((row) => row.last_used_at)).toEqual([null, clock])
  })

  test('who saved is kept, and is the owner unless somebody else is named', async () => {
    await lockbox.settings.save('fred', servers, 'one')
    await lockbox.settings.save('fred', servers, 'two', { createdBy: 'an administrator' })
    expect((await versionsOf(lockbox, 'fred')).map((row) => row.created_by)).toEqual([
      'fred',
      'an administrator',
    ])
  })

  test('what is stored shows nothing of the value [S2-11] [S2-72]', async () => {
    await lockbox.settings.save('gail', servers, config)
    const rows = await lockbox.sql<{ row: string }>(
      `select to_jsonb(s)::text as row from lockbox.user_secrets s`,
    )
    const stored = rows.map(({ row }) => row).join()
    for (const text of [canary('saved'), 'github', Buffer.from(canary('saved')).toString('hex')]) {
      expect(stored).not.toContain(text)
    }
  })

  describe('an expected version', () => {
    test('that is the current one lets the save through, 0 meaning none', async () => {
      await lockbox.settings.save('ines', servers, 'one', { expectedVersion: 0 })
      expect(await lockbox.settings.save('ines', servers, 'two', { expectedVersion: 1 })).toMatchObject({
        version: 2,
      })
    })

    test('that is not the current one is a conflict that names both, and changes nothing', async () => {
      await lockbox.settings.save('jane', servers, 'one')
      await lockbox.settings.save('jane', servers, 'two')
      const error = await rejection(lockbox.settings.save('jane', servers, 'lost', { expectedVersion: 1 }))
      expect(error).toMatchObject({
        code: 'version_conflict',
        data: { expectedVersion: 1, currentVersion: 2 },
      })
      expect(await lockbox.settings.read('jane', servers)).toMatchObject({ version: 2, value: 'two' })
    })

    test('lets exactly one of many simultaneous saves through [d.6-6]', async () => {
      const saves = Array.from({ length: 10 }, (_, index) =>
        lockbox.settings.save('kurt', servers, index, { expectedVersion: 0 }),
      )
      const outcomes = await Promise.allSettled(saves)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })
  })

  describe('many saves at once', () => {
    test('lose none: versions without a gap, one of them current, each value in exactly one [S2-91]', async () => {
      const values = Array.from({ length: 60 }, (_, index) => `value ${index}`)
      const saved = await Promise.all(values.map((value) => lockbox.settings.save('mona', servers, value)))
      expect(saved.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
        values.map((_, index) => index + 1),
      )
      const rows = await versionsOf(lockbox, 'mona')
      expect(rows.filter((row) => row.is_current).map((row) => row.version)).toEqual([60])
      const opened = await Promise.all(
        rows.map((row) => lockbox.settings.readVersion('mona', servers, row.version)),
      )
      expect(new Set(opened.map((setting) => setting?.value))).toEqual(new Set(values))
    })

    test('never show a reader nothing, or an older version than it saw before', async () => {
      await lockbox.settings.save('nora', servers, 0)
      let isSaving = true
      const reader = async (): Promise<void> => {
        for (let seen = 0; isSaving; ) {
          const setting = await lockbox.settings.read('nora', servers)
          expect(setting?.version).toBeGreaterThanOrEqual(Math.max(seen, 1))
          seen = setting?.version ?? 0
        }
      }
      const readers = [reader(), reader(), reader()]
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => lockbox.settings.save('nora', servers, index)),
      )
      isSaving = false
      await Promise.all(readers)
    })
  })

  describe('names that cannot be stored as they are', () => {
    test.each([
      ['empty', ''],
      ['too long', 'x'.repeat(513)],
      ['with a null character', 'a\0b'],
      ['half of a surrogate pair', 'a\ud800'],
    ])('are refused: an owner that is %s', async (_, owner) => {
      expect(await rejection(lockbox.settings.save(owner, servers, 1))).toBeInstanceOf(Error)
      expect(await rejection(lockbox.settings.read(owner, servers))).toBeInstanceOf(Error)
    })
  })

  test('a store that is opened again has everything, also when an owner’s very first save had failed', async () => {
    await rejection(lockbox.settings.save('olga', servers, 'refused', { expectedVersion: 7 }))
    await lockbox.settings.save('olga', servers, 'kept')
    await lockbox.close()
    lockbox = await openTestLockbox(location)
    expect(await lockbox.settings.read('olga', servers)).toMatchObject({ version: 1, value: 'kept' })
    await lockbox.settings.save('olga', servers, 'kept too')
    const keys = await lockbox.sql(`select distinct key_id from lockbox.user_secrets where owner = 'olga'`)
    expect(keys).toHaveLength(1)
  })
})

type VersionRow = {
  version: number
  is_current: boolean
  last_used_at: Date | null
  created_by: string
}

function versionsOf(lockbox: TestLockbox, owner: string): Promise<readonly VersionRow[]> {
  const sql = 'select * from lockbox.user_secrets where owner = $1 order by version'
  return lockbox.sql<VersionRow>(sql, [owner])
}
