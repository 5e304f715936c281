import { paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { type ModernParams, modernRevision, sendModern } from './support/modern.ts'
import { inMemory } from './support/specs.ts'
import { questionsOf, untilAsked, untilHang, untilNothingAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let listening: ListeningGateway

beforeAll(async () => {
  listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), inMemory('elicit')],
  })
  await untilServer(listening.gateway.as('local'), 'hello', 'ready')
})
afterAll(() => listening[Symbol.asyncDispose]())

test('a host of the 2026 era discovers the gateway, lists its tools and calls one without a session', async () => {
  const discovered = await send('server/discover')
  expect(discovered.result).toMatchObject({ supportedVersions: [modernRevision] })
  const listed = await send('tools/list')
  expect(listed.result.tools.map(({ name }: { name: string }) => name)).toContain('hello__hello')
  const called = await send('tools/call', { name: 'hello__hello', arguments: { name: 'Ada' } })
  expect(called.result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
})

test('its questions go to the inbox, since it has no session to ask in', async () => {
  const local = listening.gateway.as('local')
  const call = send('tools/call', { name: 'elicit__greet_me', arguments: {} })
  const item = await untilAsked(local)
  expect(item.host).toBe('test-host')
  await local.post(paths.answer(item.id), { action: 'accept', content: { name: 'Ada' } })
  expect((await call).result.content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
})

test('a host that hangs up withdraws what its call asked', async () => {
  const local = listening.gateway.as('local')
  const leaving = new AbortController()
  const call = send('tools/call', { name: 'elicit__greet_me', arguments: {} }, leaving.signal)
  await untilAsked(local)
  leaving.abort()
  await expect(call).rejects.toThrow()
  await untilNothingAsked(local)
})

test('a host that hangs up withdraws its own question and no other [S0-23]', async () => {
  const local = listening.gateway.as('local')
  const leaving = new AbortController()
  const slow = { name: 'elicit__whoami_slow', arguments: { delayMs: 300 } }
  const stays = send('tools/call', slow)
  const left = expect(send('tools/call', slow, leaving.signal)).rejects.toThrow()
  await expect.poll(() => questionsOf(local), untilHang).toHaveLength(2)
  leaving.abort()
  await left
  await expect.poll(() => questionsOf(local), untilHang).toHaveLength(1)
  const { id } = await untilAsked(local)
  await local.post(paths.answer(id), { action: 'accept', content: { name: 'Ada' } })
  expect((await stays).result.content).toEqual([{ type: 'text', text: 'You are Ada.' }])
})

function send(method: string, params: ModernParams = {}, signal: AbortSignal | null = null) {
  return sendModern(listening.url + paths.mcp, method, params, signal)
}
