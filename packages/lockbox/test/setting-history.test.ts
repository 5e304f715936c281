import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLockbox, openLockboxOn } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { completeLimits } from '../src/settings/limits.ts'
import type { Settings } from '../src/settings/settings.ts'
import { openTestLockbox, rejection, servers, testKey, type TestLockbox } from './support/test-lockbox.ts'

const limits = completeLimits({ settings: 3, valueBytes: 100, versions: 4 })

describeDatabase('the history of a setting', (databases) => {
  let lockbox: TestLockbox
  let settings: Settings
  /** The same store with small limits. */
  let limited: Settings
  let clock = new Date('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location(), { now: () => clock })
    settings = lockbox.settings
    const keyring = await openKeyring({ key: testKey })
    limited = (await openLockboxOn(lockbox.engine, keyring, () => clock, limits)).settings
  })
  afterAll(() => lockbox?.close())

  const countRows = async (owner: string): Promise<number> =>
    (await lockbox.sql('select id from lockbox.user_secrets where owner = $1', [owner])).length

  test('lists the versions with who saved them and when, newest first, for the owner only [C25]', async () => {
    const first = await settings.save('ann', servers, canary('first'))
    clock = new Date('2026-01-02T00:00:00Z')
    const second = await settings.save('ann', servers, canary('second'), { createdBy: 'an administrator' })
    await settings.read('ann', servers)
    expect(await settings.history('ann', servers)).toEqual([
      { ...second, createdBy: 'an administrator', isCurrent: true, lastUsedAt: clock },
      { ...first, createdBy: 'ann', isCurrent: false },
    ])
    expect(await settings.history('bob', servers)).toEqual([])
    expect(await settings.history('ann', { namespace: 'mcp', name: 'other' })).toEqual([])
  })

  test('compares two versions without their values [C25]', async () => {
    await settings.save('cleo', servers, { env: { TOKEN: canary('before') }, port: 1 })
    await settings.save('cleo', servers, { env: { TOKEN: canary('after') } })
    const changes = await settings.diff('cleo', servers, 1, 2)
    expect(changes).toEqual([
      { path: '/env/TOKEN', before: 'string', after: 'string' },
      { path: '/port', before: 'number' },
    ])
    expect(await settings.diff('cleo', servers, 2, 2)).toEqual([])
  })

  test('a rollback is a new version with the value of the earlier one [C25]', async () => {
    for (const value of ['one', 'two']) await settings.save('dora', servers, value)
    const saved = await settings.rollback('dora', servers, 1, { createdBy: 'an administrator' })
    expect(saved).toMatchObject({ version: 3 })
    expect(await settings.read('dora', servers)).toMatchObject({ version: 3, value: 'one' })
    expect(await settings.readVersion('dora', servers, 2)).toMatchObject({ value: 'two' })
    const [newest] = await settings.history('dora', servers)
    expect(newest).toMatchObject({ version: 3, createdBy: 'an administrator' })
  })

  test('a rollback of a setting that was saved in the meantime is a conflict', async () => {
    for (const value of ['one', 'two', 'three']) await settings.save('emil', servers, value)
    const rollback = settings.rollback('emil', servers, 1, { expectedVersion: 2 })
    expect(await rejection(rollback)).toMatchObject({ code: 'version_conflict' })
    expect(await settings.read('emil', servers)).toMatchObject({ version: 3, value: 'three' })
  })

  test.each([0, 2, -1, 1.5, Number.NaN, 2 ** 40])(
    'version %d, which does not exist, is neither compared nor restored, and nothing changes',
    async (version) => {
      const owner = `owner without version ${version}`
      await settings.save(owner, servers, 'only')
      const missing = { name: 'LockboxError', code: 'version_not_found', data: { version } }
      expect(await rejection(settings.rollback(owner, servers, version))).toMatchObject(missing)
      expect(await rejection(settings.diff(owner, servers, version, 1))).toMatchObject(missing)
      expect(await rejection(settings.diff(owner, servers, 1, version))).toMatchObject(missing)
      expect(await settings.history(owner, servers)).toMatchObject([{ version: 1, isCurrent: true }])
    },
  )

  test('the versions of another owner are not restored', async () => {
    await settings.save('fred', servers, 'of fred')
    expect(await rejection(settings.rollback('gail', servers, 1))).toMatchObject({
      code: 'version_not_found',
    })
  })

  describe('deletion', () => {
    test('leaves nothing of any version, and the numbers go on [C25]', async () => {
      for (const value of ['one', 'two']) await settings.save('hank', servers, value)
      await settings.save('hank', { namespace: 'mcp', name: 'other' }, 'kept')
      expect(await settings.delete('hank', servers)).toBe(true)
      expect(await settings.read('hank', servers)).toBeUndefined()
      expect(await settings.history('hank', servers)).toEqual([])
      for (const version of [1, 2, 3])
        expect(await settings.readVersion('hank', servers, version)).toBeUndefined()
      expect(await rejection(settings.rollback('hank', servers, 3))).toMatchObject({
        code: 'version_not_found',
      })
      expect(await countRows('hank')).toBe(2)
      expect(await settings.save('hank', servers, 'again', { expectedVersion: 0 })).toMatchObject({
        version: 4,
      })
      expect(await settings.history('hank', servers)).toHaveLength(1)
      expect(await settings.read('hank', { namespace: 'mcp', name: 'other' })).toMatchObject({
        value: 'kept',
      })
    })

    test('is recorded in the audit, and only if something was deleted [C25]', async () => {
      await settings.save('rosa', servers, canary('deleted'))
      await settings.delete('rosa', servers)
      const recorded = await lockbox.audit.recent('rosa', 10)
      expect(recorded).toMatchObject([{ action: 'remove', kind: 'setting', name: ['mcp', 'servers'] }])
      await settings.delete('rosa', servers)
      expect(await lockbox.audit.recent('rosa', 10)).toEqual(recorded)
    })

    test('of what is not there is told and leaves nothing', async () => {
      expect(await settings.delete('ines', servers)).toBe(false)
      await settings.save('ines', servers, 1)
      expect(await settings.delete('jane', servers)).toBe(false)
      expect([await settings.delete('ines', servers), await settings.delete('ines', servers)]).toEqual([
        true,
        false,
      ])
      expect(await countRows('jane')).toBe(0)
    })

    test('that expects another version is a conflict, and nothing is deleted', async () => {
      await settings.save('kurt', servers, 1)
      const deletion = settings.delete('kurt', servers, { expectedVersion: 2 })
      expect(await rejection(deletion)).toMatchObject({
        code: 'version_conflict',
        data: { expectedVersion: 2, currentVersion: 1 },
      })
      expect(await settings.read('kurt', servers)).toMatchObject({ value: 1 })
    })

    test('and saves at once: each save is either deleted or newer', async () => {
      await settings.save('lena', servers, 'first')
      const saves = Array.from({ length: 10 }, (_, index) => settings.save('lena', servers, index))
      await Promise.all([...saves, settings.delete('lena', servers)])
      const versions = (await settings.history('lena', servers)).map(({ version }) => version)
      expect(versions).toEqual(Array.from(versions, (_, index) => 12 - index))
    })
  })

  describe('limits', () => {
    test('versions that are too many are deleted by the save that adds one [C25]', async () => {
      for (let value = 1; value <= 6; value++) await limited.save('mona', servers, value)
      const kept = (await limited.history('mona', servers)).map(({ version }) => version)
      expect(kept).toEqual([6, 5, 4, 3])
      expect(await countRows('mona')).toBe(4)
      expect(await rejection(limited.rollback('mona', servers, 2))).toMatchObject({
        code: 'version_not_found',
      })
      expect(await limited.rollback('mona', servers, 3)).toMatchObject({ version: 7 })
      expect(await limited.readVersion('mona', servers, 3)).toBeUndefined()
    })

    test('a save that is refused deletes no version', async () => {
      for (let value = 1; value <= 4; value++) await limited.save('nora', servers, value)
      const conflicting = limited.save('nora', servers, 5, { expectedVersion: 3 })
      expect(await rejection(conflicting)).toMatchObject({ code: 'version_conflict' })
      expect(await limited.readVersion('nora', servers, 1)).toMatchObject({ value: 1 })
    })

    test('a value has at most the bytes of its limit, counted as JSON in UTF-8', async () => {
      await limited.save('olga', servers, 'x'.repeat(98))
      for (const value of ['x'.repeat(99), 'é'.repeat(50)]) {
        expect(await rejection(limited.save('olga', servers, value))).toMatchObject({
          name: 'LockboxError',
          code: 'limit_exceeded',
          message: 'mcp/servers is larger than 100 bytes',
          data: { limit: 'valueBytes', maximum: 100 },
        })
      }
      expect(await limited.history('olga', servers)).toHaveLength(1)
    })

    test('an owner has at most the settings of the limit, also when many are added at once', async () => {
      const names = Array.from({ length: 8 }, (_, index) => ({ namespace: 'mcp', name: `setting ${index}` }))
      const saves = await Promise.allSettled(names.map((key) => limited.save('paul', key, 1)))
      const refused = saves.flatMap((save) => (save.status === 'rejected' ? [save.reason as unknown] : []))
      expect(refused).toHaveLength(5)
      expect(refused[0]).toMatchObject({
        code: 'limit_exceeded',
        message: 'an owner can have at most 3 settings; delete one first',
        data: { limit: 'settings', maximum: 3 },
      })
      const kept = names.filter((_, index) => saves[index]?.status === 'fulfilled')
      for (const key of kept) await limited.save('paul', key, 2)
      await limited.delete('paul', kept[0] ?? servers)
      expect(await limited.save('paul', servers, 1)).toMatchObject({ version: 1 })
      expect(await limited.save('quin', servers, 1)).toMatchObject({ version: 1 })
    })
  })
})

test.each([{ settings: 0 }, { valueBytes: -1 }, { versions: 1.5 }, { versions: Number.NaN }])(
  'the limits %j are refused before anything is opened',
  async (given) => {
    const opening = openLockbox({ location: '/dev/null/nowhere', keyring: { key: testKey }, limits: given })
    expect(await rejection(opening)).toMatchObject({
      name: 'RangeError',
      message: `the limit "${Object.keys(given)[0]}" must be a positive integer`,
    })
  },
)
