import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess as runWithPrograms, type InProcessOptions } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { linkHello } from './servers.ts'
import { type Finished, prepareDatabase, toolbridge } from './transcript.ts'

const folder = useFolder()
const home = useFolder()
let terminal: PseudoTerminal | undefined
afterEach(() => terminal?.end())

/** Runs the command with the server of these tests in this process. */
const runInProcess = (args: readonly string[], given: InProcessOptions): Promise<Finished> =>
  runWithPrograms(args, { ...given, transportOf: linkHello })

const longText = 'x'.repeat(300)

/** A file that came with the project. */
function projectFile(env: Readonly<Record<string, string>> = {}, path = '.toolbridge/mcp.json'): string {
  const file = join(folder.path, path)
  mkdirSync(join(file, '..'), { recursive: true })
  const hello = { command: process.execPath, args: [fixtureServers.hello], env: { NOTE: longText, ...env } }
  writeFileSync(file, JSON.stringify({ mcpServers: { hello } }))
  return file
}

const options = (): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } => ({
  cwd: folder.path,
  env: { HOME: home.path },
})

function open(...args: readonly string[]): PseudoTerminal {
  terminal = new PseudoTerminal(args, folder.path, { HOME: home.path, NO_COLOR: '1' })
  return terminal
}

test('without a terminal a server of the project is not started, and the way to trust it is named', async () => {
  const file = projectFile()
  const result = await toolbridge(['call', 'hello__hello'], options())
  expect(result.code).toBe(4)
  expect(result.stdout).toBe('')
  expect(result.stderr).toContain(`server "hello" is defined by the project, in ${file}, and is not started`)
  const advice = 'toolbridge config trust hello'
  expect(result.stderr).toContain(`${advice}, or name the file yourself: --mcp ${file}`)
  expect(await runInProcess(['tools'], options())).toMatchObject({ code: 4, stdout: '' })
  expect((await runInProcess(['doctor'], options())).code).toBe(4)
})

test('a command that is suggested does nothing else, whatever the name of the file', async () => {
  const file = projectFile({}, '.continue/mcpServers/$(id);x.json')
  const { stderr } = await runInProcess(['tools'], options())
  expect(stderr).toContain(`--mcp '${file}'\n`)
})

// Windows has no such pipes.
describe.skipIf(process.platform === 'win32')('a pipe that nobody writes to', () => {
  let pipe: string
  beforeEach(() => {
    pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
  })

  test.each(['doctor', 'config list'])(
    'is not read by %s for an entry that is not trusted',
    async (command) => {
      const file = fileNaming(pipe)
      const untrusted = await runInProcess(command.split(' '), options())
      expect(untrusted.stdout + untrusted.stderr).not.toContain('cannot be read')
      // What it would have reported.
      const { stdout } = await runInProcess(['doctor', '--mcp', file], options())
      expect(stdout).toMatch(/envFile is a file that cannot be read[^]*KEY uses a file that cannot be read/)
    },
  )

  test.each(['/dev/zero', 'pipe'])('or %s is refused as a configuration', async (name) => {
    for (const command of [['tools'], ['doctor'], ['config', 'list']]) {
      const { code, stdout, stderr } = await runInProcess([...command, '--mcp', name], options())
      // For doctor, it is a finding.
      const said = command[0] === 'doctor' ? stdout : stderr
      expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('file not found') })
    }
  })
})

test('a file that is too large is refused as a configuration before it is read', async () => {
  const file = join(folder.path, 'large.json')
  writeFileSync(file, '')
  // Has no blocks on the disk.
  truncateSync(file, 16 * 1024 * 1024 + 1)
  for (const command of [['tools'], ['doctor'], ['config', 'list']]) {
    const { code, stdout, stderr } = await runInProcess([...command, '--mcp', file], options())
    expect(stdout + stderr, command.join(' ')).toContain('the file is larger than 16 MiB and was not read')
    expect(code).toBe(command[0] === 'config' ? 0 : 2)
  }
})

/** A file that came with the project and lets servers read another file. */
function fileNaming(envFile: string): string {
  const hello = { command: process.execPath, args: [fixtureServers.hello] }
  const variable = { ...hello, env: { KEY: `\${file:${envFile}}` } }
  const file = join(folder.path, '.toolbridge/mcp.json')
  mkdirSync(join(file, '..'))
  writeFileSync(file, JSON.stringify({ mcpServers: { file: { ...hello, envFile }, variable } }))
  return file
}

test('a name that could be more than a name is in no command that is advised', async () => {
  const file = join(folder.path, '.mcp.json')
  const entry = { command: process.execPath, args: [fixtureServers.hello] }
  writeFileSync(file, JSON.stringify({ mcpServers: { '--yes': entry, '; rm x': entry } }))
  const { stderr } = await runInProcess(['tools'], options())
  expect(stderr).toContain('toolbridge config trust, or')
  expect(stderr).not.toMatch(/config trust [^,]/)
})

test('a file that the .env of the project names is the project’s', async () => {
  const file = projectFile({}, 'elsewhere.json')
  writeFileSync(join(folder.path, '.env'), `TOOLBRIDGE_MCP_FILE="${file}"\n`)
  expect((await runInProcess(['call', 'hello__hello'], options())).code).toBe(4)
  const advice = ['config', 'trust', 'hello', '--yes']
  expect((await runInProcess(advice, options())).code).toBe(0)
  expect((await runInProcess(['call', 'hello__hello'], options())).code).toBe(0)
})

test('a file that a person names is trusted by that', async () => {
  const file = projectFile()
  expect(await runInProcess(['call', 'hello__hello', '--mcp', file], options())).toMatchObject({
    code: 0,
    stdout: 'Hello, world!\n',
  })
})

test('at a terminal the whole entry is shown and asked for once, until it changes', async () => {
  projectFile()
  const screen = open('call', 'hello__hello')
  await screen.shows(/Do you trust this server\?/)
  const shown = screen.text.replaceAll(/\s/g, '')
  expect(shown).toContain(JSON.stringify([fixtureServers.hello]))
  expect(shown).toContain(JSON.stringify({ NOTE: longText }))
  screen.type('y')
  await screen.shows(/Hello, world!/)
  expect(await screen.exit).toBe(0)

  expect((await runInProcess(['call', 'hello__hello'], options())).stdout).toBe('Hello, world!\n')
  projectFile({ NODE_OPTIONS: '--no-warnings' })
  expect((await runInProcess(['call', 'hello__hello'], options())).code).toBe(4)
})

test('what cannot be seen in an entry is written out', async () => {
  projectFile({ A: 'a\u00AD\u{E0041}\u202E\u200B' })
  const screen = open('config', 'trust', 'hello')
  await screen.shows(/Do you trust this server\?/)
  const shown = screen.text.replaceAll(/\s/g, '')
  expect(shown).toContain(String.raw`"A":"a\u00ad\udb40\udc41\u202e\u200b"`)
})

test('where nobody looks, what may be a secret is masked in an entry, and its program is named', async () => {
  const secret = canary('env of a project')
  projectFile({ A: secret })
  const { code, stderr } = await runInProcess(['config', 'trust', 'hello'], options())
  expect(stderr).toContain(`command    ${JSON.stringify(process.execPath)}`)
  expect(stderr).toMatch(/env +\{"NOTE":"…","A":"…"\}/)
  expect(stderr).not.toContain(secret)
  expect(code).toBe(4)
})

test('in a job of CI nobody is asked, and values are masked, although it has a terminal', async () => {
  const secret = canary('env of a project')
  projectFile({ A: secret })
  terminal = new PseudoTerminal(['config', 'trust', 'hello'], folder.path, { HOME: home.path, CI: 'true' })
  expect(await terminal.exit).toBe(4)
  expect(terminal.text).toContain('"A":"…"')
  expect(terminal.text).not.toContain(secret)
})

test('trust that cannot be kept is no trust', async () => {
  projectFile()
  writeFileSync(join(home.path, '.toolbridge'), 'in the way')
  const { code, stderr } = await runInProcess(['config', 'trust', 'hello', '--yes'], options())
  expect(stderr).toContain('cannot create the folder')
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(2)
})

test('who says no, or nothing, starts nothing', async () => {
  projectFile()
  const screen = open('call', 'hello__hello')
  await screen.shows(/Do you trust this server\?/)
  screen.type('\r')
  expect(await screen.exit).toBe(4)
  const ended = open('call', 'hello__hello')
  await ended.shows(/Do you trust this server\?/)
  ended.type('\u0004')
  expect(await ended.exit).toBe(4)
  const interrupted = open('call', 'hello__hello')
  await interrupted.shows(/Do you trust this server\?/)
  interrupted.type('\u0003')
  expect(await interrupted.exit).toBe(130)
})

test('after a question of serve, Enter still prints a fresh address', async () => {
  projectFile()
  const data = join(home.path, 'data')
  await prepareDatabase(data)
  const screen = open('serve', '--port', '0', '--data', data)
  await screen.shows(/Do you trust this server\?/)
  screen.type('y')
  await screen.shows(/Press Enter for a new one/)
  screen.type('\r')
  await screen.shows(/Open http/)
  screen.type('\u0003')
  expect(await screen.exit).toBe(0)
})
