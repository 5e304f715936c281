import type { TrustStore } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

const hash = 'ab'.repeat(32)
const other = 'cd'.repeat(32)

/** The contract of every `TrustStore`. `open` creates an empty one. */
export function describeTrustStore(kind: string, open: () => TrustStore | Promise<TrustStore>): void {
  describe(`trust ${kind}`, () => {
    test('is in the entries that were trusted, until it is revoked', async () => {
      const store = await open()
      expect(await store.isTrusted(hash)).toBe(false)
      await store.trust(hash, 'the first time')
      await store.trust(hash, 'again')
      expect(await store.isTrusted(hash)).toBe(true)
      expect(await store.isTrusted(other)).toBe(false)
      await store.forget(other)
      expect(await store.isTrusted(hash)).toBe(true)
      await store.forget(hash)
      expect(await store.isTrusted(hash)).toBe(false)
    })
  })
}
