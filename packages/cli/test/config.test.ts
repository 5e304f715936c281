import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, describe, expect, test } from 'vitest'
import { put, useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { linkHello } from './servers.ts'
import type { Finished } from './transcript.ts'

const folder = useFolder()
const home = useFolder()
let terminal: PseudoTerminal | undefined
afterEach(() => terminal?.end())

const config = (...args: readonly string[]): Promise<Finished> =>
  runInProcess(['config', ...args], { cwd: folder.path, env: { HOME: home.path } })

const hello = { command: process.execPath, args: [fixtureServers.hello] }
const secret = canary('value')

test('of very many issues, the first hundred are printed, and how many more there are', async () => {
  put(folder.path, '.mcp.json', `[${'{},'.repeat(499)}{}]`)
  const { stderr } = await config('list')
  expect(stderr.match(/it has no name/g)).toHaveLength(100)
  expect(stderr).toMatch(/^… and \d+ more$/m)
  const converted = await config('convert', '.mcp.json', '--to', 'cursor')
  expect(converted.stderr.match(/it has no name/g)).toHaveLength(100)
})

test('list shows the files of every host, which definition wins, and no value', async () => {
  const own = put(folder.path, '.toolbridge/mcp.json', { mcpServers: { hello } })
  const cursor = put(home.path, '.cursor/mcp.json', {
    mcpServers: {
      hello: { ...hello, disabled: true },
      web: { url: 'https://a.test', headers: { K: secret } },
    },
  })
  put(home.path, '.lmstudio/mcp.json', '{ "mcpServers": ')
  const result = await config('list', '--format', 'json')
  const { files, servers, issues } = JSON.parse(result.stdout)
  expect(files).toMatchObject([
    { file: own, scope: 'project', dialect: 'mcp-servers', isUsed: true, servers: ['hello'] },
    { file: cursor, scope: 'user', dialect: 'cursor', isUsed: false, servers: ['hello', 'web'] },
    { scope: 'user', dialect: '', servers: [] },
  ])
  expect(servers).toMatchObject([
    {
      name: 'hello',
      file: own,
      isUsed: true,
      isTrusted: false,
      shadowed: [{ file: cursor, line: 1, narrower: ['enabled'] }],
    },
    { name: 'web', file: cursor, isUsed: false, shadowed: [] },
  ])
  expect(issues.map(({ code }: { code: string }) => code)).toEqual(['syntax', 'server_widened'])
  const text = await config('list')
  expect(text).toMatchObject({ code: 0 })
  expect(text.stdout).toContain(`* hello (stdio) ${own}:1: not trusted\n    goes before ${cursor}:1 (user)`)
  expect(text.stderr).toContain('more restrictive here (enabled)')
  expect(result.stdout + text.stdout + text.stderr).not.toContain(secret)
  expect((await config('list', '--mcp', 'gone.json')).code).toBe(2)
})

test('explain says what becomes of each field, and fails where one is refused', async () => {
  const file = put(home.path, '.codex/config.toml', '[mcp_servers.a]\ncommand = "a"\ntool_timeout_sec = 5\n')
  const good = await config('explain', file)
  expect(good).toMatchObject({ code: 0, stderr: '' })
  expect(good.stdout).toMatch(/translated 3:20 \/mcp_servers\/a\/tool_timeout_sec: timeouts\.callMs/)
  expect(await config('explain')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('no MCP configuration found'),
  })
  put(folder.path, '.mcp.json', { mcpServers: { a: { command: 'a', toolFilter: [secret] } } })
  const bad = await config('explain', '--discover', '--format', 'json')
  expect(bad.code).toBe(2)
  expect(JSON.parse(bad.stdout).issues.map(({ code }: { code: string }) => code)).toEqual([
    'field_restricts',
    'server_refused_above',
  ])
  expect(bad.stdout).not.toContain(secret)
})

test('convert writes nothing when a filter would be lost, and with --force leaves that server out', async () => {
  const narrow = { command: 'db', tools: { deny: ['drop'] } }
  const file = put(folder.path, 'mcp.json', { mcpServers: { narrow, hello } })
  const refused = await config('convert', file, '--to', 'cursor', '--output', 'out.json')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('refused: server "narrow": tools.deny')
  expect(() => statSync(join(folder.path, 'out.json'))).toThrow()
  const forced = await config('convert', file, '--to', 'cursor', '--output', 'out.json', '--force')
  expect(forced).toMatchObject({ code: 0, stdout: '' })
  const written = readFileSync(join(folder.path, 'out.json'), 'utf8')
  expect(Object.keys(JSON.parse(written).mcpServers)).toEqual(['hello'])
  const again = await config('convert', file, '--to', 'cursor', '--output', 'out.json', '--force')
  expect(again).toMatchObject({ code: 2 })
  expect(again.stderr).toContain('already exists')
  const codex = await config('convert', file, '--to', 'codex')
  expect(codex).toMatchObject({ code: 0 })
  expect(codex.stdout).toContain('disabled_tools = ["drop"]')
  expect((await config('convert', file, '--to', 'cline')).stderr).toContain('invalid --to: expected one of')
})

test('convert prints nothing that a terminal could obey, and the same values', async () => {
  const args = ['a\u009B31m\u202E\u2066\u061C\u200B\u2028\u{E0041}b\u001B[2J']
  const file = put(folder.path, 'mcp.json', { mcpServers: { hello: { command: 'a', args } } })
  for (const format of [[], ['--format', 'json']]) {
    const { code, stdout } = await config('convert', file, '--to', 'cursor', ...format)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^[ -~\n]*$/) })
    const { text = stdout }: { text?: string } = JSON.parse(stdout)
    expect(JSON.parse(text).mcpServers.hello.args).toEqual(args)
  }
})

test('convert makes the folder of a file that it is to write', async () => {
  const file = put(folder.path, 'mcp.json', { mcpServers: { hello } })
  const output = '.toolbridge/mcp.json'
  expect(await config('convert', file, '--to', 'mcp-servers', '--output', output)).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(join(folder.path, output), 'utf8'))).toMatchObject({ mcpServers: { hello } })
})

test('import brings servers of other hosts in, with their filters, and leaves the file’s own alone', async () => {
  const own = put(
    folder.path,
    '.toolbridge/mcp.json',
    '{\n  // mine\n  "mcpServers": { "hello": { "command": "mine" } }\n}\n',
  )
  put(home.path, '.cursor/mcp.json', {
    mcpServers: { hello, web: { url: 'https://a.test', disabled: true } },
  })
  put(
    home.path,
    '.codex/config.toml',
    '[mcp_servers.db]\ncommand = "db"\ndisabled_tools = ["drop"]\n[mcp_servers.db.env]\nK = "v"\n',
  )
  const before = readFileSync(own, 'utf8')
  expect((await config('import', '--dry-run')).stdout).toMatch(/would add "web".*\nwould add "db"/)
  expect(readFileSync(own, 'utf8')).toBe(before)
  const result = await config('import')
  expect(result).toMatchObject({ code: 0 })
  expect(result.stderr).toContain('"db" contain literal values, possibly secrets')
  const text = readFileSync(own, 'utf8')
  expect(text).toContain('// mine\n')
  const { mcpServers } = JSON.parse(text.replace('// mine', ''))
  expect(mcpServers).toMatchObject({
    hello: { command: 'mine' },
    web: { enabled: false },
    db: { tools: { deny: ['drop'] } },
  })
  expect((await config('import')).stdout).toBe(`nothing to add to ${own}\n`)
})

test('import brings no server of a project into a file of the user unless it is trusted', async () => {
  const evil = put(folder.path, '.mcp.json', { mcpServers: { evil: { command: 'evil' }, hello } })
  put(home.path, '.cursor/mcp.json', { mcpServers: { hello } })
  const own = join(home.path, '.toolbridge/mcp.json')
  for (const target of [['--user'], ['--mcp', own]]) {
    const { code, stderr } = await config('import', ...target)
    expect(code).toBe(0)
    expect(stderr).toContain(
      `"evil" of ${evil} is defined by the project and not trusted, so it is not imported`,
    )
    expect(Object.keys(JSON.parse(readFileSync(own, 'utf8')).mcpServers)).toEqual(['hello'])
  }
  const env = { HOME: home.path, TOOLBRIDGE_DATA: join(home.path, '.toolbridge') }
  const run = (...args: readonly string[]): Promise<Finished> =>
    runInProcess(['config', ...args], { cwd: folder.path, env })
  expect(await run('trust', 'evil', '--yes')).toMatchObject({ code: 0 })
  expect(await run('import', '--user')).toMatchObject({ code: 0 })
  expect(Object.keys(JSON.parse(readFileSync(own, 'utf8')).mcpServers)).toEqual(['hello', 'evil'])
})

test('import says which host or server is not there to be imported', async () => {
  put(home.path, '.cursor/mcp.json', { mcpServers: { hello } })
  expect(await config('import', '--from', 'cursr')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('no file of host "cursr" found. Found files of: cursor'),
  })
  expect(await config('import', '--server', 'hello', '--server', 'helo')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('unknown server "helo". Did you mean "hello"? Servers to import: hello'),
  })
})

test('import says what the file has no words for', async () => {
  put(home.path, '.cursor/mcp.json', { mcpServers: { hello: { ...hello, env: { A: '${env:B}' } } } })
  const result = await config('import', '--mcp', 'x.toml')
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('added "hello"') })
  expect(result.stderr).toContain(
    'dropped: server "hello": env: A: the dialect cannot express the variable B',
  )
})

describe('add and remove', () => {
  test('add writes nothing where the file cannot say all of it', async () => {
    const refused = await config('add', 'a', '--mcp', 'x.toml', '--env', 'A=${env:B}', '--', 'run')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(
      'cannot express every field: env: A: the dialect cannot express the variable B there',
    )
    expect(() => statSync(join(folder.path, 'x.toml'))).toThrow()
    const added = await config('add', 'a', '--mcp', 'x.toml', '--env', 'A=${env:A}', '--', 'run')
    expect(added).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['nonsense', 'mcp.example.com/mcp', 'ftp://a.test', 'https://'])(
    'add refuses an address that is none: %s',
    async (url) => {
      const result = await config('add', 'far', '--url', url)
      expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('invalid --url') })
      expect(() => statSync(join(folder.path, '.toolbridge'))).toThrow()
    },
  )

  test('edit the project’s file, or the one that is named, and keep what is around', async () => {
    const added = await config('add', 'hello', '--env', 'A=${env:B}', '--', 'npx', '-y', 'server', '--flag')
    const own = join(folder.path, '.toolbridge/mcp.json')
    expect(added).toMatchObject({ code: 0, stdout: `added "hello" in ${own}\n` })
    expect(added.stderr).toContain('toolbridge config trust')
    expect(JSON.parse(readFileSync(own, 'utf8')).mcpServers.hello).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'server', '--flag'],
      env: { A: '${env:B}' },
    })
    expect(await config('add', 'hello', '--', 'other')).toMatchObject({ code: 2, stdout: '' })
    expect((await config('add', 'hello', '--replace', '--url', 'https://a.test/mcp')).code).toBe(0)
    expect(readFileSync(own, 'utf8')).toContain('https://a.test/mcp')
    expect(await config('remove', 'hello')).toMatchObject({ code: 0 })
    expect(await config('remove', 'hello')).toMatchObject({ code: 2 })

    const toml = put(
      folder.path,
      'codex.toml',
      '# mine\nmodel = "m" # beside\n\n[mcp_servers.a]\ncommand = "a"\n',
    )
    const before = readFileSync(toml, 'utf8')
    expect((await config('add', 'b', '--mcp', toml, '--', 'b')).code).toBe(0)
    expect(readFileSync(toml, 'utf8')).toBe(`${before}\n[mcp_servers.b]\ncommand = "b"\n`)
    expect((await config('remove', 'b', '--mcp', toml)).code).toBe(0)
    expect(readFileSync(toml, 'utf8')).toBe(before)
  })

  test('refuse what is wrong without a word of it, and leave the file alone', async () => {
    const broken = put(folder.path, '.toolbridge/mcp.json', `{ "mcpServers": { "a": "${secret}" `)
    const failed = await config('add', 'b', '--', 'b')
    expect(failed).toMatchObject({ code: 2, stdout: '' })
    expect(failed.stderr).toMatch(/mcp\.json:1:\d+: error: not valid JSON/)
    expect(readFileSync(broken, 'utf8')).toContain(secret)
    const pair = await config('add', 'b', '--env', secret, '--', 'b')
    expect(pair).toMatchObject({ code: 2 })
    const both = await config('add', 'b', '--url', `https://a.test/?k=${secret}`, '--', 'b')
    expect(both).toMatchObject({ code: 2 })
    expect(failed.stderr + pair.stderr + both.stderr).not.toContain(secret)
    expect((await config('add', 'b')).stderr).toContain('missing command or URL')
  })
})

describe('trust', () => {
  test('without a terminal it is stored only with --yes, and taken back with --forget', async () => {
    put(folder.path, '.toolbridge/mcp.json', { mcpServers: { hello } })
    const call = (): Promise<Finished> =>
      runInProcess(['call', 'hello__hello'], {
        cwd: folder.path,
        env: { HOME: home.path },
        transportOf: linkHello,
      })
    const asked = await config('trust', 'hello')
    expect(asked).toMatchObject({ code: 4 })
    expect(asked.stderr).toContain(JSON.stringify(process.execPath))
    expect((await call()).code).toBe(4)
    expect((await config('trust', '--yes', '--format', 'json')).stdout).toContain('"isTrusted":true')
    expect(await call()).toMatchObject({ code: 0, stdout: 'Hello, world!\n' })
    expect((await config('trust', 'hello', '--forget')).code).toBe(0)
    expect((await call()).code).toBe(4)
    expect((await config('trust', 'other')).stderr).toContain('Servers of the project: hello')
  })

  test('at a terminal the entry is shown and asked for', async () => {
    put(folder.path, '.toolbridge/mcp.json', { mcpServers: { hello } })
    terminal = new PseudoTerminal(['config', 'trust'], folder.path, { HOME: home.path, NO_COLOR: '1' })
    await terminal.shows(/Do you trust this server\?/)
    expect(terminal.text.replaceAll(/\s/g, '')).toContain(JSON.stringify([fixtureServers.hello]))
    terminal.type('y')
    expect(await terminal.exit).toBe(0)
  })
})

test('the user’s servers of other hosts start only with --discover, and those of the project only when trusted', async () => {
  put(home.path, '.cursor/mcp.json', { mcpServers: { hello } })
  put(folder.path, '.mcp.json', { mcpServers: { mine: hello } })
  const run = (...args: readonly string[]): Promise<Finished> =>
    runInProcess(args, { cwd: folder.path, env: { HOME: home.path }, transportOf: linkHello })
  const without = await run('tools')
  expect(without).toMatchObject({ code: 4, stdout: '' })
  expect(without.stderr).toContain('server "mine" is defined by the project')
  const found = await run('tools', '--discover')
  expect(found.code).toBe(0)
  expect(found.stdout).toContain('hello__hello')
  expect(found.stdout).not.toContain('mine__hello')
  expect(found.stderr).toContain('server "mine" is defined by the project')
  expect((await run('--discover', 'call', 'hello__hello')).stdout).toBe('Hello, world!\n')
})

test('help teaches, and what is unknown is named', async () => {
  expect((await runInProcess(['help', 'config', 'add'])).stdout).toContain('Usage: toolbridge config add')
  expect((await runInProcess(['help'])).stdout).toContain('Usage: toolbridge [--mcp <file>] <command>')
  expect((await config('--help')).stdout).toContain('config convert')
  expect((await config('add', '--help')).stdout).toContain('Write secrets as ${env:NAME}')
  expect(await config()).toMatchObject({ code: 2 })
  expect((await config('lsit')).stderr).toContain('unknown command "config lsit"')
  expect(await config('explain', 'a.json', 'b.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unexpected argument "b.json". See: toolbridge config explain --help'),
  })
})
