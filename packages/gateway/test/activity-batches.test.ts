import { type ActivityResponse, paths } from '@toolbridge/api'
import type { Activity, ActivityEntry, Lockbox } from '@toolbridge/lockbox'
import { afterEach, expect, test, vi } from 'vitest'
import { ActivityQueue } from '../src/activity/activity-queue.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
afterEach(() => {
  vi.useRealTimers()
})

/** The store, and how many entries each of its transactions had. */
function counted({ activity, ...rest }: Lockbox): { readonly lockbox: Lockbox; readonly sizes: number[] } {
  const sizes: number[] = []
  const recordAll: Activity['recordAll'] = (owner, entries) => {
    sizes.push(entries.length)
    return activity.recordAll(owner, entries)
  }
  return { lockbox: { ...rest, activity: { ...activity, recordAll } }, sizes }
}

test('calls are stored together, are listed at once, and the last ones are stored when the gateway stops', async () => {
  const store = counted(lockbox)
  const gateway = createTestGateway({ lockbox: store.lockbox, operatorServers: [inMemory('hello')] })
  const local = gateway.as('local')
  await untilServer(local, 'hello', 'ready')
  // No timer: what is stored is stored because somebody reads it, or because the gateway stops.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const call = (): Promise<Response> => local.post(paths.call, { tool: 'hello__hello' })
  await Promise.all(Array.from({ length: 30 }, call))
  expect(store.sizes).toEqual([])
  const { entries }: ActivityResponse = await (await local.get(paths.activity)).json()
  expect(entries).toHaveLength(30)
  expect(store.sizes).toEqual([30])
  await call()
  expect(store.sizes).toEqual([30])
  await gateway[Symbol.asyncDispose]()
  expect(store.sizes).toEqual([30, 1])
  expect(await lockbox.activity.recent('local', 100)).toHaveLength(31)
})

const entry = (id: string): ActivityEntry => ({ id, at: new Date(0), payload: null })

test('an entry waits a moment for others, and those of each person are stored by themselves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stored: [string, readonly string[]][] = []
  const queue = new ActivityQueue({
    activity: {
      recordAll: async (owner, entries) => void stored.push([owner, entries.map(({ id }) => id)]),
    },
    onLost: () => undefined,
  })
  queue.add('ada', entry('1'))
  queue.add('bob', entry('2'))
  queue.add('ada', entry('3'))
  expect([queue.size, stored]).toEqual([3, []])
  await vi.advanceTimersByTimeAsync(200)
  expect([queue.size, stored]).toEqual([
    0,
    [
      ['ada', ['1', '3']],
      ['bob', ['2']],
    ],
  ])
  queue.add('ada', entry('4'))
  await queue.close()
  expect(stored.at(-1)).toEqual(['ada', ['4']])
})

test('a store that is slow or fails delays and loses nothing but the entries it refuses, which are counted', async () => {
  const begun: string[][] = []
  const ends: ((error?: Error) => void)[] = []
  const lost: number[] = []
  const queue = new ActivityQueue({
    activity: {
      recordAll: (_owner, entries) => {
        begun.push(entries.map(({ id }) => id))
        return new Promise((resolve, reject) => {
          ends.push((error) => (error === undefined ? resolve() : reject(error)))
        })
      },
    },
    onLost: (count) => lost.push(count),
  })
  queue.add('ada', entry('1'))
  const first = queue.flushOwner('ada')
  await vi.waitFor(() => expect(begun).toEqual([['1']]))
  queue.add('ada', entry('2'))
  queue.add('ada', entry('3'))
  const [second, all] = [queue.flushOwner('ada'), queue.flush()]
  ends[0]?.(new Error('no space'))
  await first
  expect(lost).toEqual([1])
  await vi.waitFor(() => expect(begun).toEqual([['1'], ['2', '3']]))
  ends[1]?.()
  await Promise.all([second, all])
  expect([queue.size, lost]).toEqual([0, [1]])
})

test('of a person whose calls cannot be stored, no more wait than the store would keep', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const queue = new ActivityQueue({ activity: { recordAll: async () => undefined }, onLost: () => undefined })
  for (let id = 0; id < 1_500; id += 1) queue.add('ada', entry(String(id)))
  expect(queue.size).toBe(1_000)
})
