import { type ActivityEntry, type ActivityResponse, type ActivityTraceResponse, paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilAsked, untilHang, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let ada: Caller
beforeAll(async () => {
  gateway = createTestGateway({
    lockbox,
    permissions: { mode: 'ask', deny: ['mcp://hello/repeat'] },
  })
  ada = gateway.as('ada')
  await ada.post(paths.config, {
    mcpServers: { hello: savedInMemory('hello'), elicit: savedInMemory('elicit') },
  })
  await untilServer(ada, 'hello', 'ready')
  await untilServer(ada, 'elicit', 'ready')
  await ada.post(paths.call, { tool: 'hello__hello', arguments: { name: 'Ada' } })
  await ada.post(paths.call, { tool: 'hello__repeat', arguments: { text: 'x' } })
  await ada.post(paths.call, { tool: 'hello__hello', arguments: { name: canary('saved') } })
  await untilStored(3)
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function page(query: Readonly<Record<string, string>> = {}): Promise<ActivityResponse> {
  return (await ada.get(`${paths.activity}?${new URLSearchParams(query)}`)).json()
}

async function untilStored(count: number): Promise<readonly ActivityEntry[]> {
  return vi.waitFor(async () => {
    const { entries } = await page()
    expect(entries).toHaveLength(count)
    return entries
  }, untilHang)
}

async function traceOf({ id }: ActivityEntry): Promise<ActivityTraceResponse> {
  return (await ada.get(paths.trace(id))).json()
}

test('calls are filtered by server, tool, outcome and time', async () => {
  const tools = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await page(query)).entries.map(({ tool, outcome }) => `${tool} ${outcome}`)
  expect(await tools({ server: 'nothing' })).toEqual([])
  expect(await tools({ tool: 'hello__repeat' })).toEqual(['hello__repeat denied'])
  expect(await tools({ outcome: 'ok', server: 'hello' })).toEqual(['hello__hello ok', 'hello__hello ok'])
  expect(await tools({ to: '2020-01-01T00:00:00Z' })).toEqual([])
  expect(await tools({ from: '2020-01-01T00:00:00Z' })).toHaveLength(3)
})

test('a cursor leads through all calls, each once', async () => {
  const first = await page({ limit: '2' })
  const second = await page({ limit: '2', cursor: first.next ?? '' })
  const ids = [...first.entries, ...second.entries].map(({ id }) => id)
  expect(ids).toEqual((await page()).entries.map(({ id }) => id))
  expect([first.entries.length, second.next]).toEqual([2, undefined])
})

test.each([
  ['cursor', 'nonsense'],
  ['limit', '0'],
  ['outcome', 'fine'],
  ['from', 'yesterday'],
])('an invalid %s is refused', async (name, value) => {
  const response = await ada.get(`${paths.activity}?${new URLSearchParams({ [name]: value })}`)
  expect(await response.json()).toMatchObject({
    status: 422,
    code: 'invalid_request',
    issues: [{ path: `/${name}` }],
  })
})

test('a trace has the decision, the arguments and the result of a call', async () => {
  const [, , oldest] = (await page()).entries
  if (oldest === undefined) throw new Error('no call')
  expect(await traceOf(oldest)).toMatchObject({
    entry: oldest,
    rawName: 'hello',
    permission: { verdict: 'allow', reason: 'approved' },
    questions: [{ kind: 'approval', action: 'accept', answeredAt: expect.any(String) }],
    arguments: { text: '{"name":"Ada"}', omitted: 0 },
    result: { text: expect.stringContaining('Hello, Ada!') },
    calls: [],
  })
})

test('a trace of a denied call has its arguments and no result', async () => {
  const [denied] = (await page({ outcome: 'denied' })).entries
  if (denied === undefined) throw new Error('no call')
  const trace = await traceOf(denied)
  expect(trace).toMatchObject({ permission: { verdict: 'deny' }, arguments: { text: '{"text":"x"}' } })
  expect(trace.result).toBeUndefined()
})

test('a trace shows no secret of a server definition', async () => {
  const [latest] = (await page()).entries
  if (latest === undefined) throw new Error('no call')
  const trace = await traceOf(latest)
  expect(trace.arguments?.text).toMatch(/^\{"name":/)
  expect(JSON.stringify(trace)).not.toContain(canary('saved'))
})

test('a call that is not stored is a 404', async () => {
  const response = await ada.get(paths.trace('nothing'))
  expect(await response.json()).toMatchObject({ status: 404, code: 'unknown_call' })
})

test('a trace has the questions of the server and what was answered, without the answer', async () => {
  const calling = ada.post(paths.call, { tool: 'elicit__greet_me' })
  const question = await untilAsked(ada)
  await ada.post(paths.answer(question.id), { action: 'decline' })
  await calling
  const [entry] = await untilStored(4)
  if (entry === undefined) throw new Error('no call')
  expect((await traceOf(entry)).questions).toMatchObject([
    { kind: 'approval', action: 'accept' },
    { kind: 'form', action: 'decline' },
  ])
})

test('a long result is shown in part', async () => {
  await ada.post(paths.call, { tool: 'hello__hello', arguments: { name: 'y'.repeat(10_000) } })
  const [entry] = await untilStored(5)
  if (entry === undefined) throw new Error('no call')
  const { arguments: args, result } = await traceOf(entry)
  expect(args?.text.length).toBe(4_096)
  expect(args?.omitted).toBeGreaterThan(5_000)
  expect(result?.omitted).toBeGreaterThan(5_000)
})
