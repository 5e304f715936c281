import { readFileSync } from 'node:fs'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { expect, test } from 'vitest'
import { openKeyring } from '../src/sealing/keyring.ts'
import {
  openForTest,
  openTestLockbox,
  otherKey,
  rejection,
  servers,
  testKey,
} from './support/test-lockbox.ts'

describeDatabase('the key', (databases) => {
  test('that a lockbox was made with is the only one that opens it again, and the message names both by their ids', async () => {
    const location = await databases.location()
    const made = await openTestLockbox(location)
    await made.settings.save('ann', servers, 'kept')
    await made.close()
    const error = await rejection(openForTest(location, { key: otherKey }))
    expect(error).toMatchObject({ name: 'SealError', code: 'wrong_key' })
    for (const key of [testKey, otherKey]) {
      expect(String(error)).toContain((await openKeyring({ key })).keyId)
      expect(String(error)).not.toContain(key)
    }
    const again = await openForTest(location)
    expect(await again.settings.read('ann', servers)).toMatchObject({ value: 'kept' })
  })

  test('check and the owners’ keys are damaged, not of a wrong key, when they were changed', async () => {
    const location = await databases.location()
    const lockbox = await openTestLockbox(location)
    await lockbox.settings.save('ann', servers, 'kept')
    await lockbox.sql(`update lockbox.owner_keys set wrapped_key = wrapped_key || '\\x00'`)
    await lockbox.sql(`update lockbox.key_check set wrapped = wrapped || '\\x00'`)
    await lockbox.close()
    expect(await rejection(openForTest(location))).toMatchObject({ code: 'damaged' })
  })

  test('of an owner that another key wrapped is reported as such', async () => {
    const lockbox = await openForTest(await databases.location())
    await lockbox.settings.save('ann', servers, 'kept')
    await lockbox.sql(
      `insert into lockbox.owner_keys values ('bob', gen_random_uuid(), '0123456789abcdef', '\\x00', true, now())`,
    )
    expect(await rejection(lockbox.settings.save('bob', servers, 'x'))).toMatchObject({ code: 'wrong_key' })
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'kept' })
  })

  test('of an owner is used only for rows it is named in: keys replaced behind our back are found', async () => {
    const location = await databases.location()
    const lockbox = await openForTest(location)
    await lockbox.settings.save('ann', servers, 'under the first key')
    await lockbox.sql(`update lockbox.owner_keys set is_current = false where owner = 'ann'`)
    const replica = databases.engine === 'PostgreSQL' ? await openForTest(location) : lockbox
    await replica.settings.save('ann', servers, 'under another key')
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({ value: 'under another key' })
    expect(await lockbox.settings.readVersion('ann', servers, 1)).toMatchObject({
      value: 'under the first key',
    })
  })
})

describeDatabase('rows written by the first release', (databases) => {
  test('open today', async () => {
    const fixture: { key: string; rows: Record<string, Record<string, unknown>> } = JSON.parse(
      readFileSync(new URL('vectors/rows.json', import.meta.url), 'utf8'),
    )
    const location = await databases.location()
    const before = await openTestLockbox(location, { key: fixture.key })
    await before.sql('delete from lockbox.key_check')
    for (const [table, row] of Object.entries(fixture.rows)) {
      const columns = Object.keys(row).join(', ')
      const sql = `insert into lockbox.${table} (${columns}) select ${columns}
        from jsonb_populate_record(null::lockbox.${table}, $1::jsonb)`
      await before.sql(sql, [JSON.stringify(row)])
    }
    await before.close()
    const lockbox = await openForTest(location, { key: fixture.key })
    expect(await lockbox.settings.read('ann', servers)).toMatchObject({
      version: 3,
      value: { mcpServers: {} },
    })
    expect(await lockbox.inbox.open('ann')).toMatchObject([{ id: 'question', payload: { ask: 'who?' } }])
    expect(await lockbox.activity.recent('ann', 1)).toMatchObject([
      { id: 'call', payload: { tool: 'hello' } },
    ])
  })
})
