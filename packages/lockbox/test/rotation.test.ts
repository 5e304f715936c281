import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../src/database/engine.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { fill, names, readAll, recordEach, timeOf, valuesOf } from './support/filled.ts'
import {
  openTestLockbox,
  otherKey,
  rejection,
  servers,
  testKey,
  type TestLockbox,
} from './support/test-lockbox.ts'

const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined

const sealedBytes = `
select encode(ciphertext, 'hex') as bytes from lockbox.user_secrets
union all select encode(payload, 'hex') from lockbox.inbox
union all select encode(answer, 'hex') from lockbox.inbox where answer is not null
union all select encode(payload, 'hex') from lockbox.activity
union all select encode(payload, 'hex') from lockbox.records
union all select encode(wrapped_key, 'hex') from lockbox.owner_keys where owner <> 'lockbox:audit'`

describeDatabase('a rotation of keys', (databases) => {
  let lockbox: TestLockbox
  const openWith = async (...keys: [string, ...string[]]): Promise<Lockbox> => {
    const [key, ...previous] = keys
    return openLockboxOn(lockbox.engine, { key, previous }, () => new Date())
  }
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
  })
  afterAll(() => lockbox?.close())

  test('of nothing is nothing', async () => {
    expect(await lockbox.keys.status()).toMatchObject({ rotation: { state: 'never' }, values: { total: 0 } })
    expect(await lockbox.keys.rotate()).toMatchObject({ isComplete: true, newDataKeys: 0, resealedValues: 0 })
  })

  test('of many rows takes several transactions, and passes rows that cannot be opened', async () => {
    await recordEach(lockbox, 'one', 1)
    await recordEach(lockbox, 'two', 500)
    const steps: number[] = []
    const report = await lockbox.keys.rotate({
      keys: 'data',
      onProgress: ({ step, done }) => step === 'values' && steps.push(done),
    })
    expect(report).toMatchObject({ isComplete: true, resealedValues: 501 })
    expect(steps).toEqual([500, 501])
    expect(await lockbox.activity.recent('two', 1_000)).toHaveLength(500)

    await lockbox.sql(`update lockbox.activity set payload = '' where owner = 'two' and at <> ${timeOf(499)}`)
    expect(await lockbox.keys.rotate({ keys: 'data' })).toMatchObject({
      resealedValues: 2,
      status: { values: { retired: 499 }, dataKeys: { retired: 1 } },
    })
    await lockbox.sql('delete from lockbox.activity')
    await lockbox.sql(`delete from lockbox.owner_keys where owner in ('one', 'two')`)
  })

  test('gives every owner a new data key, encrypts everything with it and deletes the old ones [C25]', async () => {
    const owners = names(3)
    await fill(lockbox, owners, 5)
    const contents = await readAll(lockbox, owners)
    const before = await lockbox.sql<{ bytes: string }>(sealedBytes)
    const oldKeys = await lockbox.sql<{ key_id: string }>(
      `select key_id from lockbox.owner_keys where owner <> 'lockbox:audit'`,
    )
    const steps: string[] = []

    const report = await lockbox.keys.rotate({
      keys: 'data',
      onProgress: ({ step, done, total }) => steps.push(`${step} ${done}/${total}`),
    })
    const values = 3 * valuesOf(5)
    expect(report).toMatchObject({
      isComplete: true,
      rewrappedKeys: 0,
      newDataKeys: 3,
      resealedValues: values,
      deletedDataKeys: 3,
      retiredKeyFiles: [],
      status: {
        dataKeys: { total: 3, retired: 0, otherWrappingKey: 0 },
        values: { total: values, retired: 0 },
        rotation: { state: 'finished' },
      },
    })
    expect(steps[0]).toBe('keys 3/3')
    expect(steps.at(-1)).toBe(`values ${values}/${values}`)
    expect(await readAll(lockbox, owners)).toEqual(contents)
    expect(await readAll(await openWith(testKey), owners)).toEqual(contents)
    expect((await lockbox.audit.verify()).problems).toEqual([])

    const after = new Set((await lockbox.sql<{ bytes: string }>(sealedBytes)).map(({ bytes }) => bytes))
    expect(before.filter(({ bytes }) => after.has(bytes))).toEqual([])
    const kept = 'select key_id from lockbox.owner_keys where key_id = any ($1::uuid[])'
    expect(await lockbox.sql(kept, [oldKeys.map(({ key_id }) => key_id)])).toEqual([])
  })

  test('encrypts the data keys with another key, after which the former one opens nothing and is not needed', async () => {
    const owners = names(3)
    const contents = await readAll(lockbox, owners)
    const both = await openWith(otherKey, testKey)
    expect(await both.keys.status()).toMatchObject({
      wrappingKeyId: (await openKeyring({ key: testKey })).keyId,
      preferredKeyId: (await openKeyring({ key: otherKey })).keyId,
    })
    const report = await both.keys.rotate({ keys: 'wrapping' })
    expect(report).toMatchObject({ isComplete: true, rewrappedKeys: 4, resealedValues: 0, newDataKeys: 0 })
    const alone = await openWith(otherKey)
    expect(await readAll(alone, owners)).toEqual(contents)
    expect((await alone.audit.verify()).problems).toEqual([])
    await alone.settings.save('new owner', servers, 'new')
    expect(await rejection(openWith(testKey))).toMatchObject({ code: 'wrong_key' })

    const back = await openWith(testKey, otherKey)
    expect(await back.keys.rotate()).toMatchObject({ isComplete: true, rewrappedKeys: 5, newDataKeys: 4 })
    expect(await readAll(await openWith(testKey), owners)).toEqual(contents)
  })

  test('with a key that is not preferred yet adds owners under the key of the lockbox', async () => {
    const both = await openWith(otherKey, testKey)
    await both.settings.save('under the former key', servers, 'kept')
    expect(await (await openWith(testKey)).settings.read('under the former key', servers)).toMatchObject({
      value: 'kept',
    })
  })

  test('that is interrupted leaves everything readable, and the next one continues it', async () => {
    const owners = names(3)
    const contents = await readAll(lockbox, owners)
    for (const stop of ['keys', 'values'] as const) {
      const stopping = new AbortController()
      const rotation = lockbox.keys.rotate({
        keys: 'data',
        onProgress: ({ step }) => step === stop && stopping.abort(new Error('stopped')),
        signal: stopping.signal,
      })
      expect(await rejection(rotation)).toBe(stopping.signal.reason)
      expect((await lockbox.keys.status()).rotation.state).toBe('unfinished')
      expect(await readAll(lockbox, owners)).toEqual(contents)
      expect(await readAll(await openWith(testKey), owners)).toEqual(contents)
    }
    const report = await lockbox.keys.rotate({ keys: 'data' })
    expect(report).toMatchObject({ isComplete: true, newDataKeys: 0, status: { dataKeys: { retired: 0 } } })
    expect(await readAll(lockbox, owners)).toEqual(contents)
  })

  test('twice at once is as good as one', async () => {
    const owners = names(3)
    const contents = await readAll(lockbox, owners)
    const other = databases.engine === 'PostgreSQL' ? await openWith(testKey) : lockbox
    const reports = await Promise.all([lockbox.keys.rotate(), other.keys.rotate()])
    // The one that ends first may see what the other one still has to do.
    expect(reports.map(({ isComplete }) => isComplete)).toContain(true)
    expect(await lockbox.keys.status()).toMatchObject({
      dataKeys: { retired: 0 },
      values: { retired: 0 },
      rotation: { state: 'finished' },
    })
    expect(await readAll(lockbox, owners)).toEqual(contents)
    expect(await readAll(await openWith(testKey), owners)).toEqual(contents)
  })

  test('is used at once by a store that has the former keys in memory', async () => {
    const replica = await openWith(testKey)
    await replica.settings.save('replicated', servers, 1)
    await lockbox.keys.rotate()
    await replica.settings.save('replicated', servers, 2)
    await replica.inbox.ask('replicated', { id: 'q', payload: 3 })
    await lockbox.keys.rotate()
    expect(await replica.inbox.answer('replicated', 'q', 4)).toBe(true)
    await lockbox.keys.rotate()
    await replica.activity.record('replicated', { id: 'e', at: new Date(), payload: 5 })
    expect(await replica.settings.read('replicated', servers)).toMatchObject({ version: 2, value: 2 })
    expect(await lockbox.activity.recent('replicated', 1)).toMatchObject([{ payload: 5 }])
  })
})

describeDatabase('what stops a rotation', (databases) => {
  let lockbox: TestLockbox
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
    await fill(lockbox, names(3))
  })
  afterAll(() => lockbox?.close())

  test.each([
    [
      'moved to another name',
      `update lockbox.user_secrets set name = 'moved' where owner = 'owner 0' and version = 1`,
    ],
    [
      'cut',
      `update lockbox.inbox set payload = substring(payload for 20) where owner = 'owner 1' and id = 'a'`,
    ],
    [
      'empty',
      `update lockbox.activity set payload = '' where owner = 'owner 1' and at = ${timeOf(1)} and entries = 1`,
    ],
    [
      'of a newer program',
      `update lockbox.activity set payload = '\\x02' || payload where owner = 'owner 2' and at = ${timeOf(1)} and entries = 1`,
    ],
  ])('a value that is %s stays as it is, with its key; the rest is rotated', async (_, change) => {
    const [owner = ''] = /owner \d/.exec(change) ?? []
    const [backup] = await lockbox.sql<{ row: object }>(
      `select to_jsonb(t) as row from (${change.replace(/^update (\S+) set .* where/, 'select * from $1 where')}) t`,
    )
    const table = /lockbox\.\w+/.exec(change)?.[0] ?? ''
    await lockbox.sql(change)
    const report = await lockbox.keys.rotate()
    expect(report).toMatchObject({
      isComplete: false,
      newDataKeys: 3,
      deletedDataKeys: 2,
      status: { values: { retired: 1 }, dataKeys: { retired: 1 }, rotation: { state: 'finished' } },
    })
    expect(await lockbox.settings.read(owner, servers)).toMatchObject({ value: { value: 'three' } })

    const columns = Object.keys(backup?.row ?? {})
    const key = columns.includes('version') ? 'id' : 'owner, id'
    const rest = columns.filter((name) => name !== 'recorded')
    await lockbox.sql(
      `insert into ${table} (${rest.join()}) select ${rest.join()} from jsonb_populate_record(null::${table}, $1::jsonb)
       on conflict (${key}) do update set ${rest.map((name) => `${name} = excluded.${name}`).join()}`,
      [JSON.stringify(backup?.row)],
    )
    expect(await lockbox.keys.rotate()).toMatchObject({
      isComplete: true,
      status: { dataKeys: { retired: 0 } },
    })
    await readAll(lockbox, names(3))
  })

  test('a data key of another wrapping key is left as it is, and its owner’s values with it', async () => {
    const [row] = await lockbox.sql<{ wrapping_key_id: string }>(
      `update lockbox.owner_keys set wrapping_key_id = '0123456789abcdef' where owner = 'owner 0'
       returning (select wrapping_key_id from lockbox.key_check)`,
    )
    const report = await lockbox.keys.rotate()
    expect(report).toMatchObject({
      isComplete: false,
      status: { dataKeys: { otherWrappingKey: 1, retired: 1 } },
    })
    await lockbox.sql(`update lockbox.owner_keys set wrapping_key_id = $1 where owner = 'owner 0'`, [
      row?.wrapping_key_id,
    ])
    expect(await lockbox.keys.rotate()).toMatchObject({ isComplete: true })
    await readAll(lockbox, names(3))
  })

  test('a rotation that fails at any statement, as on a full disk, loses nothing, and the next one completes', async () => {
    const contents = await readAll(lockbox, names(1))
    let failures = 0
    for (let statement = 1; ; statement += isLong ? 1 : 7) {
      const failing = await failingAt(lockbox, statement)
      const error = await rejection(failing.rotate())
      if (error === undefined) break
      expect(error).toMatchObject({ code: '53100' })
      expect(await readAll(lockbox, names(1))).toEqual(contents)
      failures += 1
    }
    expect(failures).toBeGreaterThan(4)
    expect(await lockbox.keys.status()).toMatchObject({ dataKeys: { retired: 0 }, values: { retired: 0 } })
    expect(
      await readAll(await openLockboxOn(lockbox.engine, { key: testKey }, () => new Date()), names(1)),
    ).toEqual(contents)
  })

  test('rows that refer to a key which is gone, again and again, end it with their error', async () => {
    let attempts = 0
    const gone = Object.assign(new Error('violates a foreign key'), { code: '23503' })
    const keys = await keysThatRun(lockbox, (sql) => {
      if (!sql.startsWith('update lockbox.user_secrets t')) return
      attempts += 1
      throw gone
    })
    expect(await rejection(keys.rotate({ keys: 'data' }))).toBe(gone)
    expect(attempts).toBe(5)
    expect(await lockbox.keys.rotate()).toMatchObject({ isComplete: true })
  })
})

/** A disk cannot be filled in a test, so the statement with this number rejects as PostgreSQL would. */
async function failingAt(lockbox: TestLockbox, statement: number): Promise<Lockbox['keys']> {
  let count = Number.NEGATIVE_INFINITY
  const keys = await keysThatRun(lockbox, () => {
    count += 1
    if (count === statement)
      throw Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  })
  count = 0
  return keys
}

/** The keys of the lockbox, whose statements are passed to `before` first. */
async function keysThatRun({ engine }: TestLockbox, before: (sql: string) => void): Promise<Lockbox['keys']> {
  const watched: Engine = {
    ...engine,
    transaction: (work) =>
      engine.transaction((session) =>
        work({
          ...session,
          query: async (sql, parameters) => {
            before(sql)
            return session.query(sql, parameters)
          },
        }),
      ),
  }
  return (await openLockboxOn(watched, { key: testKey }, () => new Date())).keys
}
