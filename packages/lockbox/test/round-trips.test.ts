import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describeDatabase, sharedPostgres } from '@toolbridge/testkit/databases'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../src/database/database.ts'
import type { Engine, EngineTransaction } from '../src/database/engine.ts'
import { openLockboxOn } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { openForTest, servers, testKey } from './support/test-lockbox.ts'

test('saving settings in PostgreSQL takes three round trips, the first time and later', async () => {
  const counted = await countRoundTrips(await (await sharedPostgres()).createDatabase())
  const lockbox = await openForTest(counted.url)
  // Its owner has a key then, which is kept.
  await lockbox.settings.save('ann', { namespace: 'other', name: 'one' }, 1)
  expect(await counted.during(() => lockbox.settings.save('ann', servers, { first: true }))).toBe(3)
  expect(await counted.during(() => lockbox.settings.save('ann', servers, { first: false }))).toBe(3)
})

describeDatabase('saving settings', (databases) => {
  test('waits for the database twice between the start and the end of its transaction', async () => {
    const counted = countWaits(await openEngine(await databases.location()))
    const keyring = await openKeyring({ key: testKey })
    const lockbox = await openLockboxOn(counted.engine, keyring, () => new Date())
    onTestFinished(() => lockbox.close())
    await lockbox.settings.save('ann', { namespace: 'other', name: 'one' }, 1)
    expect(await counted.during(() => lockbox.settings.save('ann', servers, { first: true }))).toBe(2)
    expect(await counted.during(() => lockbox.settings.save('ann', servers, { first: false }))).toBe(2)
  })
})

describeDatabase('a transaction that fails', (databases) => {
  test('runs no statement that begins after that', async () => {
    const engine = await openEngine(await databases.location())
    onTestFinished(() => engine.close())
    await engine.transaction(({ query }) => query('create table late (id integer)'))
    let late: Promise<unknown> = Promise.resolve()
    const failing = engine.transaction(async ({ query }) => {
      await query('select 1')
      setImmediate(() => {
        late = query('insert into late values (1)').catch((error: unknown) => error)
      })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await new Promise(setImmediate)
    expect(await late).toBeInstanceOf(Error)
    expect(await engine.transaction(({ query }) => query('select id from late'))).toEqual([])
  })
})

interface Counted {
  /** Returns the count of what `work` caused. */
  during(work: () => Promise<unknown>): Promise<number>
}

/**
 * A proxy in front of PostgreSQL that counts how often the client writes after it has read. It runs in the event loop of the client,
 * so that what the client writes without waiting arrives at once.
 */
async function countRoundTrips(location: string): Promise<Counted & { readonly url: string }> {
  const target = new URL(location)
  const { port, hostname } = target
  let trips = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let hasRead = true
    client.on('data', (chunk) => {
      if (hasRead) trips += 1
      hasRead = false
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      hasRead = true
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  target.port = String((proxy.address() as AddressInfo).port)
  return {
    url: target.href,
    async during(work) {
      const before = trips
      await work()
      return trips - before
    },
  }
}

/** Counts the statements of an engine that began while no other was running. */
function countWaits(engine: Engine): Counted & { readonly engine: Engine } {
  let waits = 0
  let running = 0
  const counting = ({ query, ...rest }: EngineTransaction): EngineTransaction => ({
    ...rest,
    async query(sql, parameters) {
      if (running === 0) waits += 1
      running += 1
      try {
        return await query(sql, parameters)
      } finally {
        running -= 1
      }
    },
  })
  return {
    engine: { ...engine, transaction: (work) => engine.transaction((session) => work(counting(session))) },
    async during(work) {
      const before = waits
      await work()
      return waits - before
    },
  }
}
