import { type ActivityResponse, paths } from '@toolbridge/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer } from './support/specs.ts'
import { textOf, untilHang } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let local: Caller

beforeAll(() => {
  gateway = createTestGateway({
    lockbox,
    operatorServers: [inMemory('hello'), operatorServer('odd', 'hostile')],
    permissions: { mode: 'ask', deny: ['mcp://odd/environment'], ask: ['mcp://odd/echo'] },
  })
  local = gateway.as('local')
})
afterAll(() => gateway[Symbol.asyncDispose]())

test('a call waits for its server to start, and is found by public name and by address', async () => {
  expect(
    await textOf(await local.post(paths.call, { tool: 'mcp://hello/hello', arguments: { name: 'Ada' } })),
  ).toBe('Hello, Ada!')
  const { tools } = await (await local.get(paths.tools)).json()
  const { name } = tools.find(({ rawName }: { rawName: string }) => rawName === 'repeat')
  expect(await textOf(await local.post(paths.call, { tool: name, arguments: { text: 'a' } }))).toBe('a a')
})

test('a failure that the tool reports is a result', async () => {
  const response = await local.post(paths.call, {
    tool: 'mcp://hello/repeat',
    arguments: { text: 'a', count: 99 },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ isError: true })
})

test('who presses the button has agreed, but a rule that denies holds', async () => {
  expect(
    await textOf(await local.post(paths.call, { tool: 'mcp://odd/echo', arguments: { text: 'hi' } })),
  ).toBe('hi')
  const denied = await local.post(paths.call, { tool: 'mcp://odd/environment' })
  expect(denied.status).toBe(403)
  expect(await denied.json()).toMatchObject({ code: 'denied' })
})

test.each([
  ['an unknown tool', { tool: 'mcp://hello/missing' }, 404, 'unknown_tool'],
  ['no tool', {}, 422, 'invalid_request'],
  ['arguments in a list', { tool: 'mcp://hello/hello', arguments: [] }, 422, 'invalid_request'],
  ['a field that is not known', { tool: 'mcp://hello/hello', args: {} }, 422, 'invalid_request'],
])('%s is refused', async (_, body, status, code) => {
  const response = await local.post(paths.call, body)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ code })
})

test('a call ends with the request that made it', async () => {
  const events = readEvents(await local.get(paths.events))
  await events.next('hello')
  const { bridge } = await gateway.services.owners.open('local')
  const made = vi.spyOn(bridge, 'call')
  const leaving = new AbortController()
  const call = local.post(paths.call, { tool: 'mcp://odd/hang' }, { signal: leaving.signal })
  await vi.waitFor(() => expect(made).toHaveBeenCalled(), untilHang)
  leaving.abort()
  expect((await call).status).toBe(499)
  const { entry } = await events.next('activity')
  expect(entry).toMatchObject({ outcome: 'cancelled' })
  await events.cancel()
})

test('every call is kept with where it came from, its outcome and its time, newest first', async () => {
  await local.post(paths.call, { tool: 'mcp://hello/hello', arguments: { name: 'SECRET' } })
  await vi.waitFor(async () => {
    const response = await local.get(paths.activity)
    const text = await response.text()
    expect(text).not.toContain('SECRET')
    const { entries }: ActivityResponse = JSON.parse(text)
    expect(entries[0]).toMatchObject({ server: 'hello', conversation: 'console', outcome: 'ok' })
    expect(entries.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['denied', 'tool_error', 'cancelled']),
    )
  }, untilHang)
})
