import { paths } from '@toolbridge/api'
import { afterEach, expect, test, vi } from 'vitest'
import { IdleTimers } from '../src/lifecycle/idle-timers.ts'
import { bearerOf, createTestGateway, type TestGateway } from './support/gateway.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { sendModern } from './support/modern.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { textOf, untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
afterEach(() => {
  vi.useRealTimers()
})

const isOpen = async ({ services }: TestGateway, owner: string): Promise<boolean> =>
  (await services.owners.find(owner)) !== undefined

test('the servers of a person who is away are stopped, and start again with the next call [C26]', async () => {
  await using gateway = createTestGateway({ lockbox, ownerIdleMs: 1 })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  const call = async (): Promise<string> => textOf(await ada.post(paths.call, { tool: 'hello__hello' }))
  expect(await call()).toContain('Hello')
  const first = gateway.services.owners
  await vi.waitUntil(async () => !(await isOpen(gateway, 'ada')), untilHang)
  expect(first.opened).toEqual([])
  expect(await call()).toContain('Hello')
})

test('a host without a session is served again after its person was away', async () => {
  await using listening = await listenTestGateway({ lockbox, ownerIdleMs: 1 })
  const ada = listening.gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  const call = (): Promise<unknown> =>
    sendModern(
      listening.url + paths.mcp,
      'tools/call',
      { name: 'hello__hello', arguments: {} },
      null,
      bearerOf('ada'),
    )
  const greeting = { result: { content: [{ text: 'Hello, world!' }] } }
  expect(await call()).toMatchObject(greeting)
  await vi.waitUntil(async () => !(await isOpen(listening.gateway, 'ada')), untilHang)
  expect(await call()).toMatchObject(greeting)
})

test('while a page of a person is open, or the servers are those of the operator, they stay', async () => {
  const idleMs = 600_000
  await using gateway = createTestGateway({
    lockbox,
    ownerIdleMs: idleMs,
    operatorServers: [inMemory('hello')],
  })
  const [local, bob] = [gateway.as('local'), gateway.as('bob')]
  await bob.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await Promise.all([untilServer(local, 'hello', 'ready'), untilServer(bob, 'hello', 'ready')])
  const page = (await bob.get(paths.events)).body?.getReader()
  await page?.read()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await Promise.all([local.get(paths.inbox), bob.get(paths.inbox)])
  vi.advanceTimersByTime(idleMs)
  expect([await isOpen(gateway, 'bob'), await isOpen(gateway, 'local')]).toEqual([true, true])

  await page?.cancel()
  vi.advanceTimersByTime(idleMs - 1)
  expect(await isOpen(gateway, 'bob')).toBe(true)
  vi.advanceTimersByTime(1)
  expect([await isOpen(gateway, 'bob'), await isOpen(gateway, 'local')]).toEqual([false, true])
})

test('a key is idle when its last use has ended for long enough', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const idle: string[] = []
  const timers = new IdleTimers(100, (key) => idle.push(key))
  const [endOne, endOther] = [timers.begin('a'), timers.begin('a')]
  endOne()
  vi.advanceTimersByTime(1_000)
  expect(idle).toEqual([])
  endOther()
  vi.advanceTimersByTime(99)
  const end = timers.begin('a')
  vi.advanceTimersByTime(1_000)
  end()
  expect(idle).toEqual([])
  vi.advanceTimersByTime(100)
  expect(idle).toEqual(['a'])
})
