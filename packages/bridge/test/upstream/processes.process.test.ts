import { type Bridge, openBridge, toText } from '@toolbridge/bridge'
import type { Credential } from '@toolbridge/bridge/connections'
import { afterEach, expect, test } from 'vitest'
import { fixture, isRunning, permissive, plainServer } from '../servers/specs.ts'

let bridge: Bridge
afterEach(() => bridge.close())

const bob = { principal: 'bob', conversation: 'mail' }

test('the processes of a bridge say whose they are, how they stand and since when', async () => {
  bridge = await openBridge(permissive([plainServer('b'), plainServer('a')]))
  const startedAt = Date.now()
  await bridge.call('a__echo', { text: 'x' }, { origin: bob })
  const list = bridge.processes()
  expect(list.map(({ server, origin, state }) => [server, origin.principal, state])).toEqual([
    ['a', 'local', 'ready'],
    ['a', 'bob', 'ready'],
    ['b', 'local', 'ready'],
  ])
  expect(list.every(({ pid, since }) => isRunning(pid) && since.getTime() <= Date.now())).toBe(true)
  expect(list[1]?.since.getTime()).toBeGreaterThanOrEqual(startedAt)
})

test('a process is listed from its start until it is gone', async () => {
  bridge = await openBridge(permissive([]))
  const opening = bridge.apply([fixture('hostile', 'slow', '--slow-start', '300')])
  await expect.poll(() => bridge.processes()).toMatchObject([{ server: 'slow', state: 'starting' }])
  await opening
  const held = bridge.call('slow__hang').catch(() => {})
  await bridge.apply([])
  expect(bridge.status()).toEqual([])
  expect(bridge.processes()).toMatchObject([{ server: 'slow', state: 'ready' }])
  const closing = bridge.close()
  await expect.poll(() => bridge.processes()).toMatchObject([{ server: 'slow', state: 'stopping' }])
  await closing
  await held
  expect(bridge.processes()).toEqual([])
})

test('another account is another connection, and the same account the same one', async () => {
  let account = 'first'
  const authorization: Credential['authorization'] = {
    authorize: async () => 'unknown',
    headersFor: () => ({}),
    onRefused: async () => false,
  }
  bridge = await openBridge({
    ...permissive([plainServer('a')]),
    credentials: (_spec, principal) => (principal === 'bob' ? { id: account, authorization } : undefined),
  })
  const pidsOfBob = (): readonly number[] =>
    bridge.processes().flatMap(({ origin, pid }) => (origin.principal === 'bob' ? [pid] : []))
  await bridge.call('a__echo', { text: 'x' }, { origin: bob })
  await bridge.call('a__echo', { text: 'x' }, { origin: bob })
  expect(pidsOfBob()).toHaveLength(1)
  account = 'second'
  expect(toText(await bridge.call('a__echo', { text: 'y' }, { origin: bob }))).toBe('a y')
  expect(pidsOfBob()).toHaveLength(2)
  await bridge.releaseOrigin(bob)
  expect(pidsOfBob()).toEqual([])
})
