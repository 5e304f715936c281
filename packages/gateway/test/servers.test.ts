import { type Problem, paths } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, openTestLockbox, type TestGateway } from './support/gateway.ts'
import { operatorServer, savedServer } from './support/specs.ts'
import { serversOf, textOf, untilServer } from './support/waiting.ts'

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
    principals: [`ada-${people}`, `bob-${people}`],
    operatorServers: [operatorServer('house', 'hostile')],
  })
  ada = gateway.as(`ada-${people}`)
})
afterEach(() => gateway[Symbol.asyncDispose]())

const save = (caller: Caller, mcpServers: object): Promise<Response> =>
  caller.post(paths.config, { mcpServers })

test('a saved server is started in the background and its tools appear', async () => {
  const events = readEvents(await ada.get(paths.events))
  expect(await serversOf(ada)).toEqual([])
  await save(ada, { hello: savedServer('hello') })
  await untilServer(ada, 'hello', 'starting', 'ready')
  const status = await untilServer(ada, 'hello', 'ready')
  expect(status).toMatchObject({
    scope: 'user',
    transport: 'stdio',
    toolCount: 2,
    serverInfo: { name: 'hello' },
  })
  await events.next('tools')
  const { tools } = await (await ada.get(paths.tools)).json()
  expect(tools).toEqual([
    expect.objectContaining({ server: 'hello', rawName: 'hello', uri: 'mcp://hello/hello' }),
    expect.objectContaining({
      server: 'hello',
      rawName: 'repeat',
      inputSchema: expect.objectContaining({ type: 'object' }),
    }),
  ])
  await events.cancel()
})

test('a server that fails to start shows why and does not fail the save or its neighbours', async () => {
  const saved = await save(ada, {
    broken: savedServer('hostile', '--crash-before-initialize'),
    hello: savedServer('hello'),
  })
  expect(saved.status).toBe(200)
  const broken = await untilServer(ada, 'broken', 'failed')
  expect(broken.stderr?.join()).toContain('set HOSTILE_TOKEN')
  expect(broken).not.toHaveProperty('pid')
  await untilServer(ada, 'hello', 'ready')
})

test('saves take effect in their order: what was removed is stopped, what stays is kept', async () => {
  await save(ada, { one: savedServer('hello'), two: savedServer('hello') })
  await untilServer(ada, 'one', 'ready')
  await save(ada, { one: savedServer('hello') })
  await save(ada, { three: savedServer('hello'), off: { ...savedServer('hello'), disabled: true } })
  await untilServer(ada, 'three', 'ready')
  expect((await serversOf(ada)).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'off disabled',
    'three ready',
  ])
})

test('a saved server may not draw on the gateway’s environment', async () => {
  const leaking = { ...savedServer('hostile'), env: { STOLEN: '${HOME}' } }
  await save(ada, { leaking })
  const status = await untilServer(ada, 'leaking', 'failed')
  expect(status.error).toBeDefined()
  expect(JSON.stringify(status)).not.toContain(process.env['HOME'])
})

test('the operator’s servers are the local owner’s only, and may draw on the environment', async () => {
  const local = gateway.as('local')
  expect(await untilServer(local, 'house', 'ready')).toMatchObject({ scope: 'operator' })
  expect(await serversOf(ada)).toEqual([])
  const refused = await ada.post(paths.call, { tool: 'mcp://house/echo', arguments: {} })
  expect(refused.status).toBe(404)
})

test('a saved server cannot take the name of an operator’s', async () => {
  const local = gateway.as('local')
  const refused = await save(local, { house: savedServer('hello'), other: savedServer('hello') })
  expect(refused.status).toBe(422)
  const { code, issues }: Problem = await refused.json()
  expect(code).toBe('config_invalid')
  expect(issues).toEqual([{ path: '/mcpServers/house', message: expect.stringContaining('"house"') }])
  expect((await save(ada, { house: { ...savedServer('hello'), disabled: true } })).status).toBe(200)
})

test('when the operator takes a name that was saved before, the operator’s runs and the saved one says why it does not', async () => {
  await save(gateway.as('local'), { later: savedServer('hello') })
  await using second = createTestGateway({ lockbox, operatorServers: [operatorServer('later', 'hostile')] })
  const local = second.as('local')
  await untilServer(local, 'later', 'ready')
  expect((await serversOf(local)).map(({ scope, state, error }) => ({ scope, state, error }))).toEqual([
    { scope: 'operator', state: 'ready', error: undefined },
    { scope: 'user', state: 'failed', error: expect.stringContaining('another name') },
  ])
  expect(
    await textOf(await local.post(paths.call, { tool: 'mcp://later/echo', arguments: { text: 'hi' } })),
  ).toBe('hi')
  await save(local, {})
})

test('one person’s servers, tools and calls are not another’s', async () => {
  const bob = gateway.as(`bob-${people}`)
  await save(ada, { hello: savedServer('hello') })
  await untilServer(ada, 'hello', 'ready')
  expect(await serversOf(bob)).toEqual([])
  expect(await (await bob.get(paths.tools)).json()).toEqual({ tools: [] })
  expect((await bob.post(paths.call, { tool: 'mcp://hello/hello' })).status).toBe(404)
  expect(await textOf(await ada.post(paths.call, { tool: 'mcp://hello/hello' }))).toBe('Hello, world!')
  expect((await (await bob.get(paths.activity)).json()).entries).toEqual([])
})
