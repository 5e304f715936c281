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

  test('of several calls is recorded together: all of it or nothing', async () => {
    await lockbox.activity.recordAll('hugo', [entry(1), entry(2)])
    await lockbox.activity.recordAll('hugo', [])
    expect(await lockbox.activity.recent('hugo', 10)).toEqual([entry(2), entry(1)])
    for (const unstorable of [
      { ...entry(4), payload: undefined },
      { ...entry(4), at: new Date(Number.NaN) },
    ])
      await expect(lockbox.activity.recordAll('hugo', [entry(3), unstorable])).rejects.toThrow()
    expect(await lockbox.activity.recent('hugo', 10)).toHaveLength(2)
  })

  test('that is recorded together is stored in few rows, of at most 64 KiB unless one entry is longer', async () => {
    const payload = 'é'.repeat(10_000)
    const entries = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ ...entry(day), payload }))
    await lockbox.activity.recordAll('iris', [...entries, { ...entry(8), payload: 'x'.repeat(70_000) }])
    const rows = await lockbox.sql<{ entries: number }>(
      `select entries from lockbox.activity where owner = 'iris' order by recorded`,
    )
    expect(rows.map(({ entries: count }) => count)).toEqual([3, 3, 1, 1])
    const ids = (await lockbox.activity.recent('iris', 10)).map(({ id }) => id)
    expect(ids).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((day) => `call ${day}`))
  })

  test('is read as it was recorded when somebody has changed the columns that are not encrypted', async () => {
    await lockbox.activity.recordAll('lars', [entry(1), entry(2)])
    await lockbox.sql(`update lockbox.activity set oldest = null, entries = null where owner = 'lars'`)
    expect(await lockbox.activity.recent('lars', 10)).toEqual([entry(2), entry(1)])
  })

  test('is listed in its order, whatever was recorded together', async () => {
    const recorded = [[1, 10], [9], [2, 8, 3], [7], [6, 4, 5]]
    for (const days of recorded) await lockbox.activity.recordAll('jana', days.map(entry))
    const newest = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(entry)
    for (let limit = 0; limit <= 11; limit += 1)
      expect(await lockbox.activity.recent('jana', limit)).toEqual(newest.slice(0, limit))
  })

  test('is kept up to a thousand entries an owner; the oldest rows give way to every 250 new entries', async () => {
    const added = async (label: string, count: number, from = 1): Promise<void> => {
      const numbers = Array.from({ length: count }, (_, index) => from + index)
      const entries = numbers.map((number) => ({
        id: `${label} ${number}`,
        at: new Date(number),
        payload: number,
      }))
      await lockbox.activity.recordAll('emil', entries)
    }
    for (let from = 1; from <= 901; from += 100) await added('early', 100, from)
    await added('late', 100, 2_000)
    expect(await keptOf('emil')).toBe(1_100)
    // Another process does not know how many were added.
    const other = await openLockboxOn(lockbox.engine, { key: testKey }, () => new Date())
    await other.activity.record('emil', { id: 'other', at: new Date(3_000), payload: null })
    expect(await keptOf('emil')).toBe(1_001)
    expect(await lockbox.activity.recent('emil', 2_000)).toHaveLength(1_000)
    for (let from = 3_001; from <= 3_250; from += 50) await added('late', 50, from)
    expect(await keptOf('emil')).toBe(1_051)
    const kept = await lockbox.activity.recent('emil', 1_000)
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual(['late 3250', 'early 352'])
  })

  test('that an earlier version stored one by one gives way too', async () => {
    await lockbox.activity.record('kurt', { ...entry(1), at: new Date(2_000_000) })
    await lockbox.sql(`insert into lockbox.activity (owner, id, at, key_id, payload)
      select owner, 'earlier ' || n, to_timestamp(n), key_id, payload
      from lockbox.activity, generate_series(1, 1100) as n where owner = 'kurt'`)
    const other = await openLockboxOn(lockbox.engine, { key: testKey }, () => new Date())
    await other.activity.record('kurt', { ...entry(2), at: new Date(2_000_000) })
    const sql = `select count(*)::integer as rows from lockbox.activity where owner = 'kurt'`
    expect(await lockbox.sql(sql)).toEqual([{ rows: 1_000 }])
  })

  async function keptOf(owner: string): Promise<number | undefined> {
    const sql = 'select sum(entries)::integer as kept from lockbox.activity where owner = $1'
    const [row] = await lockbox.sql<{ kept: number }>(sql, [owner])
    return row?.kept
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
