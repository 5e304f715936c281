import { paths, type WorkflowInvokeResponse } from '@toolbridge/api'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { type ModelTurn, scriptedModel } from '@toolbridge/testkit/models'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { savedInMemory } from './support/specs.ts'
import { untilAsked, untilHang } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let ada: Caller

beforeEach(async () => {
  gateway = createTestGateway({
    lockbox,
    permissions: { mode: 'allow', deny: ['mcp://*/repeat'] },
    guard: { [allowLoopback]: true, [allowInsecureHttp]: true },
  })
  ada = gateway.as('ada')
  await ada.post(paths.config, {
    mcpServers: { mine: savedInMemory('hello'), elicit: savedInMemory('elicit') },
  })
})
afterEach(() => gateway[Symbol.asyncDispose]())

const apiKeys = { openai: canary('model') }

async function invoke(node: object, more: object = { apiKeys }): Promise<WorkflowInvokeResponse> {
  const nodes = [{ kind: 'agent', id: 'one', prompt: 'Greet Ada.', ...node }]
  return (await ada.post(paths.invoke, { workflowId: 'w', nodes, ...more })).json()
}

const greet: ModelTurn = { calls: [{ tool: 'mine__hello', input: { name: 'Ada' } }] }

test('[S2-28] an agent node lets a model use the toolkits it names, with the key of the request', async () => {
  await using model = await scriptedModel({
    shape: 'openai',
    turns: ({ results: [result] }) => (result === undefined ? greet : { text: `It says: ${result}` }),
  })
  const { nodes } = await invoke({ model: model.name, baseUrl: model.baseUrl, toolkits: ['mine'] })
  expect(nodes).toEqual([
    {
      id: 'one',
      status: 'ok',
      result: {
        text: 'It says: Hello, Ada!',
        end: 'answered',
        steps: 2,
        usage: { inputTokens: 20, outputTokens: 10 },
      },
    },
  ])
  expect(model.requests[0]?.tools).toEqual(['mine__hello', 'mine__repeat'])
  expect(model.requests[0]?.headers['authorization']).toBe(`Bearer ${canary('model')}`)
})

test('rules hold for the calls of a model, and questions go to the inbox of the caller', async () => {
  await using model = await scriptedModel({
    shape: 'openai',
    turns: ({ results }) =>
      [
        { calls: [{ tool: 'mine__repeat', input: { text: 'a' } }] },
        { calls: [{ tool: 'elicit__greet_me', input: {} }] },
        { text: results.join('; ') },
      ][results.length] ?? { text: '' },
  })
  const run = invoke({ model: model.name, baseUrl: model.baseUrl, toolkits: ['mine', 'elicit'] })
  const { id } = await untilAsked(ada)
  await ada.post(paths.answer(id), { action: 'accept', content: { name: 'Ada' } })
  expect(JSON.stringify((await run).nodes)).toMatch(/may not be called.*Hello, Ada!/s)
})

test('no key and no address of this process is used for a model [S2-56] [S2-48]', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [] })
  for (const [variable, value] of Object.entries(model.env)) vi.stubEnv(variable, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { nodes } = await invoke({ model: model.name }, { apiKeys: { anthropic: canary('other') } })
  const message = 'no key for openai: add "openai" to "apiKeys"'
  expect(nodes).toEqual([{ id: 'one', status: 'failed', code: 'model_no_key', message }])
  expect(model.requests).toEqual([])
})

test('the address of a model is restricted like that of a saved server', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [{ text: 'never' }] })
  await using guarded = createTestGateway({ lockbox })
  const nodes = [{ kind: 'agent', id: 'one', prompt: 'Hello?', model: model.name, baseUrl: model.baseUrl }]
  const body = { workflowId: 'w', nodes, apiKeys }
  const answer = await (await guarded.as('ada').post(paths.invoke, body)).json()
  expect(answer.nodes).toMatchObject([{ status: 'failed', code: 'model_failed' }])
  expect(answer.nodes[0].message).toMatch(/refused/)
  expect(model.requests).toEqual([])
})

test.each([
  [{ model: 'opnai/gpt' }, 'model_unknown_provider', 'did you mean "openai"?'],
  [{ model: 'openai/' }, 'model_invalid_model', 'names no model'],
  [{ model: 'compatible/llama' }, 'model_invalid_model', 'add "baseUrl" to the node'],
])('a model that cannot be used fails its node: %o', async (node, code, message) => {
  expect((await invoke(node)).nodes).toMatchObject([{ code, message: expect.stringContaining(message) }])
})

test('a provider that refuses the key fails the node, without the key', async () => {
  const message = `wrong key ${canary('model')}`
  await using model = await scriptedModel({ shape: 'openai', turns: [{ status: 401, message }] })
  const { nodes } = await invoke({ model: model.name, baseUrl: model.baseUrl })
  expect(nodes).toMatchObject([{ code: 'model_failed', message: expect.stringContaining('401') }])
  expect(JSON.stringify(nodes)).not.toContain(canary('model'))
})

test('a toolkit that is not saved is reported, and the model runs with the others [S2-64]', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [{ text: 'Hello.' }] })
  const { nodes, failedToolkits } = await invoke({
    model: model.name,
    baseUrl: model.baseUrl,
    toolkits: ['absent', 'mine'],
  })
  expect(nodes).toMatchObject([{ status: 'ok' }])
  expect(failedToolkits).toEqual([{ name: 'absent', error: 'no server of this name is saved and enabled' }])
  expect(gateway.logged.join('\n')).toContain('no toolkit is called absent; available: mine, elicit')
})

test('a request to a model ends with the request that invoked it [S2-29]', async () => {
  await using model = await scriptedModel({ shape: 'openai', turns: [{ text: 'Well, ', hang: true }] })
  const leaving = new AbortController()
  const nodes = [{ kind: 'agent', id: 'one', prompt: 'Hello?', model: model.name, baseUrl: model.baseUrl }]
  const run = ada.post(paths.invoke, { workflowId: 'w', nodes, apiKeys }, { signal: leaving.signal })
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), untilHang)
  leaving.abort()
  expect((await run).status).toBe(499)
  await vi.waitFor(() => expect(model.cancelled).toBe(1), untilHang)
})
