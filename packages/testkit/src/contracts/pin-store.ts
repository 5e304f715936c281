import type { Pin, PinKey, PinStore } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'

const key: PinKey = { principal: 'alice', server: 'files', definition: 'd1', tool: 'write' }

const others: readonly PinKey[] = [
  { ...key, principal: 'bob' },
  { ...key, server: 'FILES' },
  { ...key, definition: 'd2' },
  { ...key, tool: 'write ' },
]

/** The contract of every `PinStore`. `open` creates an empty one; `pins` are two pins of one tool. */
export function describePinStore(
  kind: string,
  pins: readonly [Pin, Pin],
  open: () => PinStore | Promise<PinStore>,
): void {
  describe(`pins ${kind}`, () => {
    test('are kept for a principal, server, definition and tool, until they are removed', async () => {
      const [first, second] = pins
      const store = await open()
      expect(await store.get(key)).toBeUndefined()
      await store.set(key, first)
      await store.set({ ...key }, second)
      expect(await store.get({ ...key })).toEqual(second)
      for (const other of others) expect(await store.get(other)).toBeUndefined()
      for (const other of others) await store.remove(other)
      expect(await store.get(key)).toEqual(second)
      await store.remove(key)
      expect(await store.get(key)).toBeUndefined()
      await store.remove(key)
    })

    test('do not depend on what else is given with the key', async () => {
      const [pin] = pins
      const store = await open()
      await store.set({ ...key, more: 'text' } as PinKey, pin)
      expect(await store.get(key)).toEqual(pin)
    })
  })
}
