import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Problem, paths } from '@toolbridge/api'
import { LockboxError } from '@toolbridge/lockbox'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readEvents } from './support/events.ts'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer, savedInMemory, savedServer } from './support/specs.ts'
import { serversOf, textOf, untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let people = 0
let ada: Caller

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
    hello: savedInMemory('hello'),
  })
  expect(saved.status).toBe(200)
  const broken = await untilServer(ada, 'broken', 'failed')
  expect(broken.stderr?.join()).toContain('set HOSTILE_TOKEN')
  expect(broken).not.toHaveProperty('pid')
  await untilServer(ada, 'hello', 'ready')
})

test('a saved server has a report of its definition, without the environment and files of this machine', async () => {
  // Disabled, so that nothing starts.
  const off = {
    command: 'node',
    args: ['--token', canary('saved')],
    env: { KEY: canary('saved') },
    disabled: true,
  }
  await save(ada, { off, reads: { command: 'node', args: ['${env:PATH}'] } })
  const servers = await serversOf(ada)
  const reportOf = (name: string): unknown => servers.find((server) => server.name === name)?.report
  expect(reportOf('off')).toEqual({
    state: 'off',
    reasons: [expect.objectContaining({ code: 'disabled' })],
    definition: {
      program: { command: 'node', argumentCount: 2 },
      variables: { missing: [], missingBecomes: expect.any(String), inputs: [], secrets: [] },
      tools: { readOnly: false },
      timeouts: { startMs: 30_000, callMs: 60_000 },
    },
  })
  expect(reportOf('reads')).toMatchObject({
    state: 'failing',
    reasons: [{ message: expect.stringContaining('PATH') }],
    definition: { variables: { missing: ['PATH'] } },
  })
  expect(JSON.stringify(servers)).not.toContain(canary('saved'))
  expect(reportOf('house')).toBeUndefined()
  const hidden = { url: 'https://mcp.example/hunter/mcp', disabled: true }
  await save(ada, { hidden, odd: { command: 'npx --token hunter', disabled: true } })
  await untilServer(ada, 'odd', 'disabled')
  const text = JSON.stringify(await serversOf(ada))
  expect(text).not.toContain('hunter')
  expect(text).toContain('https://mcp.example/…')
})

test('servers and tools are back with the database if it was away at the first request of a person', async () => {
  // Fails like PostgreSQL during an outage. The PGlite of the tests cannot be stopped: all test files share it.
  const outage = new LockboxError('unreachable', 'cannot connect to the database')
  const settings = { ...lockbox.settings }
  await using away = createTestGateway({ lockbox: { ...lockbox, settings } })
  const bob = away.as('bob')
  settings.read = () => Promise.reject(outage)
  for (const path of [paths.servers, paths.tools]) expect((await bob.get(path)).status).toBe(503)
  settings.read = (owner, key) => lockbox.settings.read(owner, key)
  for (const path of [paths.servers, paths.tools]) expect((await bob.get(path)).status).toBe(200)
})

test('saves take effect in their order: what was removed is stopped, what stays is kept', async () => {
  await save(ada, { one: savedInMemory('hello'), two: savedInMemory('hello') })
  await untilServer(ada, 'one', 'ready')
  await save(ada, { one: savedInMemory('hello') })
  await save(ada, { three: savedInMemory('hello'), off: { ...savedInMemory('hello'), disabled: true } })
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
  const refused = await save(local, { house: savedInMemory('hello'), other: savedInMemory('hello') })
  expect(refused.status).toBe(422)
  const { code, issues }: Problem = await refused.json()
  expect(code).toBe('config_invalid')
  expect(issues).toEqual([{ path: '/mcpServers/house', message: expect.stringContaining('"house"') }])
  expect((await save(ada, { house: { ...savedInMemory('hello'), disabled: true } })).status).toBe(200)
})

test('when the operator takes a name that was saved before, the operator’s runs and the saved one says why it does not', async () => {
  await save(gateway.as('local'), { later: savedInMemory('hello') })
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
  await save(ada, { hello: savedInMemory('hello') })
  await untilServer(ada, 'hello', 'ready')
  expect(await serversOf(bob)).toEqual([])
  expect(await (await bob.get(paths.tools)).json()).toEqual({ tools: [] })
  expect((await bob.post(paths.call, { tool: 'mcp://hello/hello' })).status).toBe(404)
  expect(await textOf(await ada.post(paths.call, { tool: 'mcp://hello/hello' }))).toBe('Hello, world!')
  expect((await (await bob.get(paths.activity)).json()).entries).toEqual([])
})

test('what is saved takes effect even when it cannot be read back', async () => {
  await serversOf(ada)
  const read = vi.spyOn(lockbox.settings, 'read').mockRejectedValue(new Error('the store is gone'))
  try {
    await save(ada, { hello: savedInMemory('hello') })
    await untilServer(ada, 'hello', 'ready')
  } finally {
    read.mockRestore()
  }
})

test('each server that fails is told in the log, in one line', async () => {
  await save(ada, { broken: savedServer('hostile', '--crash-before-initialize') })
  await untilServer(ada, 'broken', 'failed')
  const lines = gateway.logged.filter((line) => line.includes('"broken"'))
  expect(lines).toEqual([expect.stringMatching(/^server "broken" failed to start: .*HOSTILE_TOKEN/)])
  expect(lines[0]).not.toContain('\n')
})

test('a server that failed or went down is started again on demand', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restart-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'server.mjs')
  await save(ada, { late: { command: process.execPath, args: [program] } })
  await untilServer(ada, 'late', 'failed')
  await writeFile(program, `import ${JSON.stringify(pathToFileURL(fixtureServers.hello).href)}`)
  expect((await ada.post(paths.restart('late'), {})).status).toBe(200)
  await untilServer(ada, 'late', 'ready')
  expect((await ada.post(paths.restart('none'), {})).status).toBe(404)
})

test('a server that ended is started again on demand, beside its neighbours', async () => {
  await save(ada, { odd: savedServer('hostile', '--crash-mid-call'), hello: savedInMemory('hello') })
  await untilServer(ada, 'odd', 'ready')
  const { startedInMs } = await untilServer(ada, 'hello', 'ready')
  await ada.post(paths.call, { tool: 'mcp://odd/echo' })
  await untilServer(ada, 'odd', 'down')
  await ada.post(paths.restart('odd'), {})
  await untilServer(ada, 'odd', 'ready')
  expect(await untilServer(ada, 'hello', 'ready')).toMatchObject({ startedInMs })
})

test('the operator’s servers are restarted by whom they belong to', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'house', 'ready')
  expect((await local.post(paths.restart('house'), {})).status).toBe(200)
  await untilServer(local, 'house', 'ready')
  expect((await ada.post(paths.restart('house'), {})).status).toBe(404)
})

test('changed servers of the operator are applied, and one that does not start leaves the old one running [S1-45]', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'house', 'ready')
  const { services } = gateway
  const broken = operatorServer('house', 'hostile', '--crash-before-initialize')
  const report = await services.applyOperatorServers([broken, inMemory('hello')])
  expect(report).toMatchObject({ started: ['house', 'hello'], stopped: [], notReplaced: ['house'] })
  expect(await serversOf(local)).toMatchObject([
    { name: 'hello', state: 'ready', scope: 'operator' },
    { name: 'house', state: 'ready', failedReplacement: { error: expect.stringContaining('code 3') } },
  ])
  expect((await save(local, { hello: savedInMemory('hello') })).status).toBe(422)
  await services.applyOperatorServers([])
  expect(await serversOf(local)).toEqual([])
})

test('a saved server does not get the rights of a server of the operator that had its name [S1-45]', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'house', 'ready')
  await gateway.services.applyOperatorServers([])
  await save(local, { house: { ...savedServer('hello'), env: { KEY: '${env:HOME}' } } })
  const status = await untilServer(local, 'house', 'failed')
  expect(status).toMatchObject({ scope: 'user', error: expect.stringContaining('HOME') })
})
