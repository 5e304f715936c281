import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { connectableHosts, hostConfigFile, readConfig } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import type { Finished } from './transcript.ts'

const home = useFolder()

function run(...args: readonly string[]): Promise<Finished> {
  const env = { HOME: home.path, TOOLBRIDGE_DATA: join(home.path, '.toolbridge') }
  return runInProcess(args, { env, cwd: home.path })
}

async function fileOf(host: string): Promise<{ readonly file: string; readonly flags: readonly string[] }> {
  const options = { env: { HOME: home.path }, cwd: home.path }
  const ofUser = await hostConfigFile(host, 'user', options)
  if (ofUser !== undefined) return { file: ofUser, flags: [] }
  return { file: (await hostConfigFile(host, 'project', options)) ?? '', flags: ['--project'] }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function entryIn(file: string, host: string): unknown {
  const { servers } = readConfig(readFileSync(file, 'utf8'), { file, dialect: host })
  return servers.find(({ name }) => name === 'toolbridge')
}

/** Files as people have them: settings beside the servers, comments where the format has them, odd spacing. */
const filled: Readonly<Record<string, string>> = {
  '.json': '{\n    "theme" : "dark",\n\n  "other": [1,2 ,3]\n}\n',
  '.toml': 'model = "o3"   # the large one\n\n[tools]\nweb_search = true\n',
  '.yaml': 'name: mine # a comment\nversion: 1.0.0\n\nmodels:\n  -   name: a\n',
}

describe.each(connectableHosts())('%s', (host) => {
  test('starts Toolbridge after connect, and its file is byte-identical after disconnect', async () => {
    const { file, flags } = await fileOf(host)
    const before = filled[extname(file)] ?? filled['.json'] ?? ''
    write(file, before)
    const connected = await run('connect', host, ...flags, '--yes')
    expect(connected).toMatchObject({ code: 0, stdout: expect.stringContaining(file) })
    expect(entryIn(file, host)).toMatchObject({
      command: process.execPath,
      args: [expect.any(String), 'serve', '--stdio'],
    })
    expect(await run('disconnect', host, ...flags, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('has no file again if there was none', async () => {
    const { file, flags } = await fileOf(host)
    await run('connect', host, ...flags, '--yes')
    expect(entryIn(file, host)).toBeDefined()
    await run('disconnect', host, ...flags, '--yes')
    expect(existsSync(file)).toBe(false)
  })
})

const servers = '{ "mcpServers": { "mine": { "command": "x" } } }\n'

test('what was changed after connect stays', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  write(file, servers)
  await run('connect', 'cursor', '--yes')
  write(file, readFileSync(file, 'utf8').replace('"mine"', '"renamed"'))
  await run('disconnect', 'cursor', '--yes')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { renamed: { command: 'x' } } })
})

test('the record of a connection has nothing of the rest of the file', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  write(file, servers)
  await run('connect', 'cursor', '--yes')
  const folder = join(home.path, '.toolbridge', 'connections')
  const records = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(records).toHaveLength(1)
  expect(records.join('')).not.toContain('mine')
})

test('nor of a comment that the edit leaves where it is, which comes back too', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  const secret = canary('comment')
  const text = `{\n  "mcpServers": {\n    "mine": { "command": "x" } // ${secret}\n  }\n}\n`
  write(file, text)
  await run('connect', 'cursor', '--yes')
  const folder = join(home.path, '.toolbridge', 'connections')
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secret)
  await run('disconnect', 'cursor', '--yes')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('without a terminal and --yes the change is only shown', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  write(file, servers)
  const { code, stderr } = await run('connect', 'cursor')
  expect(code).toBe(4)
  expect(stderr).toContain(`adds "toolbridge" to ${file}:`)
  expect(stderr).toMatch(/^\+ args .*"serve","--stdio"/m)
  expect(stderr).toContain('add --yes')
  expect(readFileSync(file, 'utf8')).toBe(servers)
})

test('a second connect changes nothing, one with another configuration replaces the entry', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  write(file, servers)
  await run('connect', 'cursor', '--yes')
  const once = readFileSync(file, 'utf8')
  expect(await run('connect', 'cursor', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('already'),
  })
  expect(readFileSync(file, 'utf8')).toBe(once)
  await run('connect', 'cursor', '--yes', '--mcp', 'mine.json')
  expect(entryIn(file, 'cursor')).toMatchObject({
    args: [expect.any(String), 'serve', '--stdio', '--mcp', join(home.path, 'mine.json')],
  })
})

test('nothing to disconnect is said, and is fine', async () => {
  expect(await run('disconnect', 'cursor', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('has no entry "toolbridge"'),
  })
})

test('an unknown host is a usage error with a suggestion', async () => {
  expect(await run('connect', 'curser')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown host "curser". Did you mean "cursor"?'),
  })
})

test('a damaged file is named and not touched', async () => {
  const file = join(home.path, '.cursor', 'mcp.json')
  write(file, '{ "mcpServers": ')
  expect(await run('connect', 'cursor', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(file),
  })
  expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": ')
})
