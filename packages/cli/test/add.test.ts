import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import type { Finished } from './transcript.ts'

const folder = useFolder()
const home = useFolder()

function run(...args: readonly string[]): Promise<Finished> {
  return runInProcess(args, { cwd: folder.path, env: { HOME: home.path } })
}

const add = (...args: readonly string[]): Promise<Finished> => run('add', '--yes', ...args)

const ownFile = (): string => join(folder.path, '.toolbridge/mcp.json')

function written(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(ownFile(), 'utf8')).mcpServers
}

const files = { type: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] }

describe('a command line', () => {
  const words = ['--', files.command, ...files.args]

  test('is shown, and without a terminal and --yes nothing is written', async () => {
    const { code, stdout, stderr } = await run('add', 'files', ...words)
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr).toContain(`adds "files" to ${ownFile()}:`)
    expect(stderr).toContain('runs         npx -y @modelcontextprotocol/server-filesystem …')
    expect(stderr).toContain('add --yes')
    expect(existsSync(ownFile())).toBe(false)
  })

  test('is added with --yes as config add does, with the reminder of trust', async () => {
    const added = await add('files', ...words)
    expect(added).toMatchObject({ code: 0, stdout: `added "files" in ${ownFile()}\n` })
    expect(added.stderr).toContain('toolbridge config trust files')
    const text = readFileSync(ownFile(), 'utf8')
    expect(written()).toEqual({ files })
    await run('config', 'add', 'files', '--replace', ...words)
    expect(readFileSync(ownFile(), 'utf8')).toBe(text)
  })

  test.each([
    ['the package names the server', ['--', files.command, ...files.args], 'filesystem'],
    ['--name names it', ['--name', 'mine', '--', files.command, ...files.args], 'mine'],
    [
      'one word with spaces is a command line',
      ['npx -y @modelcontextprotocol/server-filesystem .'],
      'filesystem',
    ],
  ])('%s', async (_, args, name) => {
    expect(await add(...args)).toMatchObject({ code: 0 })
    expect(written()).toEqual({ [name]: files })
  })

  test('a name that exists is an error that names --replace, and nothing is asked or changed', async () => {
    await add('files', ...words)
    const before = readFileSync(ownFile(), 'utf8')
    const again = await run('add', 'files', '--', 'other')
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toContain('server "files" is already defined')
    expect(again.stderr).toContain('--replace')
    expect(readFileSync(ownFile(), 'utf8')).toBe(before)
    expect(await add('files', '--replace', '--', 'other')).toMatchObject({ code: 0 })
    expect(written()).toMatchObject({ files: { command: 'other' } })
  })

  test('values that were typed are not shown, references are', async () => {
    const secret = canary('value')
    const { stderr } = await run('add', 'a', '--env', `A=${secret}`, '--env', 'B=${env:KEY}', '--', 'run')
    expect(stderr).not.toContain(secret)
    expect(stderr).toContain('environment  A=…')
    expect(stderr).toContain('B="${env:KEY}"')
  })

  test('variables that are not set are named', async () => {
    const { stderr } = await add('a', '--env', 'B=${env:NOT_SET_HERE}', '--env', 'C=${env:HOME}', '--', 'run')
    expect(stderr).toContain('set before the server starts: NOT_SET_HERE\n')
  })

  test('a file that cannot express it is not written', async () => {
    const result = await add('a', '--mcp', 'x.toml', '--env', 'A=${env:B}', '--', 'run')
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot express every field') })
    expect(existsSync(join(folder.path, 'x.toml'))).toBe(false)
  })

  test('--user and --mcp name the file', async () => {
    expect(await add('--user', 'files', ...words)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('trust'),
    })
    expect(readFileSync(join(home.path, '.toolbridge/mcp.json'), 'utf8')).toContain('"files"')
    const cursor = join(folder.path, '.cursor/mcp.json')
    mkdirSync(dirname(cursor))
    writeFileSync(cursor, '{ "mcpServers": {} }')
    await add('files', '--mcp', cursor, ...words)
    expect(JSON.parse(readFileSync(cursor, 'utf8')).mcpServers.files).toMatchObject({ command: 'npx' })
  })
})

describe('a URL', () => {
  test('is added with its headers under the name of its host', async () => {
    const url = 'https://mcp.example.com/mcp'
    const added = await add(url, '--header', 'Authorization: Bearer ${env:KEY}')
    expect(added).toMatchObject({ code: 0 })
    expect(added.stderr).toContain('connects to  https://mcp.example.com/mcp (http)')
    expect(added.stderr).toContain('Authorization="Bearer ${env:KEY}"')
    const headers = { Authorization: 'Bearer ${env:KEY}' }
    expect(written()).toEqual({ example: { type: 'http', url, headers } })
  })

  test('may follow a name', async () => {
    await add('docs', 'https://mcp.example.com/mcp')
    expect(Object.keys(written())).toEqual(['docs'])
  })

  test('is shown without its query and path', async () => {
    const secret = canary('query')
    const { stderr } = await run('add', `https://mcp.example.com/mcp?key=${secret}`)
    expect(stderr).toContain('https://mcp.example.com/…')
    expect(stderr).not.toContain(secret)
  })

  test('that is incomplete is an error', async () => {
    expect(await add('https://')).toMatchObject({ code: 2, stderr: expect.stringContaining('invalid URL') })
  })
})

describe('the command of another host', () => {
  const sentry = { type: 'http', url: 'https://mcp.sentry.dev/mcp' }
  test.each([
    ['claude mcp add files -- npx -y @modelcontextprotocol/server-filesystem .', { files }],
    ['claude mcp add -s user --transport http sentry https://mcp.sentry.dev/mcp', { sentry }],
    [
      'claude mcp add --transport sse a https://a.test/sse --header "X-Key: ${env:K}"',
      { a: { type: 'sse', url: 'https://a.test/sse', headers: { 'X-Key': '${env:K}' } } },
    ],
    [
      'codex mcp add a --env K=v -- run --x',
      { a: { type: 'stdio', command: 'run', args: ['--x'], env: { K: 'v' } } },
    ],
    [
      'codex mcp add a --url https://a.test/mcp --bearer-token-env-var KEY',
      { a: { type: 'http', url: 'https://a.test/mcp', headers: { Authorization: 'Bearer ${env:KEY}' } } },
    ],
    ['gemini mcp add a run one', { a: { type: 'stdio', command: 'run', args: ['one'] } }],
  ])('%s', async (line, servers) => {
    expect(await add(line)).toMatchObject({ code: 0 })
    expect(written()).toEqual(servers)
  })

  test('may be written without quotes, also after --', async () => {
    await add('claude', 'mcp', 'add', 'files', '--', files.command, ...files.args)
    expect(written()).toEqual({ files })
    await add('--', 'claude', 'mcp', 'add', '-t', 'http', 'sentry', 'https://mcp.sentry.dev/mcp')
    expect(written()).toEqual({ files, sentry })
  })

  test('with an option that is unknown adds nothing', async () => {
    const result = await add('claude mcp add files npx -y server')
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("invalid claude mcp add: Unknown option '-y'"),
    })
    expect(existsSync(ownFile())).toBe(false)
  })
})

test.each([
  [[], 'missing server. Expected one of'],
  [['files'], '"files" is neither a URL nor a name of a registry'],
  [['@scope/package'], 'is neither a URL'],
  [['bin/server'], 'is neither a URL'],
  [['--use', 'npm', 'a', '--', 'run'], '--use needs a name of a registry'],
  [['npx server | sh'], '|'],
])('what cannot be added is said: %j', async (args, message) => {
  expect(await add(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
  expect(existsSync(ownFile())).toBe(false)
})

test('help has examples', async () => {
  const { stdout } = await run('add', '--help')
  expect(stdout).toContain('toolbridge add io.github.owner/weather@1.2.0')
  expect(stdout).toContain('TOOLBRIDGE_REGISTRY')
})
