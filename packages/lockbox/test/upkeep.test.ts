import { openPgliteFromImage, preparePgliteImage } from '@toolbridge/testkit/databases'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openForTest, servers, type TestLockbox } from './support/test-lockbox.ts'

beforeAll(async () => void (await preparePgliteImage()))

test('PGlite’s log is cut and the space of deleted rows is used again, without closing or waiting', async () => {
  const folder = await openPgliteFromImage()
  onTestFinished(() => folder.close())
  const lockbox = await openForTest(folder.location)
  await lockbox.sql(
    'create table filler as select repeat(md5(n::text), 50) as text from generate_series(1, 3000) as n',
  )
  await lockbox.settings.save('ann', servers, 1)
  const before = await measure(lockbox)
  await lockbox.sql('delete from filler')
  for (let count = 0; count < 950; count++) await lockbox.sql('select 1')
  // Entries of the audit wait for the entry before: the upkeep must not wait for a transaction that waits for its result.
  await Promise.all(Array.from({ length: 40 }, () => lockbox.settings.read('ann', servers)))
  const after = await measure(lockbox)
  expect(before.bytes).toBeGreaterThan(1_000_000)
  expect(after.bytes).toBe(0)
  expect(after.checkpoint).not.toBe(before.checkpoint)
})

async function measure(lockbox: TestLockbox): Promise<{ checkpoint: string; bytes: number }> {
  const [row] = await lockbox.sql<{ checkpoint: string; bytes: number }>(
    `select redo_lsn::text as checkpoint, pg_relation_size('filler')::integer as bytes from pg_control_checkpoint()`,
  )
  return row ?? { checkpoint: '', bytes: 0 }
}
