import { inspect } from 'node:util'
import { sharedPostgres, stoppedPostgresUrl } from '@toolbridge/testkit/databases'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Lockbox, openLockbox } from '../src/lockbox.ts'
import { openForTest, rejection, servers, testKey } from './support/test-lockbox.ts'

let location: string
beforeAll(async () => {
  location = await (await sharedPostgres()).createDatabase()
})

async function openExclusive(at = location): Promise<Lockbox> {
  const lockbox = await openLockbox({ location: at, keyring: { key: testKey }, exclusive: true })
  onTestFinished(() => lockbox.close())
  return lockbox
}

test('a second exclusive opening of a database is refused with the database, the process and what to do', async () => {
  const first = await openExclusive()
  const error = await rejection(openExclusive())
  const { host, pathname, password } = new URL(location)
  expect(error).toMatchObject({
    code: 'lockbox_in_use',
    message: expect.stringMatching(/is open in process \d+ on \S+; stop that process, .* another database$/),
    data: { database: host + pathname, pid: process.pid },
  })
  expect(String(error)).toContain(`the database ${host}${pathname} `)
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(password)
  await first.close()
  await openExclusive()
})

test('another database of the same server is not refused, nor an opening that shares', async () => {
  await openExclusive()
  await openExclusive(await (await sharedPostgres()).createDatabase())
  await openForTest(location)
})

test('a lock whose connection was lost is taken again, unless another process has it', async () => {
  const first = await openExclusive()
  const administrator = await openForTest(location)
  await administrator.sql(endLocks)
  expect(await first.settings.save('ann', servers, 1)).toMatchObject({ version: 1 })
  expect(await rejection(openExclusive())).toMatchObject({ code: 'lockbox_in_use' })

  await administrator.sql(endLocks)
  const second = await openExclusive()
  expect(await rejection(first.inbox.withdrawAll())).toMatchObject({ code: 'lockbox_in_use' })
  await second.close()
  expect(await first.settings.read('ann', servers)).toMatchObject({ value: 1 })
})

test('a server that is not there is unreachable', async () => {
  expect(await rejection(openExclusive(await stoppedPostgresUrl()))).toMatchObject({ code: 'unreachable' })
})

/** Waits up to five seconds for each end, so that the client has been told. */
const endLocks = `
select pg_terminate_backend(pid, 5000) from pg_locks
where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
