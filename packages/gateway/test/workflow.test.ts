import { paths, type WorkflowInvokeResponse } from '@toolbridge/api'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import type { Lockbox } from '@toolbridge/lockbox'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { childProcesses } from './support/processes.ts'
import { inMemory, savedInMemory, savedServer } from './support/specs.ts'
import { untilAsked, untilNothingAsked } from './support/waiting.ts'

let lockbox: Lockbox
let gateway: TestGateway
let people = 0
let ada: Caller

beforeAll(async () => {
  lockbox = await openTestLockbox()
})
afterAll(() => lockbox.close())
beforeEach(() => {
  people += 1
  gateway = createTestGateway({
    lockbox,
    principals: [`ada-${people}`],
    operatorServers: [inMemory('hello', 'house')],
    permissions: { mode: 'allow', deny: ['mcp://*/repeat'] },
    guard: { [allowLoopback]: true, [allowInsecureHttp]: true },
  })
  ada = gateway.as(`ada-${people}`)
})
afterEach(() => gateway[Symbol.asyncDispose]())

const node = (id: string, tool: string, args?: object): object => ({
  kind: 'tool',
  id,
  tool,
  arguments: args,
})

test('[S2-52] nodes run in order with the servers that the caller saved, over any transport [S2-8] [S2-15]', async () => {
  await using remote = await startHttpFixture('hello')
  await save({ mine: savedServer('hello'), remote: { url: remote.url } })
  const { workflowId, nodes, failedToolkits } = await invoke([
    node('one', 'mine__hello', { name: 'Ada' }),
    node('two', 'mcp://remote/hello'),
  ])
  expect(workflowId).toBe('w1')
  expect(nodes).toMatchObject([
    { id: 'one', status: 'ok', result: { content: [{ text: 'Hello, Ada!' }] } },
    { id: 'two', status: 'ok', result: { content: [{ text: 'Hello, world!' }] } },
  ])
  expect(failedToolkits).toEqual([])
})

test('a saved server of this machine is not reached where the gateway does not say so', async () => {
  await using remote = await startHttpFixture('hello')
  await gateway[Symbol.asyncDispose]()
  gateway = createTestGateway({ lockbox, principals: ['eve'] })
  ada = gateway.as('eve')
  await save({ remote: { url: remote.url } })
  const { failedToolkits } = await invoke([node('one', 'mcp://remote/hello')])
  expect(failedToolkits).toEqual([{ name: 'remote', error: expect.stringContaining('was refused') }])
})

test('a toolkit that does not start is named, and the others work', async () => {
  await save({ broken: savedServer('hostile', '--crash-before-initialize'), mine: savedInMemory('hello') })
  const { nodes, failedToolkits } = await invoke([node('one', 'mine__hello')])
  expect(nodes).toMatchObject([{ status: 'ok' }])
  expect(failedToolkits).toEqual([{ name: 'broken', error: expect.stringContaining('HOSTILE_TOKEN') }])
})

test('a node that fails ends the run, and says why', async () => {
  await save({ mine: savedInMemory('hello') })
  const { nodes } = await invoke([
    node('one', 'mine__hello'),
    node('two', 'mine__repeat', { text: 'a' }),
    node('three', 'mine__hello'),
  ])
  expect(nodes).toMatchObject([
    { id: 'one', status: 'ok' },
    { id: 'two', status: 'failed', code: 'denied' },
    { id: 'three', status: 'failed', code: 'not_run' },
  ])
})

test('a tool that is not there is told beside those that are, to the caller and in the log', async () => {
  await save({ mine: savedInMemory('hello'), off: { ...savedInMemory('hello'), disabled: true } })
  const { nodes } = await invoke([node('one', 'off__hello')])
  const message = 'there is no tool "off__hello"; available: mine__hello, mine__repeat'
  expect(nodes).toEqual([{ id: 'one', status: 'failed', code: 'unknown_tool', message }])
  expect(gateway.logged.join()).toContain('available: mine__hello, mine__repeat')
})

test('the operator’s servers are no part of a workflow, nor are another person’s', async () => {
  const { nodes, failedToolkits } = await invoke([node('one', 'mcp://house/hello')])
  expect(nodes).toMatchObject([{ status: 'failed', code: 'unknown_tool' }])
  expect(failedToolkits).toEqual([])
})

test('at most sixteen servers are started; the rest is refused by name [S2-62] [C24]', async () => {
  const names = Array.from({ length: 18 }, (_, index) => `s${String(index).padStart(2, '0')}`)
  const unreachable = { url: 'http://127.0.0.1:1/mcp' }
  await save(Object.fromEntries(names.map((name) => [name, unreachable])))
  const { failedToolkits } = await invoke([node('one', 'mcp://s00/x')])
  expect(failedToolkits.map(({ name }) => name)).toEqual(names)
  expect(failedToolkits.slice(16).map(({ error }) => error)).toEqual(
    Array(2).fill(expect.stringContaining('at most 16')),
  )
})

test('a question of a workflow goes to the inbox of who invoked it', async () => {
  await save({ elicit: savedInMemory('elicit') })
  const run = invoke([node('one', 'elicit__greet_me')])
  const item = await untilAsked(ada)
  await ada.post(paths.answer(item.id), { action: 'accept', content: { name: 'Ada' } })
  expect((await run).nodes).toMatchObject([{ result: { content: [{ text: 'Hello, Ada!' }] } }])
})

test('a workflow ends with its request: the question is withdrawn and no process stays [S2-29]', async () => {
  const before = await childProcesses()
  await save({ elicit: savedServer('elicit') })
  const leaving = new AbortController()
  const body = { workflowId: 'w1', nodes: [node('one', 'elicit__greet_me')] }
  const run = ada.post(paths.invoke, body, { signal: leaving.signal })
  await untilAsked(ada)
  leaving.abort()
  expect((await run).status).toBe(499)
  await untilNothingAsked(ada)
  expect(await childProcesses()).toEqual(before)
})

test.each([
  ['no nodes', { workflowId: 'w', nodes: [] }],
  ['no id', { nodes: [{ kind: 'tool', id: 'a', tool: 'b' }] }],
  ['a node of another kind', { workflowId: 'w', nodes: [{ kind: 'shell', id: 'a', command: 'b' }] }],
  ['toolkits of its own', { workflowId: 'w', nodes: [{ kind: 'tool', id: 'a', tool: 'b' }], toolkits: {} }],
])('a request with %s is refused', async (_, body) => {
  expect((await ada.post(paths.invoke, body)).status).toBe(422)
})

async function save(mcpServers: object): Promise<void> {
  expect((await ada.post(paths.config, { mcpServers })).status).toBe(200)
}

async function invoke(nodes: readonly object[]): Promise<WorkflowInvokeResponse> {
  return (await ada.post(paths.invoke, { workflowId: 'w1', nodes })).json()
}

test('replaced rules decide the calls of the console and of workflows, and invalid ones change nothing [S1-5]', async () => {
  await save({ mine: savedInMemory('hello') })
  const repeated = async (): Promise<unknown> => {
    const { status } = await ada.post(paths.call, { tool: 'mcp://mine/repeat', arguments: { text: 'a' } })
    const { nodes } = await invoke([node('one', 'mcp://mine/repeat', { text: 'a' })])
    return [status, nodes[0]?.status]
  }
  expect(await repeated()).toEqual([403, 'failed'])
  await gateway.services.applyPermissions({ mode: 'allow' })
  expect(await repeated()).toEqual([200, 'ok'])
  await expect(gateway.services.applyPermissions({ deny: ['repeat'] })).rejects.toThrow('repeat')
  expect(await repeated()).toEqual([200, 'ok'])
})
