import type { Grant, PinKey } from '@toolbridge/bridge/permissions'
import {
  describeGrantStore,
  describeInputStore,
  describePinStore,
  describeTrustStore,
} from '@toolbridge/testkit/contracts'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLockbox, rejection, type TestLockbox } from './support/test-lockbox.ts'

const pin = (description: string) => ({
  hash: `hash of ${description}`,
  definition: { name: 'write', description, inputSchema: { type: 'object' } },
})

const grant: Grant = {
  principal: 'ann',
  server: 'files',
  definition: 'd1',
  tool: 'write',
  pin: 'p1',
  asks: ['mcp:*'],
}

const here = { target: 'https://mcp.example:443', fields: ['/headers/authorization'] }

const pinKey: PinKey = { principal: 'ann', server: 'files', definition: 'd1', tool: 'write' }

describeDatabase('what people decided and entered', (databases) => {
  let lockbox: TestLockbox
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location())
  })
  afterAll(() => lockbox?.close())

  const emptied = async <T>(store: () => T): Promise<T> => {
    await lockbox.sql('delete from lockbox.records')
    return store()
  }

  describeGrantStore('in a lockbox', () => emptied(() => lockbox.grants))
  describePinStore('in a lockbox', [pin('Writes'), pin('Writes more')], () => emptied(() => lockbox.pins))
  describeTrustStore('in a lockbox', () => emptied(() => lockbox.trust('ann')))
  describeInputStore('in a lockbox', () => emptied(() => lockbox.inputs))

  describe('in rows', () => {
    const input = { principal: 'ann', server: 'github', id: 'token' }
    const hash = 'ab'.repeat(32)

    /** One value of each kind, for one owner. */
    async function storeAll(): Promise<void> {
      await lockbox.sql('delete from lockbox.records')
      await lockbox.grants.add(grant)
      await lockbox.pins.set(pinKey, pin('Writes'))
      await lockbox.trust('ann').trust(hash, 'a note')
      await lockbox.inputs.set(input, canary('input'), here)
    }

    test('is encrypted, its names too', async () => {
      await storeAll()
      const rows = await lockbox.sql<{ text: string }>(
        `select kind || id || encode(payload, 'escape') as text from lockbox.records where owner = 'ann'`,
      )
      expect(rows).toHaveLength(4)
      const text = rows.map((row) => row.text).join()
      for (const clear of ['files', 'write', 'Writes', 'github', 'note', hash, canary('input')])
        expect(text).not.toContain(clear)
    })

    test('is that of its owner only, and nobody learns that it exists', async () => {
      await storeAll()
      expect(await lockbox.trust('zoe').isTrusted(hash)).toBe(false)
      expect(await lockbox.inputs.get({ ...input, principal: 'zoe' }, here)).toBeUndefined()
      await lockbox.trust('zoe').forget(hash)
      await lockbox.inputs.delete({ ...input, principal: 'zoe' })
      expect(await lockbox.trust('ann').isTrusted(hash)).toBe(true)
      expect(await lockbox.inputs.get(input, here)).toBe(canary('input'))
      expect(await lockbox.inputs.list('ann')).toEqual([{ server: 'github', id: 'token' }])
      expect(await lockbox.inputs.list('zoe')).toEqual([])
      expect(await lockbox.audit.recent('zoe', 10)).toEqual([])
    })

    test.each([
      ['changed', `payload = set_byte(payload, 40, get_byte(payload, 40) # 1)`],
      ['cut', 'payload = substr(payload, 1, 20)'],
      ['cut by a byte', 'payload = substr(payload, 1, length(payload) - 1)'],
      ['emptied', `payload = ''`],
      ['given another version', 'version = version + 1'],
    ])('does not open when it was %s', async (_how, change) => {
      await storeAll()
      await lockbox.sql(`update lockbox.records set ${change} where owner = 'ann'`)
      await expectDamaged()
    })

    test('does not open in the row of another value, kind or owner', async () => {
      await storeAll()
      await lockbox.inputs.set({ ...input, id: 'other' }, 'another', here)
      await lockbox.sql(
        `update lockbox.records as one set payload = other.payload from lockbox.records as other
         where one.kind = 'input' and other.kind = 'input' and one.id <> other.id`,
      )
      expect(await rejection(lockbox.inputs.get(input, here))).toMatchObject({ code: 'damaged' })

      await storeAll()
      await lockbox.sql(
        `update lockbox.records set payload = (select payload from lockbox.records where kind = 'grant')`,
      )
      expect(await rejection(lockbox.inputs.get(input, here))).toMatchObject({ code: 'damaged' })

      await storeAll()
      await lockbox.inputs.set({ ...input, principal: 'bob' }, 'of bob', here)
      await lockbox.sql(
        `update lockbox.records set payload = (select payload from lockbox.records where owner = 'ann' and kind = 'input')
         where owner = 'bob'`,
      )
      expect(await rejection(lockbox.inputs.get({ ...input, principal: 'bob' }, here))).toMatchObject({
        code: 'damaged',
      })
    })

    test('does not open with another key of its owner', async () => {
      const cleo = { ...input, principal: 'cleo' }
      await lockbox.inputs.set(cleo, canary('input'), here)
      await lockbox.sql(
        `insert into lockbox.owner_keys select owner, gen_random_uuid(), wrapping_key_id, wrapped_key, false, created_at
         from lockbox.owner_keys where owner = 'cleo'`,
      )
      await lockbox.sql(
        `update lockbox.records set key_id = (select key_id from lockbox.owner_keys where owner = 'cleo' and not is_current)
         where owner = 'cleo'`,
      )
      expect(await rejection(lockbox.inputs.get(cleo, here))).toMatchObject({ code: 'damaged' })
    })

    test('is recorded when it is changed, and secrets also when they are read [C25]', async () => {
      const [dora, secret] = [
        { ...grant, principal: 'dora' },
        { ...input, principal: 'dora' },
      ]
      await lockbox.grants.add(dora)
      await lockbox.grants.has(dora)
      await lockbox.grants.list('dora')
      await lockbox.inputs.get(secret, here)
      await lockbox.inputs.set(secret, canary('input'), here)
      await lockbox.inputs.get(secret, here)
      await rejection(lockbox.inputs.get(secret, { ...here, target: 'https://evil.example:443' }))
      await lockbox.inputs.delete(secret)
      await lockbox.inputs.delete(secret)
      await lockbox.trust('dora').trust(hash, 'a note')
      const entries = await lockbox.audit.recent('dora', 20)
      const events = entries.toSorted((one, other) => one.number - other.number)
      expect(events.map(({ action, kind, name }) => [action, kind, ...name].join(' '))).toEqual([
        'save grant files write',
        'save input github token',
        'read input github token',
        'refuse input github token',
        'remove input github token',
        `save trust ${hash}`,
      ])
    })

    async function expectDamaged(): Promise<void> {
      const damaged = { name: 'SealError', code: 'damaged' }
      expect(await rejection(lockbox.inputs.get(input, here))).toMatchObject(damaged)
      expect(await rejection(lockbox.pins.get(pinKey))).toMatchObject(damaged)
      expect(await rejection(lockbox.trust('ann').isTrusted(hash))).toMatchObject(damaged)
      expect(await rejection(lockbox.grants.list('ann'))).toMatchObject(damaged)
      expect(await lockbox.grants.has(grant)).toBe(false)
    }
  })
})
