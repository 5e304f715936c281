import type { Grant, GrantStore } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'

const grant: Grant = {
  principal: 'alice',
  server: 'files',
  definition: 'd1',
  tool: 'write',
  pin: 'p1',
  asks: ['mcp:*', 'mcp://files/write'],
}

const others: readonly Grant[] = [
  { ...grant, principal: 'bob' },
  { ...grant, server: 'FILES' },
  { ...grant, definition: 'd2' },
  { ...grant, tool: 'write ' },
  { ...grant, pin: 'p2' },
  { ...grant, asks: [] },
  { ...grant, asks: grant.asks.toReversed() },
  { ...grant, pin: 'p1mcp:*', asks: ['mcp://files/write'] },
]

/** The contract of every `GrantStore`. `open` creates an empty one. */
export function describeGrantStore(kind: string, open: () => GrantStore | Promise<GrantStore>): void {
  describe(`grants ${kind}`, () => {
    test('are found when equal in every field, until they are removed', async () => {
      const store = await open()
      expect(await store.has(grant)).toBe(false)
      await store.add(grant)
      await store.add({ ...grant })
      expect(await store.has({ ...grant })).toBe(true)
      for (const other of others) expect(await store.has(other)).toBe(false)
      await store.remove(grant)
      expect(await store.has(grant)).toBe(false)
      await store.remove(grant)
    })

    test('are listed for their principal, once each', async () => {
      const store = await open()
      const own = others.filter(({ principal }) => principal === 'alice')
      for (const each of [grant, ...others, grant]) await store.add(each)
      const listed = await store.list('alice')
      expect(listed).toHaveLength(own.length + 1)
      expect(listed).toEqual(expect.arrayContaining([grant, ...own]))
      expect(await store.list('bob')).toEqual([others[0]])
      expect(await store.list('nobody')).toEqual([])
    })

    test('are removed one by one', async () => {
      const store = await open()
      for (const each of [grant, ...others]) await store.add(each)
      await store.remove(grant)
      expect(await store.has(grant)).toBe(false)
      for (const other of others) expect(await store.has(other)).toBe(true)
    })
  })
}
