import { type Bridge, type Origin, openBridge, toText } from '@toolbridge/bridge'
import { createQuotas } from '@toolbridge/bridge/connections'
import { afterEach, expect, test } from 'vitest'
import { permissive, plainServer } from '../servers/specs.ts'

let bridge: Bridge
afterEach(() => bridge.close())

function as(principal: string, conversation: string): { readonly origin: Origin } {
  return { origin: { principal, conversation } }
}

test('a principal at its limit waits until one of its connections is closed', async () => {
  bridge = await openBridge({
    ...permissive([plainServer('a')]),
    quotas: createQuotas({ maxConnections: 1 }),
  })
  const first = bridge.call('a__wait', { text: 'first', delayMs: 150 }, as('alice', '1'))
  const second = bridge.call('a__echo', { text: 'second' }, as('alice', '2'))
  const others = bridge.call('a__echo', { text: 'others' }, as('bob', '1'))
  expect(toText(await others)).toBe('a others')
  expect(bridge.processes().filter(({ origin }) => origin.principal === 'alice')).toHaveLength(1)
  expect(toText(await first)).toBe('a first')
  await bridge.releaseOrigin(as('alice', '1').origin)
  expect(toText(await second)).toBe('a second')
})

test('an unused connection is closed at once for a waiting request', async () => {
  bridge = await openBridge({
    ...permissive([plainServer('a')]),
    quotas: createQuotas({ maxProcesses: 1 }),
  })
  await bridge.call('a__echo', { text: 'x' }, as('alice', '1'))
  expect(toText(await bridge.call('a__echo', { text: 'y' }, as('alice', '2')))).toBe('a y')
  const ofAlice = bridge.processes().filter(({ origin }) => origin.principal === 'alice')
  expect(ofAlice.map(({ origin }) => origin.conversation)).toEqual(['2'])
})

test('a request that waits too long is denied with the limit', async () => {
  bridge = await openBridge({
    ...permissive([plainServer('a')]),
    quotas: createQuotas({ maxProcesses: 1, maxWaitMs: 50 }),
  })
  const hanging = bridge.call('a__hang', {}, as('alice', '1')).catch(() => {})
  await expect(bridge.call('a__echo', { text: 'x' }, as('alice', '2'))).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('server "a": connection limit reached (1 processes per user)'),
  })
  await bridge.releaseOrigin(as('alice', '1').origin)
  await hanging
})

test('an aborted request does not take the next permit', async () => {
  const quotas = createQuotas({ maxConnections: 1 })
  bridge = await openBridge({ ...permissive([]), quotas })
  const request = (server: string, signal = new AbortController().signal) => ({
    principal: 'alice',
    server,
    isProcess: false,
    idleMs: () => undefined,
    evict: async () => false,
    signal,
  })
  const lease = await quotas.acquire(request('a'))
  const leaving = new AbortController()
  const impatient = expect(quotas.acquire(request('b', leaving.signal))).rejects.toBe('left')
  const patient = quotas.acquire(request('c'))
  leaving.abort('left')
  await impatient
  lease.release()
  lease.release()
  const second = await patient
  second.release()
})

test('a permit that is granted to a request aborted at that moment is not lost', async () => {
  bridge = await openBridge(permissive([]))
  const quotas = createQuotas({ maxConnections: 1 })
  const request = (signal: AbortSignal) =>
    quotas.acquire({
      principal: 'alice',
      server: 'a',
      isProcess: false,
      idleMs: () => undefined,
      evict: async () => false,
      signal,
    })
  const first = await request(new AbortController().signal)
  const waiting = new AbortController()
  const second = request(waiting.signal)
  first.release()
  waiting.abort(new Error('enough'))
  // Either may win. What was granted is the caller's to release.
  await second.then(
    (permit) => permit.release(),
    (reason: unknown) => expect(reason).toEqual(new Error('enough')),
  )
  const third = await request(AbortSignal.timeout(5_000))
  third.release()
})
