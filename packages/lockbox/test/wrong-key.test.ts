import { readFileSync } from 'node:fs'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { type Lockbox, openLockboxOn } from '../src/lockbox.ts'
import { checkKey } from '../src/sealing/key-check.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { fixedWrappingKeys } from '../src/sealing/wrapping-keys.ts'
import {
  openForTest,
  openTestLockbox,
  otherKey,
  rejection,
  servers,
  type TestLockbox,
} from './support/test-lockbox.ts'

/** Rows as the first release wrote them, and the key they were sealed with. */
const firstRelease = readFirstRelease()

describeDatabase('the key', (databases) => {
  const { key } = firstRelease
  let location: string
  let lockbox: TestLockbox
  beforeAll(async () => {
    location = await databases.location()
    lockbox = await openTestLockbox(location, { key })
  })
  afterAll(() => lockbox?.close())

  test('opens rows that were written by the first release', async () => {
    await lockbox.sql('delete from lockbox.key_check')
    for (const [table, row] of Object.entries(firstRelease.rows)) await insert(lockbox, table, row)
    await checkKey(await openDatabase(lockbox.engine), fixedWrappingKeys([await openKeyring({ key })]))
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({
      version: 3,
      value: { mcpServers: {} },
    })
    expect(await lockbox.inbox.open('ann')).toMatchObject([{ id: 'question', payload: { ask: 'who?' } }])
    expect(await lockbox.activity.recent('ann', 1)).toMatchObject([
      { id: 'call', payload: { tool: 'hello' } },
    ])
  })

  test('that a lockbox was made with is the only one that opens it again; the message names both by their ids', async () => {
    await lockbox.settings.save('bob', servers, 'kept')
    const openWith = async (other: string): Promise<Lockbox> =>
      openLockboxOn(lockbox.engine, await openKeyring({ key: other }), () => new Date())
    const error = await rejection(openWith(otherKey))
    expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
    for (const either of [key, otherKey]) {
      expect(String(error)).toContain((await openKeyring({ key: either })).keyId)
      expect(String(error)).not.toContain(either)
    }
    const again = await openWith(key)
    expect(await again.settings.read('bob', servers)).toMatchObject({ value: 'kept' })
  })

  test('is not blamed when what it wrapped was changed: that is damage', async () => {
    await lockbox.sql(`update lockbox.key_check set wrapped = wrapped || '\\x00'`)
    const check = checkKey(
      await openDatabase(lockbox.engine),
      fixedWrappingKeys([await openKeyring({ key })]),
    )
    expect(await rejection(check)).toMatchObject({ code: 'damaged' })
    await lockbox.sql(`update lockbox.key_check set wrapped = substring(wrapped for length(wrapped) - 1)`)
    const row = `'cleo', gen_random_uuid(), wrapping_key_id, wrapped_key || '\\x00', true, now()`
    await lockbox.sql(
      `insert into lockbox.owner_keys select ${row} from lockbox.owner_keys where owner = 'bob'`,
    )
    expect(await rejection(lockbox.settings.save('cleo', servers, 'x'))).toMatchObject({ code: 'damaged' })
  })

  test('is blamed when another one wrapped the owner’s key, and other owners go on', async () => {
    const row = `'dora', gen_random_uuid(), '0123456789abcdef', '\\x00', true, now()`
    await lockbox.sql(`insert into lockbox.owner_keys values (${row})`)
    expect(await rejection(lockbox.settings.save('dora', servers, 'x'))).toMatchObject({ code: 'wrong_key' })
    await lockbox.settings.save('emil', servers, 'fine')
  })

  test('of an owner may be followed by another: rows open with the one they name', async () => {
    await lockbox.settings.save('fred', servers, 'under the first key')
    await lockbox.sql(`update lockbox.owner_keys set is_current = false where owner = 'fred'`)
    const replica = databases.engine === 'PostgreSQL' ? await openForTest(location, { key }) : lockbox
    await replica.settings.save('fred', servers, 'under another key')
    expect(await lockbox.settings.read('fred', servers)).toMatchObject({ value: 'under another key' })
    expect(await lockbox.settings.readVersion('fred', servers, 1)).toMatchObject({
      value: 'under the first key',
    })
  })
})

async function insert(
  lockbox: TestLockbox,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = Object.keys(row).join(', ')
  const record = `jsonb_populate_record(null::lockbox.${table}, $1::jsonb)`
  await lockbox.sql(`insert into lockbox.${table} (${columns}) select ${columns} from ${record}`, [
    JSON.stringify(row),
  ])
}

function readFirstRelease(): { key: string; rows: Record<string, Record<string, unknown>> } {
  return JSON.parse(readFileSync(new URL('vectors/rows.json', import.meta.url), 'utf8'))
}
