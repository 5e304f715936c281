import { execFile } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '@toolbridge/bridge'
import { editConfigFile, readConfig, type ServerSpec } from '@toolbridge/bridge/config'
import { afterEach, beforeEach, expect, test } from 'vitest'

const runFile = promisify(execFile)
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-edit-'))
})
afterEach(() => rm(folder, { recursive: true }))

function server(name: string): ServerSpec {
  const source = { file: 'code', pointer: '' }
  return {
    name,
    enabled: true,
    required: false,
    source,
    transport: 'stdio',
    command: 'run',
    args: [],
    env: {},
  }
}

const add = (name: string): { readonly kind: 'add'; readonly server: ServerSpec } => ({
  kind: 'add',
  server: server(name),
})

async function namesIn(file: string): Promise<readonly string[]> {
  return readConfig(await readFile(file, 'utf8'), { file }).servers.map(({ name }) => name)
}

test('a file is replaced with its mode, through a link, and nothing else is left in its folder', async () => {
  await mkdir(join(folder, 'real'))
  const real = join(folder, 'real', 'mcp.json')
  await writeFile(real, '{ "mcpServers": {} } // mine\n')
  await chmod(real, 0o640)
  const file = join(folder, 'mcp.json')
  await symlink(real, file)
  expect(await editConfigFile(file, [add('a')])).toMatchObject({
    file: real,
    isChanged: true,
    unwritableFields: [],
  })
  expect((await lstat(file)).isSymbolicLink()).toBe(true)
  expect((await stat(real)).mode & 0o777).toBe(0o640)
  expect(await readFile(real, 'utf8')).toContain('// mine\n')
  expect(await namesIn(file)).toEqual(['a'])
  expect(await readdir(join(folder, 'real'))).toEqual(['mcp.json'])
})

test('a file that is not there is made with its folders, for its owner alone', async () => {
  const file = join(folder, '.toolbridge', 'mcp.json')
  await editConfigFile(file, [add('a'), add('b')])
  expect(await namesIn(file)).toEqual(['a', 'b'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a link that leads to nothing yet goes on leading there', async () => {
  const file = join(folder, 'mcp.json')
  await symlink('real.json', file)
  await editConfigFile(file, [add('a')])
  expect((await lstat(file)).isSymbolicLink()).toBe(true)
  expect(await namesIn(join(folder, 'real.json'))).toEqual(['a'])
})

test('a location that cannot be written is named', async () => {
  await writeFile(join(folder, 'file'), '')
  const failure = await editConfigFile(join(folder, 'file', 'mcp.json'), [add('a')]).catch(
    (error: unknown) => error,
  )
  expect(failure instanceof ConfigError && failure.issues[0]?.code).toBe('file_unwritable')
})

test('of several changes all are made, or none', async () => {
  const file = join(folder, 'mcp.json')
  await writeFile(file, '{ "mcpServers": {} }')
  await expect(editConfigFile(file, [add('a'), { kind: 'remove', name: 'gone' }])).rejects.toThrow(
    ConfigError,
  )
  expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": {} }')
  expect(await editConfigFile(file, [])).toMatchObject({ isChanged: false })
})

test.each([
  ['syntax', Buffer.from('{ "mcpServers": ')],
  ['file_binary', Buffer.from([0x7b, 0, 0x7d])],
  ['file_binary', Buffer.from('ÿþ{}', 'latin1')],
])('a file that cannot be read (%s) is left alone', async (code, bytes) => {
  const file = join(folder, 'mcp.json')
  await writeFile(file, bytes)
  const failure = await editConfigFile(file, [add('a')]).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConfigError)
  expect(failure instanceof ConfigError && failure.issues[0]?.code).toBe(code)
  expect(await readFile(file)).toEqual(bytes)
})

test('edits at once, in this process and in others, lose nothing', async () => {
  const file = join(folder, 'mcp.json')
  await writeFile(file, '{\n  // kept\n  "mcpServers": {}\n}\n')
  const here = ['a', 'b', 'c', 'd', 'e'].map((name) => editConfigFile(file, [add(name)]))
  const entry = JSON.stringify(new URL('../../dist/config/index.js', import.meta.url).href)
  const program = (name: string): string => `
    const { editConfigFile } = await import(${entry})
    for (let index = 0; index < 4; index += 1) {
      const server = { ...${JSON.stringify(server('x'))}, name: ${JSON.stringify(name)} + index }
      await editConfigFile(${JSON.stringify(file)}, [{ kind: 'add', server }])
    }`
  const elsewhere = ['x', 'y', 'z'].map((name) =>
    runFile(process.execPath, ['--input-type=module', '--eval', program(name)]),
  )
  await Promise.all([...here, ...elsewhere])
  const expected = ['x', 'y', 'z'].flatMap((name) => [0, 1, 2, 3].map((index) => `${name}${index}`))
  expect((await namesIn(file)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', ...expected].toSorted())
  expect(await readFile(file, 'utf8')).toContain('// kept')
  expect(await readdir(folder)).toEqual(['mcp.json'])
})

test('the lock of a process that is gone keeps nobody out', async () => {
  const { stdout } = await runFile(process.execPath, ['--print', 'process.pid + " " + os.hostname()'])
  const [pid = '', host = ''] = stdout.trim().split(' ')
  await writeFile(join(folder, '.mcp.json.lock'), JSON.stringify({ pid: Number(pid), host, id: 'old' }))
  const file = join(folder, 'mcp.json')
  await Promise.all(['a', 'b', 'c'].map((name) => editConfigFile(file, [add(name)])))
  expect((await namesIn(file)).toSorted()).toEqual(['a', 'b', 'c'])
  expect(await readdir(folder)).toEqual(['mcp.json'])
})

test('waiting for somebody else ends with the signal', async () => {
  await writeFile(join(folder, '.mcp.json.lock'), JSON.stringify({ pid: process.pid, host: 'elsewhere' }))
  const signal = AbortSignal.timeout(100)
  const failure = await editConfigFile(join(folder, 'mcp.json'), [add('a')], { signal }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBe(signal.reason)
  expect(await readdir(folder)).toEqual(['.mcp.json.lock'])
})
