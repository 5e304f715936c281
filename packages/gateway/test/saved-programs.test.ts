import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()

const refused = /does not start programs that were saved in the console; use a server with a URL/

test('a gateway that others can reach saves no program, but runs those of its operator', async () => {
  await using gateway = createTestGateway({
    lockbox,
    savedPrograms: false,
    operatorServers: [inMemory('hello')],
  })
  const local = gateway.as('local')
  const save = (entry: object): Promise<Response> => local.post(paths.config, { mcpServers: { mine: entry } })
  const answer = await save(savedInMemory('hello'))
  expect(answer.status).toBe(422)
  const { issues } = await answer.json()
  expect(issues).toEqual([
    expect.objectContaining({ path: '/mcpServers/mine/command', message: expect.stringMatching(refused) }),
  ])
  expect((await save({ ...savedInMemory('hello'), disabled: true })).status).toBe(200)
  expect((await save({ url: 'https://tools.example/mcp', disabled: true })).status).toBe(200)
  await untilServer(local, 'hello', 'ready')
})

test('a program that was saved before others could reach the gateway is not started', async () => {
  {
    await using before = createTestGateway({ lockbox })
    const saved = await before.as('ada').post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
    expect(saved.status).toBe(200)
    await untilServer(before.as('ada'), 'mine', 'ready')
  }
  await using gateway = createTestGateway({ lockbox, savedPrograms: false })
  const ada = gateway.as('ada')
  expect((await untilServer(ada, 'mine', 'failed')).error).toMatch(refused)
  const run = await ada.post(paths.invoke, {
    workflowId: 'w',
    nodes: [{ id: 'one', kind: 'tool', tool: 'mine__hello' }],
  })
  expect(await run.json()).toMatchObject({
    failedToolkits: [{ name: 'mine', error: expect.stringContaining('does not start programs') }],
  })
})

/** In front of a saved command, it starts the in-memory server; no process is needed to see what is refused. */
const prefix = ['in-memory', 'hello', '--']
const sandbox = {
  command: prefix,
  allow: [
    ['/opt/tools/notes', '--read-only'],
    ['npx', '-y', 'tavily-mcp'],
  ],
  env: ['TAVILY_API_KEY'],
}

test('with a sandbox, an allowed command is saved and starts behind the sandbox command', async () => {
  await using gateway = createTestGateway({ lockbox, savedPrograms: sandbox })
  const ada = gateway.as('ada')
  const mine = { command: 'npx', args: ['-y', 'tavily-mcp'], env: { TAVILY_API_KEY: canary('saved') } }
  expect((await ada.post(paths.config, { mcpServers: { mine } })).status).toBe(200)
  await untilServer(ada, 'mine', 'ready')
  const { mcpServers } = await (await ada.get(paths.config)).json()
  expect(mcpServers.mine).toMatchObject({ command: 'npx', args: ['-y', 'tavily-mcp'] })
  const run = await ada.post(paths.invoke, {
    workflowId: 'w',
    nodes: [{ id: 'one', kind: 'tool', tool: 'mine__hello' }],
  })
  expect(await run.json()).toMatchObject({ nodes: [{ status: 'ok' }], failedToolkits: [] })
})

const allowed = { command: '/opt/tools/notes', args: ['--read-only'] }

test.each<[string, object, string]>([
  ['another program', { ...allowed, command: '/bin/sh' }, '/command'],
  ['one more argument', { ...allowed, args: ['--read-only', '--root=/'] }, '/command'],
  ['one argument less', { ...allowed, args: [] }, '/command'],
  ['arguments in one word', { command: '/opt/tools/notes --read-only', args: [] }, '/command'],
  ['an argument split', { ...allowed, args: ['--read', '-only'] }, '/command'],
  ['a shell operator', { ...allowed, args: ['--read-only; id'] }, '/command'],
  ['a substitution', { ...allowed, args: ['$(id)'] }, '/command'],
  ['a variable', { ...allowed, args: ['${input:mode}'] }, '/command'],
  ['another case', { ...allowed, command: '/opt/tools/NOTES' }, '/command'],
  ['a relative path', { ...allowed, command: './notes' }, '/command'],
  ['the name alone', { ...allowed, command: 'notes' }, '/command'],
  ['another path to it', { ...allowed, command: '/opt/tools/../tools/notes' }, '/command'],
  ['a link to it', { ...allowed, command: '/tmp/link-to-notes' }, '/command'],
  ['an absolute path for a name', { command: '/tmp/npx', args: ['-y', 'tavily-mcp'] }, '/command'],
  ['the sandbox command', { command: 'in-memory', args: ['hello', '--'] }, '/command'],
  ['LD_PRELOAD', { ...allowed, env: { LD_PRELOAD: '/tmp/evil.so' } }, '/env/LD_PRELOAD'],
  ['NODE_OPTIONS', { ...allowed, env: { NODE_OPTIONS: '--import=/tmp/evil.mjs' } }, '/env/NODE_OPTIONS'],
  ['PATH', { ...allowed, env: { PATH: '/tmp' } }, '/env/PATH'],
  ['a variable in another case', { ...allowed, env: { tavily_api_key: 'x' } }, '/env/tavily_api_key'],
  ['a working directory', { ...allowed, cwd: '/tmp' }, '/cwd'],
  ['a file of variables', { ...allowed, envFile: '/tmp/env' }, '/envFile'],
])('with a sandbox, %s is refused, and nothing is saved', async (_what, entry, path) => {
  await using gateway = createTestGateway({ lockbox, savedPrograms: sandbox })
  const bob = gateway.as('bob')
  const answer = await bob.post(paths.config, { mcpServers: { mine: entry } })
  expect(answer.status).toBe(422)
  expect((await answer.json()).issues).toContainEqual(
    expect.objectContaining({ path: `/mcpServers/mine${path}` }),
  )
  expect(await (await bob.get(paths.config)).json()).toEqual({ mcpServers: {} })
})

test('with a sandbox, a program that was saved before is started only if it is allowed', async () => {
  {
    await using before = createTestGateway({ lockbox })
    const saved = await before.as('ada').post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
    expect(saved.status).toBe(200)
  }
  await using gateway = createTestGateway({ lockbox, savedPrograms: sandbox })
  const ada = gateway.as('ada')
  expect((await untilServer(ada, 'mine', 'failed')).error).toMatch(/does not allow this command/)
  const run = await ada.post(paths.invoke, {
    workflowId: 'w',
    nodes: [{ id: 'one', kind: 'tool', tool: 'mine__hello' }],
  })
  expect(await run.json()).toMatchObject({
    failedToolkits: [{ name: 'mine', error: expect.stringContaining('does not allow this command') }],
  })
})

test('with a sandbox, no route saves another program, or enables one that was saved as disabled', async () => {
  await using gateway = createTestGateway({ lockbox, savedPrograms: sandbox, principals: ['carol'] })
  const carol = gateway.as('carol')
  const shell = { command: '/bin/sh', args: ['-c', 'id'] }
  expect((await carol.put(paths.server('mine'), { server: shell })).status).toBe(422)
  expect((await carol.put(paths.server('mine'), { server: { ...shell, disabled: true } })).status).toBe(200)
  expect((await carol.send('PATCH', paths.server('mine'), { disabled: false })).status).toBe(422)
  expect((await untilServer(carol, 'mine', 'disabled')).state).toBe('disabled')
})
