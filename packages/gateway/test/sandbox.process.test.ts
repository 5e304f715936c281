import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paths } from '@toolbridge/api'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from '../src/index.ts'
import { checkSandbox } from '../src/sandbox/check-sandbox.ts'
import { sandboxIssues } from '../src/sandbox/sandbox-options.ts'
import { createTestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { untilServer } from './support/waiting.ts'

let folder: string
let privateFile: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  privateFile = join(folder, 'token')
  await writeFile(privateFile, 'x', { mode: 0o600 })
})
afterAll(() => rm(folder, { recursive: true }))

const allow = [['npx', '-y', 'tavily-mcp']]
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', '--']
const isRoot = process.getuid?.() === 0

async function reasonsOf(command: readonly string[], timeoutMs?: number): Promise<string> {
  const target = { privateFile, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  return checkSandbox({ command, allow }, target).then(
    () => 'usable',
    (error: Error) => error.message,
  )
}

test('a command that does not change the user id is no sandbox', async () => {
  const reasons = await reasonsOf(['env'])
  expect(reasons).toContain('programs in it have the user id of the gateway')
  expect(reasons).toContain('programs in it can read the files of the gateway')
  expect(reasons).toContain('programs in it can send signals to the gateway')
})

test.each([
  ['does not exist', ['/nowhere/sandbox']],
  ['ends at once', ['false']],
])('a command that %s is no sandbox', async (_what, command) => {
  expect(await reasonsOf(command)).toContain('it does not start programs')
})

test('a command whose programs the gateway cannot stop is no sandbox', async () => {
  const pidFile = join(folder, 'pid')
  const escape = ['sh', '-c', `setsid "$@" & echo $! > ${pidFile}; wait`, 'escape']
  try {
    expect(await reasonsOf(escape, 300)).toContain('the gateway cannot stop programs in it')
  } finally {
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')
  }
})

// Only root may change the user id.
test.runIf(isRoot)('a command that runs programs as another user is a sandbox', async () => {
  expect(await reasonsOf(asNobody)).toBe('usable')
})

/** Whether the other user may run a server from this checkout. */
const isReadable =
  isRoot && spawnSync('setpriv', [...asNobody.slice(1), 'test', '-r', fixtureServers.hello]).status === 0

// Only root may change the user id.
test.runIf(isReadable)(
  'a saved program runs as the other user, and is stopped like every server',
  async () => {
    const words = [process.execPath, fixtureServers.hello]
    const lockbox = await openTestLockbox()
    const gateway = createTestGateway({ lockbox, savedPrograms: { command: asNobody, allow: [words] } })
    const [command, ...args] = words
    const ada = gateway.as('ada')
    expect((await ada.post(paths.config, { mcpServers: { mine: { command, args } } })).status).toBe(200)
    await untilServer(ada, 'mine', 'ready')
    const { bridge } = await gateway.services.owners.open('ada')
    const { pid = 0 } = bridge.status().find(({ name }) => name === 'mine') ?? {}
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m)
    await gateway[Symbol.asyncDispose]()
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    await lockbox.close()
  },
)

// Only root may change the user id.
test.runIf(isRoot)('a sandbox that leaves capabilities, root or no environment is refused', async () => {
  expect(await reasonsOf([...asNobody, 'env', '-i'])).toContain('does not pass on environment variables')
  expect(await reasonsOf(['setpriv', '--regid=65534', '--clear-groups', '--'])).toContain('run as root')
})

test('a gateway with people starts with a sandbox only if that is one, before it opens its port', async () => {
  const oidc = { issuer: 'https://login.example', audience: 'tools' }
  const starting = startGateway({
    dataFolder: join(folder, 'data'),
    oidc,
    sandbox: { command: ['env'], allow },
  })
  await expect(starting).rejects.toMatchObject({
    issues: [expect.objectContaining({ code: 'sandbox_invalid', path: '/sandbox/command' })],
  })
})

test.each([
  ['no sandbox command', { command: [], allow }, '/sandbox/command'],
  ['a relative sandbox command', { command: ['./run'], allow }, '/sandbox/command'],
  ['no allowed command', { command: asNobody, allow: [] }, '/sandbox/allow'],
  ['an empty command', { command: asNobody, allow: [[]] }, '/sandbox/allow/0'],
  ['a relative program', { command: asNobody, allow: [['bin/notes']] }, '/sandbox/allow/0'],
  ...['LD_PRELOAD', 'ld_audit', 'NODE_OPTIONS', 'PYTHONPATH', 'BASH_ENV', 'PATH', 'A=B', ''].map(
    (name) =>
      [`the variable "${name}"`, { command: asNobody, allow, env: [name] }, '/sandbox/env/0'] as const,
  ),
] as const)('a sandbox with %s is refused', (_what, options, path) => {
  expect(sandboxIssues(options).map((issue) => issue.path)).toEqual([path])
})
