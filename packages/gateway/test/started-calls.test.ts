import {
  type GatewayEvent,
  paths,
  type StartCallResponse,
  type StartedCall,
  type StartedCallResponse,
  type StartedCallsResponse,
  type ToolsResponse,
} from '@toolbridge/api'
import type { Tool } from '@toolbridge/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scriptedInMemory } from '../../bridge/test/servers/scripted-in-memory.ts'
import { RunningCall } from '../src/calls/running-call.ts'
import { readEvents } from './support/events.ts'
import {
  type Caller,
  createTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { untilAsked, untilHang, untilNothingAsked, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const tool = 'scripted__work'
// A hint that is neither true nor false is left out.
const annotations = { destructiveHint: true, readOnlyHint: false, idempotentHint: 'often', title: 'Work' }
const definition = { name: 'work', inputSchema: { type: 'object' }, annotations } as unknown as Tool

/** A gateway with a tool that reports and logs, and then waits for `finish`. */
function openWorkshop(options: Partial<TestGatewayOptions> = {}): {
  readonly gateway: TestGateway
  readonly finish: (text: string) => void
} {
  const waiting: ((text: string) => void)[] = []
  const gateway = createTestGateway({
    lockbox,
    operatorServers: [inMemory('hello', 'scripted')],
    transportOf: scriptedInMemory([definition], async ({ _meta: meta = {} }, notify) => {
      const { progressToken } = meta
      notify('notifications/progress', { progressToken, progress: 1, total: 3, message: 'Sawing' })
      notify('notifications/message', { level: 'info', logger: 'saw', data: 'the saw is warm' })
      const text = await new Promise<string>((resolve) => waiting.push(resolve))
      return { content: [{ type: 'text', text }] }
    }),
    ...options,
  })
  return { gateway, finish: (text) => waiting.shift()?.(text) }
}

test('a started call goes on when nobody waits for it, reports what it does, and keeps its result', async () => {
  const { gateway, finish } = openWorkshop()
  await using _gateway = gateway
  const local = gateway.as('local')
  const events = readEvents(await local.get(paths.events))
  const { id, state } = await start(local, { tool, arguments: { wood: 'oak' } })
  expect(state).toBe('running')
  const reported = await untilCall(local, id, ({ call, logs }) => call.progress && logs.length > 0)
  expect(reported).toMatchObject({
    call: { id, tool, state: 'running', logCount: 1, progress: { progress: 1, total: 3, message: 'Sawing' } },
    arguments: { wood: 'oak' },
    logs: [{ level: 'info', logger: 'saw', message: 'the saw is warm' }],
  })
  expect(reported.result).toBeUndefined()
  const foreign = { type: 'server.log', at: new Date(), level: 'info', message: 'not of this call' } as const
  gateway.services.startedCalls.observe('local', { ...foreign, server: 'other' })
  expect(await listed(local)).toMatchObject([{ id, logCount: 1 }])
  const { tools }: ToolsResponse = await (await local.get(paths.tools)).json()
  expect(tools.map(({ hints }) => hints)).toEqual([{ destructive: true, readOnly: false }])

  finish('a chair')
  const ended = await untilCall(local, id, ({ call }) => call.state === 'done')
  expect(ended.result).toEqual({ content: [{ type: 'text', text: 'a chair' }] })
  expect(await listed(local)).toMatchObject([{ id, state: 'done', activity: ended.call.activity }])
  const trace = await (await local.get(paths.trace(ended.call.activity ?? ''))).json()
  expect(trace).toMatchObject({ entry: { tool, conversation: 'console', outcome: 'ok' } })
  const announced: string[] = []
  while (!announced.includes('done')) announced.push((await events.next('call')).call.state)
  expect(announced[0]).toBe('running')
  await events.cancel()
})

test('another person can neither see nor cancel a started call, nor hear of it', async () => {
  await using gateway = createTestGateway({ lockbox })
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  await ada.post(paths.config, { mcpServers: { elicit: savedInMemory('elicit') } })
  const events = readEvents(await bob.get(paths.events))
  await events.next('hello')
  const { id } = await start(ada, { tool: 'elicit__greet_me' })
  const question = await untilAsked(ada)
  expect(await listed(bob)).toEqual([])
  for (const response of [await bob.get(paths.startedCall(id)), await bob.post(paths.cancelCall(id), {})])
    expect([response.status, (await response.json()).code]).toEqual([404, 'unknown_call'])
  gateway.services.events.publish('bob', { type: 'inbox' })
  expect(await events.next()).toEqual({ type: 'inbox' })
  await events.cancel()
  await ada.post(paths.answer(question.id), { action: 'accept', content: { name: 'Ada' } })
  const { result } = await untilCall(ada, id, ({ call }) => call.state === 'done')
  expect(JSON.stringify(result)).toContain('Ada')
})

test('cancelling a started call withdraws its question, and is no error afterwards', async () => {
  await using gateway = createTestGateway({ lockbox, principals: ['cleo'] })
  const cleo = gateway.as('cleo')
  await cleo.post(paths.config, { mcpServers: { elicit: savedInMemory('elicit') } })
  const { id } = await start(cleo, { tool: 'elicit__greet_me' })
  await untilAsked(cleo)
  expect(await (await cleo.post(paths.cancelCall(id), {})).json()).toEqual({ success: true })
  const { call, result, problem } = await untilCall(cleo, id, ({ call: { state } }) => state !== 'running')
  expect([call.state, result, problem]).toEqual(['cancelled', undefined, undefined])
  await untilNothingAsked(cleo)
  expect((await cleo.post(paths.cancelCall(id), {})).status).toBe(200)
})

test('a started call that fails keeps the reason', async () => {
  await using gateway = createTestGateway({ lockbox })
  const local = gateway.as('local')
  const { id } = await start(local, { tool: 'nothing__here' })
  const { call, problem } = await untilCall(local, id, ({ call: { state } }) => state !== 'running')
  expect([call.state, problem?.code, call.activity]).toEqual(['failed', 'unknown_tool', undefined])
})

test('a person has a limited number of started calls at once, and of results that are kept', async () => {
  const { gateway, finish } = openWorkshop({ limits: { calls: 1 } })
  await using _gateway = gateway
  const local = gateway.as('local')
  const ids: string[] = []
  for (let index = 0; index < 22; index += 1) {
    const { id } = await start(local, { tool })
    ids.push(id)
    await untilCall(local, id, ({ logs }) => logs.length > 0)
    if (index === 0) {
      const refused = await local.post(paths.startedCalls, { tool })
      expect([refused.status, (await refused.json()).code]).toEqual([429, 'too_many_calls'])
    }
    finish(`result ${index}`)
    await untilCall(local, id, ({ call }) => call.state === 'done')
  }
  expect((await listed(local)).map(({ id }) => id)).toEqual(ids.slice(-20))
  expect((await local.get(paths.startedCall(ids[0] ?? ''))).status).toBe(404)
})

test('long results push out older ones, and the newest stays whatever its length', async () => {
  const { gateway, finish } = openWorkshop()
  await using _gateway = gateway
  const local = gateway.as('local')
  for (const length of [9, 9, 17]) {
    const { id } = await start(local, { tool })
    await untilCall(local, id, ({ logs }) => logs.length > 0)
    finish('x'.repeat(length * 1024 * 1024))
    const { result } = await untilCall(local, id, ({ call }) => call.state === 'done')
    expect(JSON.stringify(result).length).toBeGreaterThan(length * 1024 * 1024)
    expect(await listed(local)).toMatchObject([{ id }])
  }
})

test('long arguments push out older calls too', async () => {
  await using gateway = createTestGateway({ lockbox })
  const local = gateway.as('local')
  const wood = 'x'.repeat(4_000_000)
  for (let index = 0; index < 6; index += 1) {
    const { id } = await start(local, { tool: 'nothing__here', arguments: { wood } })
    await untilCall(local, id, ({ call: { state } }) => state === 'failed')
  }
  expect(await listed(local)).toHaveLength(4)
})

test('a long message of progress is cut', async () => {
  const { gateway } = openWorkshop({
    transportOf: scriptedInMemory([definition], ({ _meta: { progressToken } = {} }, notify) => {
      notify('notifications/progress', { progressToken, progress: 1, message: 'x'.repeat(1_000_000) })
      return new Promise(() => undefined)
    }),
  })
  await using _gateway = gateway
  const local = gateway.as('local')
  const { id } = await start(local, { tool })
  const { call } = await untilCall(local, id, ({ call: { progress } }) => progress !== undefined)
  expect(call.progress?.message).toHaveLength(2_000)
  await local.post(paths.cancelCall(id), {})
})

test('of a call that logs much, the latest messages are kept, and all are counted', () => {
  const call = new RunningCall({ tool })
  for (let number = 1; number <= 201; number += 1)
    call.log({ at: new Date(0).toISOString(), level: 'info', message: `message ${number}` })
  const { call: summary, logs } = call.details()
  expect([summary.logCount, logs.length, logs[0]?.message]).toEqual([201, 200, 'message 2'])
})

test('messages of a started call are announced together', async () => {
  const { gateway, finish } = openWorkshop()
  await using _gateway = gateway
  const local = gateway.as('local')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { id } = await start(local, { tool })
  await untilCall(local, id, ({ logs }) => logs.length > 0)
  vi.advanceTimersByTime(200)
  const announced: GatewayEvent[] = []
  gateway.services.events.subscribe('local', (event) => announced.push(event))
  const logged = { type: 'server.log', at: new Date(), level: 'info', message: 'more' } as const
  for (let count = 0; count < 3; count += 1)
    gateway.services.startedCalls.observe('local', { ...logged, server: 'scripted' })
  expect(announced).toEqual([])
  vi.advanceTimersByTime(200)
  expect(announced).toMatchObject([{ type: 'call', call: { id, logCount: 4 } }])
  finish('done')
  await untilCall(local, id, ({ call }) => call.state === 'done')
})

test('a started call keeps the servers of a person who is away, and is cancelled after a day', async () => {
  const idleMs = 60_000
  await using gateway = createTestGateway({ lockbox, ownerIdleMs: idleMs })
  const ada = gateway.as('ada')
  await ada.post(paths.config, { mcpServers: { elicit: savedInMemory('elicit') } })
  await untilServer(ada, 'elicit', 'ready')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { id } = await start(ada, { tool: 'elicit__greet_me' })
  await untilAsked(ada)
  vi.advanceTimersByTime(2 * idleMs)
  expect(await gateway.services.owners.find('ada')).toBeDefined()
  vi.advanceTimersByTime(24 * 60 * 60_000)
  vi.useRealTimers()
  await untilCall(ada, id, ({ call }) => call.state === 'cancelled')
})

test('a started call ends with the sign-in that started it', async () => {
  await using gateway = createTestGateway({ lockbox, operatorServers: [inMemory('elicit')] })
  const { token } = await (await gateway.with('').post(paths.signIn, { code: gateway.codes.issue() })).json()
  const page = gateway.with(token)
  const { id } = await start(page, { tool: 'elicit__greet_me' })
  await untilAsked(page)
  await page.delete(paths.signIn)
  const { problem } = await untilCall(gateway.as('local'), id, ({ call }) => call.state === 'failed')
  expect(problem?.code).toBe('unauthenticated')
})

test('a gateway that drains waits for started calls, and one that stops ends and records them', async () => {
  const { gateway, finish } = openWorkshop()
  await using _gateway = gateway
  const local = gateway.as('local')
  const first = await start(local, { tool })
  await untilCall(local, first.id, ({ logs }) => logs.length > 0)
  const drained = gateway.services.calls.drain(600_000)
  const refused = await local.post(paths.startedCalls, { tool })
  expect([refused.status, (await refused.json()).code]).toEqual([503, 'stopping'])
  finish('done in time')
  await drained
  expect(await listed(local)).toMatchObject([{ id: first.id, state: 'done' }])

  const other = openWorkshop()
  const { activity } = await start(other.gateway.as('local'), { tool }).then(({ id }) =>
    untilCall(other.gateway.as('local'), id, ({ logs }) => logs.length > 0).then(({ call }) => call),
  )
  await other.gateway[Symbol.asyncDispose]()
  const rows = await lockbox.activity.recent('local', 5)
  expect(rows.find(({ id }) => id === activity)?.payload).toMatchObject({ outcome: 'cancelled' })
})

test('what a started call was given and returned is not logged, gets no later message, and can be forgotten', async () => {
  const { gateway, finish } = openWorkshop()
  await using _gateway = gateway
  const local = gateway.as('local')
  const { id } = await start(local, { tool, arguments: { wood: 'walnut' } })
  await untilCall(local, id, ({ logs }) => logs.length > 0)
  finish('a table')
  await untilCall(local, id, ({ call }) => call.state === 'done')
  expect(gateway.logged.join('\n')).not.toMatch(/walnut|a table/)
  const logged = { type: 'server.log', at: new Date(), level: 'info', message: 'late' } as const
  gateway.services.startedCalls.observe('local', { ...logged, server: 'scripted' })
  expect(await listed(local)).toMatchObject([{ id, logCount: 1 }])
  gateway.services.startedCalls.forget('local')
  expect(await listed(local)).toEqual([])
})

async function start(caller: Caller, request: object): Promise<StartedCall> {
  const { call }: StartCallResponse = await (await caller.post(paths.startedCalls, request)).json()
  return call
}

async function listed(caller: Caller): Promise<readonly StartedCall[]> {
  const { calls }: StartedCallsResponse = await (await caller.get(paths.startedCalls)).json()
  return calls
}

/** The call, once it is as expected. */
function untilCall(
  caller: Caller,
  id: string,
  isExpected: (details: StartedCallResponse) => unknown,
): Promise<StartedCallResponse> {
  return vi.waitFor(async () => {
    const details: StartedCallResponse = await (await caller.get(paths.startedCall(id))).json()
    if (!isExpected(details)) throw new Error(`the call is ${JSON.stringify(details.call)}`)
    return details
  }, untilHang)
}
