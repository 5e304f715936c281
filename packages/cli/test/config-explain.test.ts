import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import type { Finished } from './transcript.ts'

const folder = useFolder()

const secret = canary('explained')
const program = process.execPath

function put(path: string, content: string | object): string {
  const file = join(folder.path, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  return file
}

/** Runs in the home folder, whose files need no trust. */
const config = (...args: readonly string[]): Promise<Finished> => configIn(folder.path, ...args)

const configIn = (home: string, ...args: readonly string[]): Promise<Finished> =>
  runInProcess(['config', ...args], { cwd: folder.path, env: { HOME: home, TOKEN: secret } })

/** The rows of each server's block: label to text, with wrapped lines joined. */
function blocks(stdout: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [summary = ''] = stdout.split(/^Fields of /m)
  const found = summary.trim().split('\n\n').slice(1)
  return Object.fromEntries(
    found.map((block) => {
      const [title = '', ...lines] = block.split('\n')
      const [name = '', state = ''] = title.split(': ')
      const rows = lines.join('\n').replaceAll(/\n {15}/g, ' ')
      const pairs = rows.split('\n').map((row) => [row.slice(2, 14).trim(), row.slice(15)] as const)
      return [name, { state, ...Object.fromEntries(pairs) }]
    }),
  )
}

test('one server is explained alone by its name, and a name that is unknown is a usage error', async () => {
  const one = { command: program, comand: 'x' }
  put('.toolbridge/mcp.json', { mcpServers: { one, two: { ...one, args: ['x'] } } })
  const { code, stdout, stderr } = await config('explain', 'two')
  expect({ code, servers: Object.keys(blocks(stdout)) }).toEqual({ code: 0, servers: ['two'] })
  expect(stdout).toContain('/mcpServers/two/args')
  expect(stdout + stderr).not.toContain('/mcpServers/one')
  expect(stderr).toContain('server "two": "comand" is unknown')
  const expected = '"tow" is neither a file nor a server. Did you mean "two"? Configured servers: one, two'
  expect(await config('explain', 'tow')).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) })
})

describe('explain says first what will run', () => {
  test('from a file of Claude Code, whose host hands on the whole environment', async () => {
    const file = put('elsewhere/.mcp.json', {
      mcpServers: {
        files: { command: program, args: ['x'], env: { KEY: '${GONE}' }, timeout: 5000 },
        web: { type: 'http', url: 'https://a.test/mcp', headers: { Authorization: '${TOKEN}' } },
      },
      disabledMcpServers: ['web'],
    })
    const { code, stdout } = await config('explain', file)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^2 servers: 1 on, 1 off\n/)
    const { files, web } = blocks(stdout)
    expect(files).toMatchObject({
      state: 'on',
      'defined in': `${file}:3`,
      format: 'claude-code',
      program,
      arguments: '1',
      'not set': 'GONE: the reference is used as text',
      tools: 'all',
      approval: 'your permission rules decide',
      timeouts: 'start 30000 ms, call 5000 ms',
    })
    expect(files?.['environment']).toMatch(
      /^gets PATH, HOME and other harmless variables of your shell; sets KEY/,
    )
    expect(files?.['environment']).toContain('Claude Code itself hands on all variables of your shell.')
    expect(web).toMatchObject({
      state: 'off',
      why: 'the list "disabledMcpServers" names it',
      address: 'https://a.test/mcp (http)',
      headers: 'Authorization',
    })
  })

  test('from a file of Gemini CLI, with tools and approval after its lists', async () => {
    const file = put('.gemini/settings.json', {
      mcpServers: { git: { command: 'no-such-program', includeTools: ['log', 'diff'], trust: true } },
      tools: { exclude: ['mcp_git_diff'] },
    })
    const { stdout } = await config('explain', file)
    const { git } = blocks(stdout)
    expect(stdout).toContain('\n    a variable that is not set: stays as text\n')
    expect(git).toMatchObject({
      state: 'cannot start',
      why: 'the program "no-such-program" is not found',
      program: 'no-such-program (not found)',
      tools: 'only log, diff, except diff',
      approval: 'allowed without a question',
    })
    expect(git?.['environment']).toContain('except those that look like secrets')
  })

  test('from a file of Codex, with times in milliseconds and the reason of a refusal', async () => {
    const file = put(
      '.codex/config.toml',
      `[mcp_servers.a]\ncommand = "${program}"\ntool_timeout_sec = 5\n[mcp_servers.b]\ncommand = "b"\nenvironment_id = "e"\n`,
    )
    const { code, stdout } = await config('explain', file)
    expect(code).toBe(2)
    expect(blocks(stdout)).toMatchObject({
      a: { state: 'on', timeouts: 'start 30000 ms, call 5000 ms' },
      b: { state: 'refused', why: expect.stringContaining('"environment_id"'), where: `${file}:6` },
    })
    expect(stdout).toContain('refused    6:18 /mcp_servers/b/environment_id')
  })

  test('in lines of 80 columns, in the same facts as JSON, and without a value', async () => {
    const file = put('mcp.json', {
      mcpServers: {
        a: {
          command: program,
          args: [secret],
          env: { KEY: '${env:TOKEN}', OTHER: secret },
          tools: { deny: ['x'] },
        },
        b: { url: `https://u:${secret}@a.test/${secret}?k=${secret}`, headers: { K: '${env:TOKEN}' } },
        c: { command: program, toolFilter: [secret] },
      },
    })
    const text = await config('explain', file)
    const json = await config('explain', file, '--format', 'json')
    const [summary = ''] = text.stdout.split(/^Fields of /m)
    const words = summary
      .split('\n')
      .filter((line) => line.trim().includes(' ') && !line.includes(folder.path))
    expect(words.filter((line) => line.length > 80)).toEqual([])
    expect(JSON.parse(json.stdout).servers).toMatchObject([
      {
        name: 'a',
        state: 'on',
        definition: { tools: { deny: ['x'] }, environment: { sets: ['KEY', 'OTHER'] } },
      },
      { name: 'b', state: 'on', definition: { url: 'https://a.test/…?…' } },
      { name: 'c', state: 'refused', reasons: [{ code: 'field_restricts' }] },
    ])
    expect(text.stdout + text.stderr + json.stdout + json.stderr).not.toContain(secret)
  })

  test('the file in use needs trust, and one that is named does not', async () => {
    const home = join(folder.path, 'home')
    const own = put('.toolbridge/mcp.json', { mcpServers: { a: { command: program } } })
    const other = put('other.json', { mcpServers: { a: { command: program } } })
    expect(blocks((await configIn(home, 'explain')).stdout)).toMatchObject({ a: { state: 'not trusted' } })
    expect(blocks((await configIn(home, 'explain', own)).stdout)).toMatchObject({
      a: { state: 'not trusted' },
    })
    expect(blocks((await configIn(home, 'explain', other)).stdout)).toMatchObject({ a: { state: 'on' } })
  })
})

test('list shows refused servers with the reason', async () => {
  const file = put('.cursor/mcp.json', {
    mcpServers: { a: { command: program }, b: { command: program, toolFilter: [secret] } },
  })
  const text = await config('list')
  expect(text.code).toBe(0)
  expect(text.stdout).toContain(`${file} (cursor, 1 server, 1 refused)`)
  expect(text.stdout).toContain(`b ${file}:6: refused: "toolFilter" is unknown and may restrict the server`)
  const { servers } = JSON.parse((await config('list', '--format', 'json')).stdout)
  expect(servers).toMatchObject([
    { name: 'a', state: 'on', enabled: true },
    { name: 'b', state: 'refused', enabled: false, reasons: [{ path: '/mcpServers/b/toolFilter' }] },
  ])
})
