import { expect, test } from 'vitest'
import { Room, type RoomRequest } from '../../src/upstream/limits/room.ts'
import { ManualClock } from '../servers/manual-clock.ts'

const limits = { maxConnections: 2, maxConnectionsPerServer: 2, maxWaitMs: 1_000, minIdleMs: 100 }
const never = new AbortController().signal

/** A room, and who got in, in the order they did. */
function openRoom(changed: Partial<typeof limits> = {}) {
  const clock = new ManualClock()
  const room = new Room({ ...limits, ...changed }, clock)
  const entered: string[] = []
  const enter = async (name: string, options: Partial<RoomRequest> = {}) => {
    const request = {
      server: 's',
      principal: name,
      idleMs: () => undefined,
      evict: async () => true,
      signal: never,
    }
    const place = await room.enter({ ...request, ...options })
    entered.push(name)
    return place
  }
  return { clock, room, entered, enter }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

test('who finds no room waits until somebody leaves, and leaving twice makes room once', async () => {
  const { enter, entered } = openRoom()
  const first = await enter('a')
  await enter('b')
  const waiting = [enter('c'), enter('d')]
  await settle()
  expect(entered).toEqual(['a', 'b'])
  first.leave()
  first.leave()
  await waiting[0]
  await settle()
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('a server that is full keeps nobody from another one', async () => {
  const { enter, entered } = openRoom({ maxConnections: 3, maxConnectionsPerServer: 1 })
  const first = await enter('a')
  const blocked = enter('b')
  await enter('c', { server: 'another' })
  expect(entered).toEqual(['a', 'c'])
  first.leave()
  await blocked
})

test('principals take turns, however much one of them asks for', async () => {
  const { enter, entered } = openRoom({ maxConnections: 1 })
  const names = ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'quiet 1']
  let place = await enter('first')
  const waiting = names.map((name) => enter(name, { principal: name.split(' ')[0] ?? '' }))
  for (let served = 0; served < waiting.length; served++) {
    place.leave()
    place = await Promise.any(waiting.filter((_each, index) => !entered.includes(names[index] ?? '')))
  }
  expect(entered).toEqual(['first', 'greedy 1', 'modest 1', 'quiet 1', 'greedy 2', 'greedy 3'])
})

test('a connection that nobody uses makes room once its server had time to ask, the longest unused first', async () => {
  const { clock, enter, room } = openRoom()
  const evicted: string[] = []
  const leaving = (name: string) => async () => {
    evicted.push(name)
    return true
  }
  const unusedFor = (since: number) => () => clock.now() - since
  const start = clock.now()
  await enter('a', { idleMs: unusedFor(start - 10), evict: leaving('a') })
  await enter('b', { idleMs: unusedFor(start - 60), evict: leaving('b') })
  const waiting = enter('c')
  room.unused()
  expect(evicted).toEqual([])
  clock.advance(39)
  expect(evicted).toEqual([])
  clock.advance(1)
  expect(evicted).toEqual(['b'])
  clock.advance(100)
  // One was enough: it has not left yet.
  expect(evicted).toEqual(['b'])
  void waiting.catch(() => {})
})

test('a server whose connections are all in use keeps nobody from the room of another one', async () => {
  const { clock, enter, room } = openRoom({ maxConnectionsPerServer: 1 })
  const evicted: string[] = []
  const leaving = (name: string) => async () => {
    evicted.push(name)
    return true
  }
  await enter('a', { server: 'busy' })
  await enter('b', { server: 'calm', idleMs: () => 100, evict: leaving('b') })
  const waiting = [enter('c', { server: 'busy' }), enter('d', { server: 'calm' })]
  room.unused()
  clock.advance(1)
  expect(evicted).toEqual(['b'])
  for (const each of waiting) void each.catch(() => {})
})

test('a connection in use is left alone, and the first that is not any more makes room', async () => {
  const { clock, enter, room } = openRoom({ maxConnections: 1 })
  const connection: { idleMs: number | undefined } = { idleMs: undefined }
  let evictions = 0
  await enter('a', {
    idleMs: () => connection.idleMs,
    evict: async () => {
      evictions += 1
      return true
    },
  })
  const waiting = enter('b')
  clock.advance(500)
  expect(evictions).toBe(0)
  connection.idleMs = 100
  room.unused()
  expect(evictions).toBe(1)
  void waiting.catch(() => {})
})

test('a connection that turns out to be in use stays, and another one makes room', async () => {
  const { enter, entered, room } = openRoom()
  const places = new Map<string, { leave(): void }>()
  const names: string[] = []
  const evict = (name: string, isGone: boolean) => async () => {
    names.push(name)
    if (isGone) places.get(name)?.leave()
    return isGone
  }
  let isAsked = false
  const asked = async () => {
    isAsked = true
    return evict('a', false)()
  }
  places.set('a', await enter('a', { idleMs: () => (isAsked ? undefined : 300), evict: asked }))
  places.set('b', await enter('b', { idleMs: () => 200, evict: evict('b', true) }))
  const waiting = enter('c')
  room.unused()
  await waiting
  expect(names).toEqual(['a', 'b'])
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('who waits too long is told what is in the way and what to do', async () => {
  const { clock, enter, entered } = openRoom({ maxConnectionsPerServer: 1 })
  const first = await enter('a')
  const waiting = enter('b')
  clock.advance(1_000)
  await expect(waiting).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringMatching(/server "s".*1 connections to it.*within 1000 ms; try again later/),
  })
  first.leave()
  await enter('c')
  expect(entered).toEqual(['a', 'c'])
})

test('who gives up leaves the line, and a place that comes at the same moment is not lost', async () => {
  const { enter } = openRoom({ maxConnections: 1 })
  const first = await enter('a')
  const enough = new AbortController()
  const waiting = enter('b', { signal: enough.signal })
  enough.abort(new Error('enough'))
  first.leave()
  await expect(waiting).rejects.toThrow('enough')
  await enter('c')
})
