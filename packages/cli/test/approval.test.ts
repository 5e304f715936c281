import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileGrantStore } from '@toolbridge/bridge/permissions'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { linkHello } from './servers.ts'
import { type Finished, toolbridge } from './transcript.ts'

const folder = useFolder()
let terminal: PseudoTerminal | undefined
afterEach(() => terminal?.end())

const waitingServer = fileURLToPath(new URL('waiting-server.mjs', import.meta.url))
const down = '\u001b[B'

/** A definition that wants every call to be asked about. */
function careful(): string {
  const file = join(folder.path, 'mcp.json')
  const server = { command: process.execPath, args: [fixtureServers.hello], approval: { default: 'ask' } }
  writeFileSync(file, JSON.stringify({ mcpServers: { careful: server } }))
  return file
}

function callWithoutTerminal(file: string, run = runInProcess): Promise<Finished> {
  return run(['call', 'careful__hello', '--mcp', file], {
    env: { HOME: folder.path },
    transportOf: linkHello,
  })
}

test('without a terminal a call that needs an approval is not made, and the way to be asked is named', async () => {
  const result = await callWithoutTerminal(careful(), toolbridge)
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('needs an approval')
  expect(result.stderr).toContain('Run the command at a terminal to answer')
})

/** A person calls the tool, and allows it from now on. */
async function allowFromNowOn(file: string): Promise<void> {
  terminal = new PseudoTerminal(['call', 'careful__hello', '--mcp', file], folder.path, { NO_COLOR: '1' })
  await terminal.shows(/Allow this tool from now on/)
  terminal.type(down.repeat(4))
  await terminal.shows(/● Allow this tool from now on/)
  terminal.type('\r')
  await terminal.shows(/Hello, world!/)
  expect(await terminal.exit).toBe(0)
}

test('a call that a person refuses is not made', async () => {
  const file = join(folder.path, 'mcp.json')
  const server = { command: process.execPath, args: [waitingServer], approval: { default: 'ask' } }
  writeFileSync(file, JSON.stringify({ mcpServers: { careful: server } }))
  const args = ['call', 'careful.open', 'text=secret plan', '--mcp', file]
  terminal = new PseudoTerminal(args, folder.path, { NO_COLOR: '1' })
  await terminal.shows(/open[^]*secret plan[^]*Allow this call\?[^]*● Refuse/)
  terminal.type('\r')
  await terminal.shows(/toolbridge: approval_refused: /)
  expect(await terminal.exit).toBe(4)
  expect(existsSync(join(folder.path, 'pid'))).toBe(true)
  expect(existsSync(join(folder.path, 'called'))).toBe(false)
})

test('what a person allows from now on is allowed from now on, until the definition changes', async () => {
  const file = careful()
  await allowFromNowOn(file)
  expect(await callWithoutTerminal(file)).toMatchObject({ code: 0, stdout: 'Hello, world!\n' })
  // What the gateway's hosts may call is kept there, and nobody was asked about that.
  expect(existsSync(join(folder.path, '.toolbridge/grants'))).toBe(false)

  writeFileSync(file, readFileSync(file, 'utf8').replace('"args"', '"env":{"A":"b"},"args"'))
  expect((await callWithoutTerminal(file)).code).toBe(4)
})

test('what was allowed from now on is shown, and asked about again once it is taken back', async () => {
  const file = careful()
  const grants = (...args: readonly string[]): Promise<Finished> =>
    runInProcess(['grants', ...args], { env: { HOME: folder.path } })
  const none = { code: 0, stdout: '', stderr: 'toolbridge: no tool is permanently approved\n' }
  expect([await grants('list'), await grants()]).toEqual([none, none])
  await allowFromNowOn(file)
  expect(await grants('list')).toMatchObject({ code: 0, stdout: 'careful  hello  typed at a terminal\n' })
  const other = await grants('revoke', 'careful', 'bye')
  expect(other).toMatchObject({ code: 2, stdout: '' })
  expect(other.stderr).toContain('no grant for the tool "bye" of "careful"')
  const invalid = await grants('revoke', 'careful', '--format', 'xml')
  expect(invalid).toMatchObject({ code: 2, stdout: '' })
  expect(invalid.stderr).toContain('invalid --format "xml": expected "text" or "json"')
  expect((await callWithoutTerminal(file)).code).toBe(0)

  const taken = await grants('revoke', 'careful', '--format', 'json')
  expect(JSON.parse(taken.stdout)).toEqual({
    grants: [{ server: 'careful', tool: 'hello', caller: 'terminal' }],
  })
  expect((await callWithoutTerminal(file)).code).toBe(4)
  expect((await grants('revoke', 'careful')).code).toBe(2)
})

test('what was granted to hosts of a gateway is found in its folder', async () => {
  const grant = { principal: 'local', server: 'files', definition: 'd', tool: 'write', pin: 'p', asks: [] }
  const store = fileGrantStore(join(folder.path, 'data/grants'))
  await store.add(grant)
  await store.add({ ...grant, principal: 'somebody else' })
  const run = (...args: readonly string[]): Promise<Finished> =>
    toolbridge(['grants', ...args, '--data', 'data'], { cwd: folder.path, env: { HOME: folder.path } })
  expect((await run('list')).stdout).toBe('files  write  by hosts of the gateway\n')
  expect((await run('revoke', 'files')).code).toBe(0)
  expect(await store.list('local')).toEqual([])
  expect(await store.list('somebody else')).toHaveLength(1)
})
