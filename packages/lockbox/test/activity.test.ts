import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLockboxOn } from '../src/lockbox.ts'
import { openTestLockbox, rejection, testKey, type TestLockbox } from './support/test-lockbox.ts'

describeDatabase('activity', (databases) => {
  let lockbox: TestLockbox
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
  })
  afterAll(() => lockbox?.close())

  test('is listed newest first, up to the limit, for its owner only', async () => {
    for (const day of [2, 3, 1]) await lockbox.activity.record('ann', entry(day))
    await lockbox.activity.record('bob', entry(9))
    expect(await lockbox.activity.recent('ann', 2)).toEqual([entry(3), entry(2)])
    expect(await lockbox.activity.recent('ann', 0)).toEqual([])
    expect(await lockbox.activity.recent('nobody', 10)).toEqual([])
  })

  test('of one moment is listed in the order it was recorded, newest first', async () => {
    const at = new Date('2026-01-01T00:00:00Z')
    for (const id of ['b', 'c', 'a']) await lockbox.activity.record('cleo', { id, at, payload: null })
    expect((await lockbox.activity.recent('cleo', 10)).map(({ id }) => id)).toEqual(['a', 'c', 'b'])
  })

  test('that is recorded again under the same id replaces the former entry', async () => {
    await lockbox.activity.record('dora', { ...entry(1), payload: 'started' })
    await lockbox.activity.record('dora', { ...entry(1), payload: 'finished' })
    expect(await lockbox.activity.recent('dora', 10)).toEqual([{ ...entry(1), payload: 'finished' }])
  })

  test('of several calls is recorded together: all of it, with the last entry of an id, or nothing', async () => {
    const again = { ...entry(1), payload: 'again' }
    await lockbox.activity.recordAll('hugo', [entry(1), entry(2), again])
    await lockbox.activity.recordAll('hugo', [])
    expect(await lockbox.activity.recent('hugo', 10)).toEqual([entry(2), again])
    const unstorable = { ...entry(4), id: 'nul \0' }
    await rejection(lockbox.activity.recordAll('hugo', [entry(3), unstorable]))
    expect(await lockbox.activity.recent('hugo', 10)).toHaveLength(2)
  })

  test('is kept up to a thousand entries an owner; the oldest give way to every 250 new ones', async () => {
    const added = async (label: string, count: number, from = 1): Promise<void> => {
      const numbers = Array.from({ length: count }, (_, index) => from + index)
      const entries = numbers.map((number) => ({
        id: `${label} ${number}`,
        at: new Date(number),
        payload: number,
      }))
      await lockbox.activity.recordAll('emil', entries)
    }
    await added('early', 1_000)
    await added('late', 1, 2_000)
    expect(await keptOf('emil')).toHaveLength(1_001)
    // Another process does not know how many were added.
    const other = await openLockboxOn(lockbox.engine, { key: testKey }, () => new Date())
    await other.activity.record('emil', { id: 'other', at: new Date(2_000), payload: null })
    expect(await keptOf('emil')).toHaveLength(1_000)
    expect(await lockbox.activity.recent('emil', 2_000)).toHaveLength(1_000)
    for (let from = 2_001; from <= 2_250; from += 50) await added('late', 50, from)
    const kept = await keptOf('emil')
    expect(kept).toHaveLength(1_000)
    expect([kept[0], kept.at(-1)]).toEqual(['early 253', 'late 2250'])
  })

  async function keptOf(owner: string): Promise<readonly string[]> {
    const rows = await lockbox.sql<{ id: string }>(
      'select id from lockbox.activity where owner = $1 order by at, recorded',
      [owner],
    )
    return rows.map(({ id }) => id)
  }

  test('is recorded by many at once without losing any', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `call ${index}`)
    const at = new Date('2026-01-01T00:00:00Z')
    await Promise.all(ids.map((id) => lockbox.activity.record('fred', { id, at, payload: id })))
    const recent = await lockbox.activity.recent('fred', 100)
    expect(new Set(recent.map(({ payload }) => payload))).toEqual(new Set(ids))
  })

  test('is not stored in clear', async () => {
    await lockbox.activity.record('gail', { ...entry(1), payload: `called with ${canary('argument')}` })
    const [row] = await lockbox.sql<{ payload: Uint8Array }>(
      `select payload from lockbox.activity where owner = 'gail'`,
    )
    expect(Buffer.from(row?.payload ?? []).toString('latin1')).not.toContain('Kanarienvogel')
  })

  test('refuses a limit that is not a whole number', async () => {
    for (const limit of [-1, 1.5, Number.NaN]) {
      expect(await rejection(lockbox.activity.recent('ann', limit))).toBeInstanceOf(RangeError)
    }
  })
})

function entry(day: number): { id: string; at: Date; payload: unknown } {
  return { id: `call ${day}`, at: new Date(Date.UTC(2026, 0, day)), payload: { tool: `tool ${day}` } }
}
