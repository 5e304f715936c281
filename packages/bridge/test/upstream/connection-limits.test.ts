import { expect, test } from 'vitest'
import type { ConnectionRequest } from '../../src/upstream/limits/connection-limiter.ts'
import { connectionLimits } from '../../src/upstream/limits/connection-limits.ts'
import { ManualClock } from '../servers/manual-clock.ts'

const limits = { maxConnections: 2, maxConnectionsPerServer: 2, maxWaitMs: 1_000, minIdleMs: 100 }
const never = new AbortController().signal

/** A limiter, and whose requests it granted, in order. */
function openLimits(changed: Partial<typeof limits> = {}) {
  const clock = new ManualClock()
  const limiter = connectionLimits({ ...limits, ...changed }, clock)
  const granted: string[] = []
  const acquire = async (name: string, options: Partial<ConnectionRequest> = {}) => {
    const request = {
      server: 's',
      principal: name,
      isProcess: false,
      idleMs: () => undefined,
      evict: async () => true,
      signal: never,
    }
    const permit = await limiter.acquire({ ...request, ...options })
    granted.push(name)
    return permit
  }
  return { clock, limiter, granted, acquire }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

test('a request over the limit waits for a release, and releasing twice counts once', async () => {
  const { acquire, granted } = openLimits()
  const first = await acquire('a')
  await acquire('b')
  const waiting = [acquire('c'), acquire('d')]
  await settle()
  expect(granted).toEqual(['a', 'b'])
  first.release()
  first.release()
  await waiting[0]
  await settle()
  expect(granted).toEqual(['a', 'b', 'c'])
})

test('a server at its limit does not block requests for another one', async () => {
  const { acquire, granted } = openLimits({ maxConnections: 3, maxConnectionsPerServer: 1 })
  const first = await acquire('a')
  const blocked = acquire('b')
  await acquire('c', { server: 'another' })
  expect(granted).toEqual(['a', 'c'])
  first.release()
  await blocked
})

test('principals are served in turn, however many requests one of them has', async () => {
  const { acquire, granted } = openLimits({ maxConnections: 1 })
  const names = ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'quiet 1']
  let permit = await acquire('first')
  const waiting = names.map((name) => acquire(name, { principal: name.split(' ')[0] ?? '' }))
  for (let served = 0; served < waiting.length; served++) {
    permit.release()
    permit = await Promise.any(waiting.filter((_each, index) => !granted.includes(names[index] ?? '')))
  }
  expect(granted).toEqual(['first', 'greedy 1', 'modest 1', 'quiet 1', 'greedy 2', 'greedy 3'])
})

test('an unused connection is closed once its server had time to ask, the longest unused first', async () => {
  const { clock, acquire, limiter } = openLimits()
  const evicted: string[] = []
  const leaving = (name: string) => async () => {
    evicted.push(name)
    return true
  }
  const unusedFor = (since: number) => () => clock.now() - since
  const start = clock.now()
  await acquire('a', { idleMs: unusedFor(start - 10), evict: leaving('a') })
  await acquire('b', { idleMs: unusedFor(start - 60), evict: leaving('b') })
  const waiting = acquire('c')
  limiter.connectionUnused()
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

test('connections of another server are not closed for a request that they would not help', async () => {
  const { clock, acquire, limiter } = openLimits({ maxConnectionsPerServer: 1 })
  const evicted: string[] = []
  const leaving = (name: string) => async () => {
    evicted.push(name)
    return true
  }
  await acquire('a', { server: 'busy' })
  await acquire('b', { server: 'calm', idleMs: () => 100, evict: leaving('b') })
  const waiting = [acquire('c', { server: 'busy' }), acquire('d', { server: 'calm' })]
  limiter.connectionUnused()
  clock.advance(1)
  expect(evicted).toEqual(['b'])
  for (const each of waiting) void each.catch(() => {})
})

test('a connection in use is kept, and closed once it is unused', async () => {
  const { clock, acquire, limiter } = openLimits({ maxConnections: 1 })
  const connection: { idleMs: number | undefined } = { idleMs: undefined }
  let evictions = 0
  await acquire('a', {
    idleMs: () => connection.idleMs,
    evict: async () => {
      evictions += 1
      return true
    },
  })
  const waiting = acquire('b')
  clock.advance(500)
  expect(evictions).toBe(0)
  connection.idleMs = 100
  limiter.connectionUnused()
  expect(evictions).toBe(1)
  void waiting.catch(() => {})
})

test('a connection that turns out to be in use stays, and another one is closed', async () => {
  const { clock, acquire, granted, limiter } = openLimits()
  const permits = new Map<string, { release(): void }>()
  const names: string[] = []
  const evict = (name: string, isGone: boolean) => async () => {
    names.push(name)
    if (isGone) permits.get(name)?.release()
    return isGone
  }
  let isAsked = false
  const asked = async () => {
    isAsked = true
    return evict('a', false)()
  }
  permits.set('a', await acquire('a', { idleMs: () => (isAsked ? undefined : 300), evict: asked }))
  permits.set('b', await acquire('b', { idleMs: () => 200, evict: evict('b', true) }))
  const waiting = acquire('c')
  limiter.connectionUnused()
  await settle()
  clock.advance(0)
  await waiting
  expect(names).toEqual(['a', 'b'])
  expect(granted).toEqual(['a', 'b', 'c'])
})

test('a connection that always refuses to close is not asked again without a pause', async () => {
  const { clock, acquire } = openLimits({ maxConnections: 1, minIdleMs: 0 })
  let evictions = 0
  // Gives in after a while: code that asks without a pause would never come to an end.
  const evict = async () => ++evictions > 100
  await acquire('a', { idleMs: () => 200, evict })
  const waiting = acquire('b')
  for (let turn = 0; turn < 100; turn++) await settle()
  expect(evictions).toBe(1)
  clock.advance(0)
  await settle()
  expect(evictions).toBe(2)
  clock.advance(1_000)
  await expect(waiting).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('a request that waits too long is denied with the limit and what to do', async () => {
  const { clock, acquire, granted } = openLimits({ maxConnectionsPerServer: 1 })
  const first = await acquire('a')
  const waiting = acquire('b')
  clock.advance(1_000)
  await expect(waiting).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining(
      'connection limit reached (1 per server); none became free within 1 s; try again later',
    ),
  })
  first.release()
  await acquire('c')
  expect(granted).toEqual(['a', 'c'])
})

test('an aborted request leaves the queue, and a permit granted at that moment is not lost', async () => {
  const { acquire } = openLimits({ maxConnections: 1 })
  const first = await acquire('a')
  const enough = new AbortController()
  const waiting = acquire('b', { signal: enough.signal })
  enough.abort(new Error('enough'))
  first.release()
  await expect(waiting).rejects.toThrow('enough')
  await acquire('c')
})
