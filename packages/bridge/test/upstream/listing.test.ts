import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Listing } from '../../src/upstream/listing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listing(onRead: () => void): Listing<number> {
  return new Listing<number>({
    read: async () => {
      onRead()
      return [1]
    },
    onRead: () => undefined,
    onFailed: (error) => expect.fail(String(error)),
  })
}

test('a list that changed and was read since is not read once more', async () => {
  let count = 0
  const list = listing(() => (count += 1))
  await list.current()
  list.changed()
  await list.current()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(count).toBe(2)
  list.changed()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(count).toBe(3)
})

test('a change that is told while the list is read is read too', async () => {
  let count = 0
  const list = listing(() => {
    count += 1
    if (count === 1) list.changed()
  })
  await list.current()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(count).toBe(2)
})

test('a server that takes being read for a change is read less and less often, until it is calm again', async () => {
  let count = 0
  let isRestless = true
  const list = listing(() => {
    count += 1
    if (isRestless) list.changed()
  })
  await list.current()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(count).toBeGreaterThan(8)
  expect(count).toBeLessThan(25)
  isRestless = false
  await vi.advanceTimersByTimeAsync(60_000)
  const before = count
  list.changed()
  await vi.advanceTimersByTimeAsync(100)
  expect(count).toBe(before + 1)
})
