import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { crashing, hello, linkHello } from './servers.ts'
import { type Finished, type RunOptions, toolbridge } from './transcript.ts'

const folder = useFolder()

function configuration(servers: object, name = 'mcp.json'): string {
  const file = join(folder.path, name)
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  return file
}

/** Runs the command with the server that greets in this process. */
function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return runInProcess(args, { transportOf: linkHello, ...options })
}

test('a tool is called by its public name with name=value arguments', async () => {
  const result = await toolbridge(['call', 'hello__hello', 'name=Ada', '--mcp', configuration({ hello })])
  expect(result).toEqual({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' })
})

test('a result is shown as the host of the definition shows it [S3-40]', async () => {
  const program = fileURLToPath(new URL('../../bridge/test/servers/gallery.mjs', import.meta.url))
  const gallery = { type: 'stdio', command: process.execPath, args: [program] }
  const ofYaaf = join(folder.path, '.yaaf', 'mcp.json')
  mkdirSync(join(folder.path, '.yaaf'))
  writeFileSync(ofYaaf, JSON.stringify({ servers: { gallery } }))
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }
  const shown = await run(['call', 'mcp://gallery/mixed', '--mcp', ofYaaf])
  expect(shown.stdout).toContain(`one\n${JSON.stringify(link)}\n`)
  const own = await run(['call', 'gallery__mixed', '--mcp', configuration({ gallery })])
  expect(own.stdout).toContain('one\n[resource file:///a]\ninside\n')
})

test('arguments take the type that the schema declares', async () => {
  const result = await run(['--mcp', configuration({ hello }), 'call', 'hello__repeat', 'text=ab', 'count=3'])
  expect(result).toEqual({ code: 0, stdout: 'ab ab ab\n', stderr: '' })
})

test('arguments may be one JSON object, the tool its mcp:// address, the result JSON', async () => {
  const args = [
    'call',
    'mcp://hello/hello',
    '{"name":"Ada"}',
    '--format',
    'json',
    '--mcp',
    configuration({ hello }),
  ]
  const result = await run(args)
  expect(JSON.parse(result.stdout)).toMatchObject({ content: [{ type: 'text', text: 'Hello, Ada!' }] })
})

test('the configuration comes from TOOLBRIDGE_MCP_FILE in the environment', async () => {
  const file = configuration({ hello })
  const result = await run(['call', 'hello__hello'], { env: { TOOLBRIDGE_MCP_FILE: file } })
  expect(result.stdout).toBe('Hello, world!\n')
})

test('without any configuration the command says where to write one', async () => {
  const result = await run(['tools'], { cwd: folder.path })
  expect(result.code).toBe(6)
  expect(result.stderr).toContain('.toolbridge/mcp.json')
})

test('a configuration without servers has no tools, which is said', async () => {
  const result = await run(['tools', '--mcp', configuration({})])
  expect(result).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('no servers configured'),
  })
})

test('a named file that is missing is an error that names it', async () => {
  const result = await run(['tools', '--mcp', join(folder.path, 'nowhere.json')])
  expect(result.code).toBe(2)
  expect(result.stderr).toContain('nowhere.json')
})

test('broken JSON is reported with line and column, and nothing is started', async () => {
  const file = join(folder.path, 'mcp.json')
  writeFileSync(file, '{\n  "mcpServers": {\n    "a" {}\n  }\n}\n')
  const result = await run(['tools', '--mcp', file])
  expect(result.code).toBe(2)
  expect(result.stderr).toContain(`${file}:3:9`)
})

test('a server that does not start is named with its last words, and the others work', async () => {
  const result = await run(['tools', '--mcp', configuration({ hello, crashing })])
  expect(result.code).toBe(0)
  expect(result.stdout).toContain('hello__hello')
  expect(result.stderr).toContain('crashing')
})

test('an unknown tool, an unknown option and an unknown command are usage errors with a way on', async () => {
  const file = configuration({ hello })
  const unknownTool = await run(['call', 'hello__nothing', '--mcp', file])
  const unknownOption = await run(['tools', '--colour'])
  const unknownCommand = await run(['explode'])
  expect([unknownTool.code, unknownOption.code, unknownCommand.code]).toEqual([2, 2, 2])
  expect(unknownTool.stderr).toContain('toolbridge tools')
  expect(unknownOption.stderr).toBe('toolbridge: unknown option "--colour".\nSee: toolbridge tools --help\n')
  expect(unknownCommand.stderr).toBe('toolbridge: unknown command "explode". See: toolbridge --help\n')
})

test('who types an argument as an option, or names the server with one, learns how it is written', async () => {
  const argument = await run(['call', 'hello', '--name', 'Ada'])
  const server = await run(['call', 'hello', '--server', 'hello'])
  const hint = 'unknown option "--name". An argument of the tool is written without dashes: name=value\n'
  expect([argument.code, argument.stderr]).toEqual([2, expect.stringContaining(hint)])
  expect([server.code, server.stderr]).toEqual([2, expect.stringContaining('<server>.<tool>\n')])
})

test('only the servers that can have the tool are started', async () => {
  const mark = join(folder.path, 'started')
  const program = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`
  const file = configuration({ hello, other: { command: process.execPath, args: ['-e', program] } })
  for (const name of ['hello__hello', 'mcp://hello/hello']) {
    const result = await run(['call', name, '--mcp', file])
    expect(result).toEqual({ code: 0, stdout: 'Hello, world!\n', stderr: '' })
  }
  expect(existsSync(mark)).toBe(false)
})

test('a tool of a server that did not start is out of reach, and not a mistake in its name', async () => {
  const result = await run(['call', 'crashing__echo', '--mcp', configuration({ hello, crashing })])
  expect(result.code).toBe(3)
  expect(result.stderr).toMatch(/^crashing: .*\n {4}\| cannot read the settings\n/)
})

test('a tool of a disabled server is a usage error that says so', async () => {
  const file = configuration({ hello: { ...hello, disabled: true } })
  const result = await run(['call', 'hello__hello', '--mcp', file])
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('server "hello" is disabled') })
})

test('the tools of a server that is not there are a usage error that names those that are', async () => {
  const result = await run(['tools', '--server', 'nope', '--mcp', configuration({ hello, crashing })])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('unknown server "nope". Configured servers: hello, crashing')
})

test('words that a command takes none of are a usage error, and several servers may be named', async () => {
  const file = configuration({ hello, other: hello, third: hello })
  const stray = await run(['tools', 'hello', '--mcp', file])
  expect(stray).toMatchObject({ code: 2, stdout: '' })
  expect(stray.stderr).toContain('unexpected argument "hello". See: toolbridge tools --help')
  const two = await run(['tools', '--server', 'hello', '--server', 'third', '--mcp', file])
  expect([...two.stdout.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name)).toEqual([
    'hello__hello',
    'hello__repeat',
    'third__hello',
    'third__repeat',
  ])
})

test.each([
  [['--bogus'], 'unknown option "--bogus"'],
  [['--mcp'], "Option '--mcp <value>' argument missing"],
  [['--mcp', 'file.json'], 'missing command'],
])('a command line without a command says what is wrong with it: %j', async (args, message) => {
  const result = await run(args)
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
})

test('--version and --help need no command', async () => {
  for (const version of ['--version', '-v', '-V'])
    expect((await run([version])).stdout).toMatch(/^toolbridge \d/)
  expect((await run(['-h'])).stdout).toContain('Usage: toolbridge')
})

test('without any word the command shows what it can do and where to start', async () => {
  const result = await run([])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(result.stdout).toMatch(/^Use servers:\n {2}tools .*^Start here:\n {2}toolbridge config list/ms)
})

test('a server that asks is declined when nobody sits at a terminal, with a line that says so [S1-42] [S1-43] [D25]', async () => {
  const elicit = { command: process.execPath, args: [fixtureServers.elicit] }
  const result = await run(['call', 'elicit__greet_me', '--mcp', configuration({ elicit })])
  expect(result.stdout + result.stderr).toMatch(/declined/)
  expect(result.stderr).toMatch(/elicit/)
})

test('every command teaches with --help', async () => {
  for (const command of ['doctor', 'tools', 'call', 'serve']) {
    const result = await run([command, '--help'])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain(`Usage: toolbridge ${command}`)
  }
})

test('timeouts of the command line take precedence, and the errors name field and option', async () => {
  const silent = { command: process.execPath, args: [fixtureServers.hostile, '--silent'] }
  const hostile = { command: process.execPath, args: [fixtureServers.hostile] }
  const timeouts = { startMs: 600_000, callMs: 600_000 }
  const file = configuration({ silent: { ...silent, timeouts }, hostile: { ...hostile, timeouts } })
  const start = ['tools', '--server', 'silent', '--start-timeout', '0.1', '--mcp', file]
  const slowStart = await run(start)
  expect(slowStart.stderr).toContain('not ready within 100 ms (timeouts.startMs or --start-timeout)')
  const slowCall = await run(['call', 'hostile__hang', '--timeout', '0.1', '--mcp', file])
  expect(slowCall.stderr).toContain(
    'did not answer tools/call in time (100 ms, timeouts.callMs or --timeout)',
  )
})

test.each(['0', 'soon', '-1', '9e9'])('a timeout of %j is a usage error', async (text) => {
  const result = await run(['tools', `--start-timeout=${text}`])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(`invalid --start-timeout "${text}": expected seconds`)
})
