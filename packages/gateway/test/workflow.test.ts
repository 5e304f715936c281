import { paths, type WorkflowInvokeResponse } from '@toolbridge/api'
import type { Journal } from '@toolbridge/bridge'
import { createCounters } from '@toolbridge/bridge/journal'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { scriptedModel } from '@toolbridge/testkit/models'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { childProcesses } from './support/processes.ts'
import { inMemory, operatorServer, savedInMemory, savedServer } from './support/specs.ts'
import { untilAsked, untilNothingAsked } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let people = 0
let ada: Caller

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

test('[S2-52] nodes run in order with the servers that the caller saved, over any transport [S2-8] [S2-15] [S2-28]', async () => {
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

test('a toolkit that does not start is named, and the others work [S2-41] [S2-68]', async () => {
  await save({ broken: savedServer('hostile', '--crash-before-initialize'), mine: savedInMemory('hello') })
  const { nodes, failedToolkits } = await invoke([node('one', 'mine__hello'), node('two', 'mcp://broken/x')])
  const error = expect.stringContaining('HOSTILE_TOKEN')
  expect(nodes).toMatchObject([
    { status: 'ok' },
    { status: 'failed', code: 'toolkit_failed', message: error },
  ])
  expect(failedToolkits).toEqual([{ name: 'broken', error }])
  expect(gateway.logged.join()).toContain('workflow "w1": toolkit "broken" is not available')
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

test.each([
  ['mine__absent', 'available: mine__hello, mine__repeat'],
  ['mcp://mine/absent', 'available: mine__hello, mine__repeat'],
  ['off__hello', 'saved servers: mine'],
])(
  'a tool that is not there is told beside what there is, to the caller and in the log: %s [S2-64]',
  async (tool, there) => {
    await save({ mine: savedInMemory('hello'), off: { ...savedInMemory('hello'), disabled: true } })
    const { nodes } = await invoke([node('one', tool)])
    const message = `there is no tool "${tool}"; ${there}`
    expect(nodes).toEqual([{ id: 'one', status: 'failed', code: 'unknown_tool', message }])
    expect(gateway.logged).toContain(`workflow "w1": ${message}`)
  },
)

test('a server that does not have the tool of a node is not logged as one without tools', async () => {
  await save({ mine: savedInMemory('hello'), mine__too: savedInMemory('hello') })
  const { nodes } = await invoke([node('one', 'mine__too__hello')])
  expect(nodes).toMatchObject([{ status: 'ok' }])
  expect(gateway.logged).toEqual(['workflow "w1": toolkit "mine__too" (context): mine__too__hello'])
})

test('the operator’s servers are no part of a workflow, nor are another person’s', async () => {
  const { nodes, failedToolkits } = await invoke([node('one', 'mcp://house/hello')])
  expect(nodes).toMatchObject([{ status: 'failed', code: 'unknown_tool' }])
  expect(failedToolkits).toEqual([])
})

test('a saved server whose name the operator takes is no part of a workflow any more', async () => {
  await save({ mine: savedServer('hello') })
  const nodes = [node('one', 'mine__hello', { name: 'Ada' })]
  ada = gateway.as('local')
  await save({ mine: savedServer('hello') })
  expect((await invoke(nodes)).nodes).toMatchObject([{ status: 'ok' }])
  await gateway.services.applyOperatorServers([operatorServer('mine', 'hello')])
  expect((await invoke(nodes)).nodes).toMatchObject([{ status: 'failed' }])
})

const seventeen = Array.from({ length: 17 }, (_, index) => `s${String(index).padStart(2, '0')}`)
const unreachable = { url: 'http://127.0.0.1:1/mcp' }

test('only the servers that nodes name are started, however many are saved [S2-26] [S2-62]', async () => {
  const others = Object.fromEntries(seventeen.map((name) => [name, unreachable]))
  await save({ ...others, zz: savedInMemory('hello') })
  const { nodes, failedToolkits } = await invoke([node('one', 'zz__hello')])
  expect([nodes, failedToolkits]).toMatchObject([[{ status: 'ok' }], []])
})

test('at most sixteen servers are used, in the order of the nodes; the rest is refused by name, and logged [S2-62] [C24]', async () => {
  await using model = await scriptedModel({ shape: 'compatible', turns: [{ text: 'done' }] })
  await save(Object.fromEntries(['zz', ...seventeen].map((name) => [name, unreachable])))
  const toolkits = ['zz', ...seventeen]
  const { failedToolkits } = await invoke([
    { kind: 'agent', id: 'one', model: model.name, baseUrl: model.baseUrl, prompt: 'go on', toolkits },
  ])
  const refused = failedToolkits.filter(({ error }) => error === 'the invocation uses too many servers')
  expect(refused.map(({ name }) => name)).toEqual(['s15', 's16'])
  expect(gateway.logged.join('\n')).toContain('uses at most 16 servers; not started: s15, s16')
})

test('the journal counts toolkits, clients and tools of workflows, by workflow and toolkit [S2-44] [S2-45]', async () => {
  const counters = createCounters()
  const { activity } = gateway.services
  const journalOf = activity.journalOf.bind(activity)
  const journalAndCount = (owner: string): Journal => {
    const journal = journalOf(owner)
    return (event) => {
      counters.journal(event)
      journal(event)
    }
  }
  Object.assign(activity, { journalOf: journalAndCount })
  await save({ mine: savedInMemory('hello'), far: unreachable })
  await invoke([node('one', 'mine__hello'), node('two', 'mine__hello')])
  await invoke([node('one', 'far__hello')])
  const counts = counters
    .read()
    .map(({ name, tags, value }) => [name, ...Object.values(tags), value].join(' '))
  expect(counts.toSorted()).toEqual([
    'mcp.clients.failed w1 far 1',
    'mcp.clients.started w1 mine 1',
    'mcp.context.toolkits_used w1 far 1',
    'mcp.context.toolkits_used w1 mine 2',
    'mcp.tools.materialized w1 mine mine__hello 2',
  ])
})

test('a question of a workflow goes to the inbox of who invoked it', async () => {
  await save({ elicit: savedInMemory('elicit') })
  const run = invoke([node('one', 'elicit__greet_me')])
  const item = await untilAsked(ada)
  await ada.post(paths.answer(item.id), { action: 'accept', content: { name: 'Ada' } })
  expect((await run).nodes).toMatchObject([{ result: { content: [{ text: 'Hello, Ada!' }] } }])
})

test('a workflow ends with its request: the question is withdrawn, and its server stays for the next one, until the gateway ends [S2-29] [S2-69]', async () => {
  const before = await childProcesses()
  await save({ elicit: savedServer('elicit') })
  const leaving = new AbortController()
  const body = { workflowId: 'w1', nodes: [node('one', 'elicit__greet_me')] }
  const run = ada.post(paths.invoke, body, { signal: leaving.signal })
  await untilAsked(ada)
  leaving.abort()
  expect((await run).status).toBe(499)
  await untilNothingAsked(ada)
  const kept = await childProcesses()
  expect(kept).toHaveLength(before.length + 1)
  const again = invoke([node('one', 'elicit__greet_me')])
  const { id } = await untilAsked(ada)
  expect(await childProcesses()).toEqual(kept)
  await ada.post(paths.answer(id), { action: 'accept', content: { name: 'Ada' } })
  expect((await again).nodes).toMatchObject([{ result: { content: [{ text: 'Hello, Ada!' }] } }])
  await gateway[Symbol.asyncDispose]()
  expect(await childProcesses()).toEqual(before)
})

test.each([
  ['no nodes', { workflowId: 'w', nodes: [] }],
  ['no id', { nodes: [{ kind: 'tool', id: 'a', tool: 'b' }] }],
  ['a node of another kind', { workflowId: 'w', nodes: [{ kind: 'shell', id: 'a', command: 'b' }] }],
  ['toolkits of its own', { workflowId: 'w', nodes: [{ kind: 'tool', id: 'a', tool: 'b' }], toolkits: {} }],
  [
    'an empty key',
    { workflowId: 'w', nodes: [{ kind: 'tool', id: 'a', tool: 'b' }], apiKeys: { openai: '' } },
  ],
  ['an agent without a prompt', { workflowId: 'w', nodes: [{ kind: 'agent', id: 'a', model: 'openai/b' }] }],
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
