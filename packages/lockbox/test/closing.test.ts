import { inspect } from 'node:util'
import {
  describeDatabase,
  sharedPostgres,
  startPostgres,
  stoppedPostgresUrl,
} from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openLockbox } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { openForTest, openTestLockbox, rejection, servers, testKey } from './support/test-lockbox.ts'

describeDatabase('closing', (databases) => {
  test('waits for what is running, may be asked for twice, and then every verb says that it is closed', async () => {
    const location = await databases.location()
    const lockbox = await openTestLockbox(location)
    const asked = Array.from({ length: 20 }, (_, index) =>
      lockbox.inbox.ask('ann', { id: `${index}`, payload: index }),
    )
    await Promise.all(asked)
    const last = lockbox.settings.save('ann', servers, 'last')
    await new Promise(setImmediate)
    await Promise.all([lockbox.close(), lockbox.close()])
    await lockbox.close()
    expect(await rejection(lockbox.settings.read('ann', servers))).toMatchObject({ code: 'unreachable' })
    expect(await rejection(lockbox.inbox.withdrawAll())).toMatchObject({ code: 'unreachable' })
    expect(await last).toMatchObject({ version: 1 })
    const again = await openForTest(location)
    expect(await again.settings.read('ann', servers)).toMatchObject({ value: 'last' })
    expect(await again.inbox.open('ann')).toHaveLength(20)
  })
})

describe('a transaction on PostgreSQL', () => {
  let location: string
  beforeAll(async () => {
    location = await (await sharedPostgres()).createDatabase()
  })

  test('refuses a query that comes after its end', async () => {
    const lockbox = await openForTest(location)
    const escaped = await lockbox.engine.transaction(async ({ query }) => ({ query }))
    expect(await rejection(escaped.query('select 1'))).toBeInstanceOf(TypeError)
  })

  test('in which a failure was swallowed is not reported as committed', async () => {
    const lockbox = await openForTest(location)
    const swallowing = lockbox.engine.transaction(({ query }) => query('select 1 / 0').catch(() => undefined))
    expect(await rejection(swallowing)).toBeInstanceOf(Error)
    expect(await lockbox.sql('select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('a server that is not there is unreachable, and its password stays out of the error', async () => {
  const location = (await stoppedPostgresUrl()).replace(/:[^:@]+@/, `:${canary('password')}@`)
  const error = await rejection(openLockbox({ location, keyring: await openKeyring({ key: testKey }) }))
  expect(error).toMatchObject({ name: 'LockboxError', code: 'unreachable' })
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(canary('password'))
})

test('a server that goes away makes verbs reject as unreachable, and the process lives on', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.close())
  const lockbox = await openForTest(server.url)
  await lockbox.settings.save('ann', servers, 1)
  const running = lockbox.engine.transaction(({ query }) => query('select pg_sleep(20)'))
  const [outcome] = await Promise.all([rejection(running), server.close()])
  expect(outcome).toMatchObject({ code: 'unreachable' })
  expect(await rejection(lockbox.settings.read('ann', servers))).toMatchObject({ code: 'unreachable' })
})

test.each(['', 'mysql://localhost/x', 'postgres://user:pass word@@/'])(
  'a location such as %j is refused at once',
  async (location) => {
    const error = await rejection(openLockbox({ location, keyring: await openKeyring({ key: testKey }) }))
    expect(error).toBeInstanceOf(TypeError)
    expect(inspect(error)).not.toContain('pass word')
  },
)
