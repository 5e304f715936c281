import type { AuthKey, AuthStore, TokenRecord } from '@toolbridge/client/auth'
import { describeAuthStore } from '@toolbridge/testkit/contracts'
import { describeDatabase } from '@toolbridge/testkit/databases'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLockboxOn } from '../src/lockbox.ts'
import { openKeyring } from '../src/sealing/keyring.ts'
import { openTestLockbox, rejection, testKey, type TestLockbox } from './support/test-lockbox.ts'

const key: AuthKey = { issuer: 'https://as.example', resource: 'https://mcp.example/mcp', principal: 'ada' }

function held(version: number): TokenRecord {
  const tokens = {
    access_token: canary('access'),
    refresh_token: canary('refresh'),
    token_type: 'Bearer',
  } as const
  return { version, generation: 1, obtainedAtMs: 5, state: { kind: 'held', tokens } }
}

function intended(version: number): TokenRecord {
  const { state, ...record } = held(version)
  if (state.kind !== 'held') throw new Error('not held')
  const intent = { generation: 1, nonce: 'n', atMs: 6, holder: 'process 1' }
  return { ...record, state: { kind: 'refreshing', tokens: state.tokens, intent } }
}

describeDatabase('credentials', (databases) => {
  let lockbox: TestLockbox
  const clock = { ms: 1_000_000 }
  let owners = 0
  const newOwner = (): string => `owner ${++owners}`
  beforeAll(async () => {
    lockbox = await openTestLockbox(await databases.location(), { now: () => new Date(clock.ms) })
  })
  afterAll(() => lockbox?.close())

  describeAuthStore('in a lockbox', clock, () => lockbox.credentials(newOwner()))

  /** The store of another process on the same database. */
  async function replicaOf(owner: string, leaseMs?: number): Promise<AuthStore> {
    const keyring = await openKeyring({ key: testKey })
    const replica = await openLockboxOn(lockbox.engine, keyring, () => new Date(clock.ms))
    return replica.credentials(owner, leaseMs === undefined ? {} : { leaseMs })
  }

  const leaseOf = async (owner: string): Promise<{ fence: number; is_held: boolean } | undefined> =>
    (
      await lockbox.sql<{ fence: number; is_held: boolean }>(
        'select fence, expires_at > clock_timestamp() as is_held from lockbox.leases where owner = $1',
        [owner],
      )
    )[0]

  const loseLease = (owner: string): Promise<unknown> =>
    lockbox.sql(`update lockbox.leases set expires_at = '-infinity' where owner = $1`, [owner])

  describe('in rows', () => {
    test('are encrypted, and recorded without the secrets [C25]', async () => {
      const store = lockbox.credentials('ann')
      await store.saveTokens(key, held(1), undefined)
      await store.tokens(key)
      const [row] = await lockbox.sql<{ text: string }>(
        `select id || encode(payload, 'escape') as text from lockbox.records where owner = 'ann'`,
      )
      for (const clear of ['example', canary('access'), canary('refresh')])
        expect(row?.text).not.toContain(clear)
      expect(await lockbox.audit.recent('ann', 10)).toMatchObject([
        { action: 'read', kind: 'tokens', name: [key.issuer, key.resource, 'ada'] },
        { action: 'save', kind: 'tokens' },
      ])
    })

    test('are those of their owner only', async () => {
      await lockbox.credentials('bob').saveTokens(key, held(1), undefined)
      const cleo = lockbox.credentials('cleo')
      expect(await cleo.tokens(key)).toBeUndefined()
      expect(await cleo.saveTokens(key, held(2), 1)).toBe(false)
      await lockbox.credentials('bob').lease(key, () => cleo.lease(key, () => Promise.resolve()))
    })

    test('that were changed in the database are an error of the store', async () => {
      const store = lockbox.credentials('dora')
      await store.saveTokens(key, held(1), undefined)
      await lockbox.sql(`update lockbox.records set version = 2 where owner = 'dora'`)
      expect(await rejection(store.tokens(key))).toMatchObject({
        name: 'McpAuthError',
        code: 'storage_failed',
        cause: { code: 'damaged' },
      })
    })
  })

  describe('that are leased', () => {
    test('are waited for by other processes, until the lease is released or the waiting is aborted', async () => {
      const owner = newOwner()
      const [one, other] = [await replicaOf(owner), await replicaOf(owner)]
      const steps: string[] = []
      const waiting = await one.lease(key, async () => {
        const gaveUp = new AbortController()
        const impatient = other.lease(key, async () => steps.push('never'), { signal: gaveUp.signal })
        gaveUp.abort(new Error('enough'))
        await expect(impatient).rejects.toThrow('enough')
        const second = other.lease(key, async () => steps.push('second'))
        await lockbox.sql('select 1')
        steps.push('first')
        return { second }
      })
      await waiting.second
      expect(steps).toEqual(['first', 'second'])
      expect(await leaseOf(owner)).toMatchObject({ is_held: false })
    })

    test('stay leased while the work goes on', async () => {
      const owner = newOwner()
      const store = await replicaOf(owner, 60)
      await store.lease(key, async () => {
        await loseLease(owner)
        await expect.poll(() => leaseOf(owner)).toMatchObject({ is_held: true })
      })
    })

    test('are free when their holder has not extended the lease, and its late intent is refused [C25]', async () => {
      const owner = newOwner()
      const [slow, quick] = [await replicaOf(owner, 60_000), await replicaOf(owner, 60_000)]
      await slow.saveTokens(key, held(1), undefined)
      await slow.lease(key, async () => {
        await loseLease(owner)
        await quick.lease(key, async () => {
          expect(await slow.saveTokens(key, intended(2), 1)).toBe(false)
          expect(await quick.saveTokens(key, intended(2), 1)).toBe(true)
        })
        expect(await slow.saveTokens(key, intended(3), 2)).toBe(false)
        expect(await slow.saveTokens(key, held(3), 2)).toBe(true)
      })
    })

    test('stay with their new holder when the previous one releases its lease late', async () => {
      const owner = newOwner()
      const [slow, quick] = [await replicaOf(owner, 60_000), await replicaOf(owner, 60_000)]
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let taken = (): void => {}
      const isTaken = new Promise<void>((resolve) => {
        taken = resolve
      })
      const working = { quick: Promise.resolve() }
      await slow.lease(key, async () => {
        await loseLease(owner)
        working.quick = quick.lease(key, async () => {
          taken()
          await released
        })
        await isTaken
      })
      expect(await leaseOf(owner)).toMatchObject({ is_held: true })
      release()
      await working.quick
      expect(await leaseOf(owner)).toMatchObject({ is_held: false })
    })
  })
})
