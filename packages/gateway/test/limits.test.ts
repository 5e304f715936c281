import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { paths } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { startGateway } from '../src/index.ts'
import { RateLimiter } from '../src/limits/rate-limiter.ts'
import { bearerOf, type Caller, createTestGateway } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { listenTestGateway } from './support/listening.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { serversOf, textOf, untilAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const slow = { requestsPerSecond: 0.001, burst: 3 }

test('a person above the rate is refused with the time to wait, on every route, and others are not', async () => {
  await using gateway = createTestGateway({ lockbox, limits: slow })
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  for (const path of [paths.inbox, paths.keys, paths.config]) expect((await ada.get(path)).status).toBe(200)
  for (const path of [paths.inbox, paths.keys, paths.mcp]) {
    const refused = await ada.get(path)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
    expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited' })
  }
  expect((await bob.get(paths.inbox)).status).toBe(200)
  expect((await gateway.app.request(paths.readiness)).status).toBe(200)
})

test('the body of a request above the rate is not waited for', async () => {
  await using listening = await listenTestGateway({ lockbox, limits: { ...slow, burst: 1 } })
  await listening.gateway.as('ada').get(paths.inbox)
  const headers = { authorization: bearerOf('ada') }
  const unfinished = request(listening.url + paths.config, { method: 'POST', headers })
  unfinished.on('error', () => undefined).write('x')
  const [response]: IncomingMessage[] = await once(unfinished, 'response')
  expect(response?.statusCode).toBe(429)
  unfinished.destroy()
})

test('a key acts as often as the rate permits, in bursts, whatever other keys do', () => {
  let nowMs = 0
  const limiter = new RateLimiter({ perSecond: 2, burst: 3, now: () => nowMs })
  expect([1, 2, 3].map(() => limiter.take('a'))).toEqual([0, 0, 0])
  expect([limiter.take('a'), limiter.waitMs('a'), limiter.take('b')]).toEqual([500, 500, 0])
  nowMs = 499
  expect(limiter.take('a')).toBe(1)
  nowMs = 500
  expect([limiter.waitMs('a'), limiter.take('a'), limiter.take('a')]).toEqual([0, 0, 500])
  nowMs = 60_000
  expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([0, 0, 0, 500])
})

test('keys that anyone can invent do not fill the memory: the longest unused ones are forgotten', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1, now: () => 0 })
  expect([limiter.take('first'), limiter.take('first')]).toEqual([0, 1_000])
  for (let key = 0; key < 10_000; key += 1) limiter.take(String(key))
  expect(limiter.take('first')).toBe(0)
  expect(limiter.take('9999')).toBe(1_000)
})

test('a person has as many calls at once as the limit, also as a host, and others are not affected [S2-5]', async () => {
  const options = { lockbox, limits: { calls: 1 }, operatorServers: [inMemory('elicit')] }
  await using listening = await listenTestGateway(options)
  const [local, bob] = [listening.gateway.as('local'), listening.gateway.as('bob')]
  await bob.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  await untilServer(local, 'elicit', 'ready')
  await using host = await connectHost(listening.url)
  const running = local.post(paths.call, { tool: 'elicit__greet_me' })
  const { id } = await untilAsked(local)

  const refused = await local.post(paths.call, { tool: 'elicit__greet_me' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({ code: 'too_many_calls' })
  await expect(host.client.callTool({ name: 'elicit__greet_me' })).rejects.toMatchObject({
    data: { code: 'too_many_calls' },
  })
  expect(await textOf(await bob.post(paths.call, { tool: 'hello__hello' }))).toContain('Hello')

  await local.post(paths.answer(id), { action: 'decline' })
  expect((await running).status).toBe(200)
  const next = local.post(paths.call, { tool: 'elicit__greet_me' })
  await local.post(paths.answer((await untilAsked(local)).id), { action: 'decline' })
  expect((await next).status).toBe(200)
})

test('a host that opens more sessions than the limit loses the one it used longest ago', async () => {
  await using listening = await listenTestGateway({ lockbox, limits: { sessions: 2 } })
  await using first = await connectHost(listening.url)
  await using second = await connectHost(listening.url)
  await first.client.ping()
  await using _third = await connectHost(listening.url)
  await expect.poll(() => second.client.ping().catch((error: unknown) => error)).toBeInstanceOf(Error)
  await first.client.ping()
  expect(listening.gateway.services.mcp.sessionCount).toBe(2)
})

test('a person has as many processes as the limit, workflow runs included, and others are not affected', async () => {
  const principals = ['ada', 'bob', 'carl']
  await using gateway = createTestGateway({ lockbox, limits: { processes: 1 }, principals })
  const [ada, bob, carl] = [gateway.as('ada'), gateway.as('bob'), gateway.as('carl')]
  const permit = await gateway.services.quotas.acquire({
    principal: 'ada',
    server: 'other',
    isProcess: true,
    idleMs: () => undefined,
    evict: async () => false,
    signal: new AbortController().signal,
  })
  for (const person of [ada, bob, carl])
    await person.post(paths.config, { mcpServers: { hello: savedInMemory('hello') } })
  const nodes = [{ kind: 'tool', id: 'one', tool: 'hello__hello' }]
  const invoke = (person: Caller): Promise<Response> => person.post(paths.invoke, { workflowId: 'w', nodes })
  const waiting = invoke(ada)
  expect(await (await invoke(bob)).text()).toContain('Hello')
  await serversOf(ada)
  await untilServer(carl, 'hello', 'ready')
  // The server of the workflow is unused by now, and stopped for that of the console.
  expect(await textOf(await bob.post(paths.call, { tool: 'hello__hello' }))).toContain('Hello')
  expect(await serversOf(ada)).toMatchObject([{ name: 'hello', state: 'starting' }])
  permit.release()
  expect(await (await waiting).text()).toContain('Hello')
})

test.each([
  [{ requestsPerSecond: 0 }, '/limits/requestsPerSecond'],
  [{ requestsPerSecond: Number.NaN }, '/limits/requestsPerSecond'],
  [{ calls: 0 }, '/limits/calls'],
  [{ burst: 1.5 }, '/limits/burst'],
  [{ sessions: -1 }, '/limits/sessions'],
])('limits %o are rejected before anything is opened', async (limits, path) => {
  const starting = startGateway({ dataFolder: '/nowhere/at/all', limits })
  await expect(starting).rejects.toMatchObject({ name: 'ConfigError', issues: [{ path }] })
})
