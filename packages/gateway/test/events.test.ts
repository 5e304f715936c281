import { paths } from '@toolbridge/api'
import { afterEach, expect, test, vi } from 'vitest'
import { readEvents } from './support/events.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'

const lockbox = await openFileLockbox()
afterEach(() => {
  vi.useRealTimers()
})

test('a stream says hello and then what changes for its owner, and nobody else’s changes', async () => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.as('ada').get(paths.events)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = readEvents(response)
  expect(await events.next()).toEqual({ type: 'hello' })
  await gateway.as('bob').post(paths.config, { mcpServers: {} })
  await gateway.as('ada').post(paths.config, { mcpServers: {} })
  const { version } = await (await gateway.as('ada').get(paths.config)).json()
  expect(await events.next()).toEqual({ type: 'config', version })
})

test('a reader that leaves is forgotten: writing to it would throw', async () => {
  await using gateway = createTestGateway({ lockbox })
  const events = readEvents(await gateway.as('ada').get(paths.events))
  await events.next()
  await events.cancel()
  expect(() => gateway.services.events.publish('ada', { type: 'inbox' })).not.toThrow()
})

test('a person has a limited number of streams, whatever they are of, and others have theirs', async () => {
  await using gateway = createTestGateway({ lockbox, operatorServers: [inMemory('hello')] })
  const local = gateway.as('local')
  const open = async (index: number): Promise<Response> =>
    local.get(index % 2 === 0 ? paths.events : paths.serverLog('hello'))
  const opened = await Promise.all(Array.from({ length: 64 }, (_, index) => open(index)))
  expect(opened.every(({ status }) => status === 200)).toBe(true)
  for (const index of [0, 1]) {
    const refused = await open(index)
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'too_many_streams'])
  }
  expect((await gateway.as('bob').get(paths.events)).status).toBe(200)
  for (const index of [0, 1]) await opened[index]?.body?.cancel()
  expect([(await open(0)).status, (await open(1)).status]).toEqual([200, 200])
  expect((await open(0)).status).toBe(429)
})

test('a stream ends with its request, also if nobody reads it', async () => {
  await using gateway = createTestGateway({ lockbox, operatorServers: [inMemory('hello')] })
  for (const path of [paths.events, paths.serverLog('hello')]) {
    const leaving = new AbortController()
    const response = await gateway.as('local').get(path, { signal: leaving.signal })
    leaving.abort()
    expect(await response.text()).toMatch(/^data: /)
  }
})

test('every stream ends when the gateway stops, and one opened later ends at once', async () => {
  await using gateway = createTestGateway({ lockbox })
  const events = readEvents(await gateway.as('ada').get(paths.events))
  await events.next()
  gateway.stop()
  expect(await events.frame()).toBeUndefined()
  const late = readEvents(await gateway.as('ada').get(paths.events))
  await late.frame()
  expect(await late.frame()).toBeUndefined()
})

test('a quiet stream says every fifteen seconds that it is alive', async () => {
  await using gateway = createTestGateway({ lockbox })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const events = readEvents(await gateway.as('ada').get(paths.events))
  await events.next()
  vi.advanceTimersByTime(15_000)
  expect(await events.frame()).toMatch(/^: /)
  await events.cancel()
  expect(vi.getTimerCount()).toBe(0)
})

test('a reader that does not read is let go instead of filling the memory', async () => {
  await using gateway = createTestGateway({ lockbox })
  const response = await gateway.as('ada').get(paths.events)
  for (let count = 0; count < 5_000; count++) gateway.services.events.publish('ada', { type: 'inbox' })
  const events = readEvents(response)
  let frames = 0
  while ((await events.frame()) !== undefined) frames += 1
  expect(frames).toBeGreaterThan(1_000)
  expect(frames).toBeLessThan(1_100)
})
