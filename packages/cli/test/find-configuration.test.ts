import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { put, useFolder } from './folders.ts'
import { type InProcessOptions, runInProcess } from './in-process.ts'
import { hello as greeting, linkHello } from './servers.ts'
import { type Finished, toolbridge } from './transcript.ts'

const folder = useFolder()
const home = useFolder()

function run(args: readonly string[], options: InProcessOptions = {}): Promise<Finished> {
  return runInProcess(args, {
    cwd: folder.path,
    transportOf: linkHello,
    ...options,
    env: { HOME: home.path, ...options.env },
  })
}

const hello = { command: greeting.command, args: greeting.args }
const stdio = { type: 'stdio', ...hello }

test('servers of the project and of the user are merged without a flag, once they are trusted [S3-3] [S3-7] [D34]', async () => {
  put(folder.path, '.toolbridge/mcp.json', { mcpServers: { ours: hello } })
  put(folder.path, '.vscode/mcp.json', { servers: { code: stdio } })
  put(folder.path, '.yaaf/mcp.json', { servers: { y: stdio, ours: { type: 'stdio', command: 'never' } } })
  put(home.path, '.toolbridge/mcp.json', { mcpServers: { mine: hello, ours: { command: 'never' } } })
  put(home.path, '.cursor/mcp.json', { mcpServers: { other: hello } })
  const untrusted = await run(['tools'])
  expect(untrusted).toMatchObject({ code: 0, stdout: expect.stringContaining('mine__hello') })
  for (const name of ['ours', 'code', 'y'])
    expect(untrusted.stderr).toContain(`Trust it with toolbridge config trust ${name}, or`)
  expect((await run(['config', 'trust', '--yes'])).code).toBe(0)
  const { code, stdout, stderr } = await run(['tools'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect([...stdout.matchAll(/^\S+$/gm)].map(([name]) => name)).toEqual(['code', 'mine', 'ours', 'y'])
  // The dialect of yaaf names its tools with a dot.
  expect(stdout).toContain('y.hello(')
})

test('servers of one file that are not trusted are named together, once, and none is exit status 4', async () => {
  const off = { ...hello, disabled: true }
  const file = put(folder.path, '.mcp.json', { mcpServers: { one: hello, two: hello, off } })
  expect(await run(['tools'])).toEqual({
    code: 4,
    stdout: '',
    stderr: [
      `toolbridge: servers "one", "two" are defined by the project, in ${file}, and are not started. Trust them with toolbridge config trust, or name the file yourself: --mcp ${file}`,
      'one: not trusted, and not started',
      'two: not trusted, and not started',
      '',
    ].join('\n'),
  })
})

test('doctor says in which list a server is disabled, and to remove it there', async () => {
  put(folder.path, '.mcp.json', { mcpServers: { one: hello } })
  const project = { disabledMcpjsonServers: ['one'] }
  const list = put(home.path, '.claude.json', { projects: { [folder.path]: project } })
  const { stdout } = await run(['doctor', '--no-active'])
  expect(stdout).toContain(
    `one (stdio): disabled\n    fix: to use it, remove it from the list in ${list}\n0 errors`,
  )
})

test('a command reports issues only of the servers it uses, and doctor those of all', async () => {
  const typo = { ...hello, comand: 'x' }
  const document = { mcpServers: { one: hello, two: typo, off: { ...typo, disabled: true } } }
  const file = put(folder.path, 'mcp.json', document)
  const silent = { code: 0, stderr: '' }
  expect(await run(['call', 'one.hello', '--mcp', file])).toMatchObject(silent)
  expect(await run(['tools', '--server', 'one', '--mcp', file])).toMatchObject(silent)
  const all = await run(['tools', '--mcp', file])
  expect(all.stderr).toContain('server "two": "comand" is unknown')
  expect(all.stderr).not.toContain('"off"')
  const { stdout } = await run(['doctor', '--no-active', '--mcp', file])
  expect(stdout).toContain('server "two": "comand" is unknown')
})

test('in a folder of a repository, its .toolbridge/mcp.json is used and edited', async () => {
  const file = put(folder.path, '.toolbridge/mcp.json', { mcpServers: { ours: hello } })
  const cwd = join(folder.path, 'src')
  for (const path of ['src', '.git']) mkdirSync(join(folder.path, path))
  await run(['config', 'trust', '--yes'], { cwd })
  expect((await run(['call', 'ours.hello'], { cwd })).stdout).toBe('Hello, world!\n')
  expect((await run(['config', 'add', 'more', '--', 'node', 'more.js'], { cwd })).code).toBe(0)
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual(['ours', 'more'])
})

test('a named file is used alone, and must exist [S3-1] [S3-2]', async () => {
  put(folder.path, '.mcp.json', { mcpServers: { project: hello } })
  put(home.path, '.toolbridge/mcp.json', { mcpServers: { mine: hello } })
  const file = put(folder.path, 'named.json', { mcpServers: { named: hello } })
  const env = { TOOLBRIDGE_MCP_FILE: file }
  for (const finished of [await run(['tools', '--mcp', file]), await run(['tools'], { env })])
    expect(finished).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^named\n/) })
  for (const args of [
    ['tools', '--mcp', 'nope.json'],
    ['tools', '--discover', '--mcp', 'nope.json'],
  ])
    expect(await run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('configuration file not found: '),
    })
})

describe('the user’s own file', () => {
  test('that config add --user writes is used in every folder, without a question', async () => {
    const words = ['--env', 'KEY=x', '--', hello.command, ...hello.args]
    const added = await run(['config', 'add', '--user', 'mine', ...words])
    expect(added).toMatchObject({ code: 0, stderr: '' })
    for (const cwd of [folder.path, home.path])
      expect(await run(['call', 'mine__hello', 'name=Ada'], { cwd })).toMatchObject({
        code: 0,
        stdout: 'Hello, Ada!\n',
        stderr: '',
      })
  })

  test('is the one that config add edits in the home folder, where no trust is needed', async () => {
    const added = await run(['config', 'add', 'mine', '--', hello.command, ...hello.args], { cwd: home.path })
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(home.path, '.toolbridge/mcp.json'), 'utf8')).toContain('"mine"')
    expect((await run(['call', 'mine__hello'])).stdout).toBe('Hello, world!\n')
    expect((await run(['config', 'list'], { cwd: home.path })).stdout).toMatch(/^\* user {8}/m)
  })
})

describe('without any configuration', () => {
  test.each([
    ['tools'],
    ['call', 'a'],
    ['resources'],
    ['prompts'],
    ['complete', 'a', 'b=c'],
    ['generate'],
    ['doctor'],
    ['auth', 'status'],
    ['config', 'trust'],
  ])('%s says where it looked and what to do, and exits with 6 [S3-4]', async (...args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(stderr).toContain('no MCP configuration found')
    expect(stderr).toContain('TOOLBRIDGE_MCP_FILE in the environment and in .env')
    expect(stderr).toContain(`in ${folder.path}:\n    .toolbridge/mcp.json, `)
    expect(stderr).toMatch(
      /\.vscode\/mcp\.json[\s\S]*\.cursor\/mcp\.json|\.cursor\/mcp\.json[\s\S]*\.vscode\/mcp\.json/,
    )
    expect(stderr).toContain(`in ${home.path}:\n    .toolbridge/mcp.json\n`)
    expect(stderr).toContain('toolbridge add <name> -- <command>')
  })

  test('files of other hosts are named, with the ways to use them', async () => {
    const file = put(home.path, '.cursor/mcp.json', { mcpServers: { hello } })
    const { code, stderr } = await run(['tools'])
    expect(code).toBe(6)
    expect(stderr).toContain(`--discover, or copy them with toolbridge config import:\n  ${file}\n`)
  })

  test('a file in a folder above is named', async () => {
    const file = put(folder.path, '.vscode/mcp.json', { servers: { code: stdio } })
    const cwd = join(folder.path, 'src', 'deep')
    mkdirSync(cwd, { recursive: true })
    const { code, stderr } = await run(['tools'], { cwd })
    expect(code).toBe(6)
    expect(stderr).toContain(
      `A folder above has a configuration. Change to it, or name a file with --mcp:\n  ${file}\n`,
    )
  })

  test('--format json prints the same as JSON', async () => {
    const file = put(home.path, '.cursor/mcp.json', { mcpServers: { hello } })
    const { code, stdout } = await run(['tools', '--format', 'json'])
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'no_configuration',
        variables: ['TOOLBRIDGE_MCP_FILE'],
        searched: expect.arrayContaining([
          { folder: folder.path, path: '.mcp.json', scope: 'project' },
          { folder: home.path, path: join('.toolbridge', 'mcp.json'), scope: 'user' },
        ]),
        otherFiles: [file],
      },
    })
    const doctor = await run(['doctor', '--format', 'json'])
    expect(doctor.code).toBe(6)
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      mcp: { path: null, exists: false, servers: [], otherFiles: [file] },
    })
  })

  test('the built command does so too', async () => {
    const options = { cwd: folder.path, env: { HOME: home.path } }
    expect(await toolbridge(['tools'], options)).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringContaining('toolbridge add <name>'),
    })
  })
})

test('--dialect without a named file is refused: it is not clear which file it is about', async () => {
  put(folder.path, '.mcp.json', { mcpServers: { project: hello } })
  for (const args of [['tools'], ['tools', '--discover']])
    expect(await run([...args, '--dialect', 'yaaf'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dialect is about one file'),
    })
})
