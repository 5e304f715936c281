import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigSearch,
  findConfigs,
  homeOf,
  mergeConfigs,
  type SearchOptions,
} from '@toolbridge/bridge/config'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root = ''
let home = ''
let cwd = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolbridge-search-'))
  home = join(root, 'home')
  cwd = join(root, 'repository', 'deep')
  await mkdir(home)
  await mkdir(cwd, { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

async function put(
  file: string,
  document: unknown = { mcpServers: { a: { command: 'a' } } },
): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document))
  return file
}

const find = (options: Partial<SearchOptions> = {}): Promise<ConfigSearch> =>
  findConfigs({ env: {}, cwd, home, platform: 'linux', ...options })

async function found(options: Partial<SearchOptions> = {}): Promise<readonly string[]> {
  const { configs } = await find(options)
  return configs.map(({ file, scope, kind }) => `${scope} ${kind} ${file.slice(root.length)}`)
}

const problemOf = (options: Partial<SearchOptions> = {}): Promise<unknown> =>
  find(options).then(
    () => undefined,
    (reason: unknown) => reason,
  )

describe('a file that is named', () => {
  beforeEach(async () => {
    for (const file of ['flag.json', 'variable.json', 'env-file.json', '.toolbridge/mcp.json', '.mcp.json'])
      await put(join(cwd, file))
    await put(join(cwd, '.env'), '# settings\r\nexport TOOLBRIDGE_MCP_FILE = "env-file.json" # here\r\n')
  })

  test('is used alone: the flag, then the environment, then .env; then the project files [S3-1] [S3-2] [S3-3] [S3-6] [D34]', async () => {
    const env = { TOOLBRIDGE_MCP_FILE: 'variable.json' }
    expect(await found({ flag: 'flag.json', env })).toEqual(['flag flag /repository/deep/flag.json'])
    expect(await found({ env })).toEqual(['environment environment /repository/deep/variable.json'])
    expect(await found()).toEqual(['environment project /repository/deep/env-file.json'])
    await rm(join(cwd, '.env'))
    expect(await found()).toEqual([
      'project project /repository/deep/.toolbridge/mcp.json',
      'project project /repository/deep/.mcp.json',
    ])
  })

  test('and is missing is an error', async () => {
    await expect(find({ flag: 'gone.json' })).rejects.toThrow(ConfigError)
    const env = { TOOLBRIDGE_MCP_FILE: 'gone.json' }
    await expect(find({ env })).rejects.toThrow(/TOOLBRIDGE_MCP_FILE in the environment/)
    await rm(join(cwd, 'env-file.json'))
    await expect(find()).rejects.toThrow(/TOOLBRIDGE_MCP_FILE in \.env/)
  })

  test('by the nearest .env of the repository is relative to that .env', async () => {
    await rm(join(cwd, '.env'))
    await put(join(root, 'repository/.env'), 'TOOLBRIDGE_MCP_FILE=above.json\nYAAF_MCP_FILE=other.json\n')
    await put(join(root, 'repository/above.json'))
    expect(await found()).not.toContain('environment project /repository/above.json')
    await mkdir(join(root, 'repository/.git'))
    expect(await found()).toEqual(['environment project /repository/above.json'])
    await put(join(cwd, '.env'), 'TOOLBRIDGE_MCP_FILE=flag.json\n')
    expect(await found()).toEqual(['environment project /repository/deep/flag.json'])
  })

  test('by a .env that is too large cannot be known, which is an error', async () => {
    await truncate(join(cwd, '.env'), 16 * 1024 * 1024 + 1)
    const error = await problemOf()
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ issues: [{ code: 'file_too_large', file: join(cwd, '.env') }] })
    expect(await found({ flag: 'flag.json' })).toEqual(['flag flag /repository/deep/flag.json'])
  })

  test('is read in the dialect that is named', async () => {
    await put(join(cwd, 'flag.json'), { servers: { a: { type: 'stdio', command: 'a' } } })
    const dialectOf = async (dialect?: string): Promise<string | undefined> =>
      (await find({ flag: 'flag.json', ...(dialect === undefined ? {} : { dialect }) })).configs[0]?.reading
        .dialect
    expect(await dialectOf()).toBe('vscode')
    expect(await dialectOf('yaaf')).toBe('yaaf')
  })
})

test('without a named file, those of the project and the user are used, in order of precedence [S1-2] [S3-3] [S3-7] [D34]', async () => {
  const yaaf = { servers: { y: { type: 'stdio', command: 'y' } } }
  await put(join(cwd, '.toolbridge/mcp.json'))
  await put(join(cwd, '.agents/mcp.json'), {
    version: 1,
    servers: { c: { transport: 'stdio', command: 'c' } },
  })
  await put(join(cwd, 'mcp-secret.json'))
  await put(join(cwd, '.yaaf/mcp.json'), yaaf)
  await put(join(cwd, '.mcp.json'))
  await put(join(cwd, '.cursor/mcp.json'))
  await put(join(cwd, '.vscode/mcp.json'), yaaf)
  await put(join(home, '.toolbridge/mcp.json'))
  await put(join(home, '.cursor/mcp.json'))
  expect(await found()).toEqual([
    'project project /repository/deep/.toolbridge/mcp.json',
    'project project /repository/deep/.agents/mcp.json',
    'project project /repository/deep/mcp-secret.json',
    'project project /repository/deep/.yaaf/mcp.json',
    'project project /repository/deep/.mcp.json',
    'project project /repository/deep/.cursor/mcp.json',
    'project project /repository/deep/.vscode/mcp.json',
    'user user /home/.toolbridge/mcp.json',
  ])
})

test('docs/configuration.md lists the files of a project in that order', async () => {
  const { searched } = await find()
  const paths = searched.filter(({ scope }) => scope === 'project').map(({ path }) => path)
  const text = await readFile(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  const [, list = ''] = /The files of the project, in this order: ([^]*?)\. Their servers/.exec(text) ?? []
  expect([...list.matchAll(/`([^`]+)`/g)].map(([, path]) => path)).toEqual(paths)
})

test('a variable of a host names the file that is used in place of its project file [S3-2]', async () => {
  const yaaf = { servers: { y: { type: 'stdio', command: 'y' } } }
  await put(join(cwd, '.yaaf/mcp.json'), yaaf)
  await put(join(cwd, 'other.json'), yaaf)
  expect(await found()).toEqual(['project project /repository/deep/.yaaf/mcp.json'])
  const { configs } = await find({ env: { YAAF_MCP_FILE: 'other.json' } })
  expect(configs).toMatchObject([{ file: join(cwd, 'other.json'), reading: { dialect: 'yaaf' } }])
  await put(join(cwd, '.env'), 'YAAF_MCP_FILE=other.json\n')
  expect(await found()).toEqual(['environment project /repository/deep/other.json'])
})

test('nothing is found where no file defines servers, and it is told where it was looked [S3-4]', async () => {
  await put(join(cwd, '.cursor/mcp.json'), {})
  await put(join(cwd, '.vscode/settings.json'), { 'editor.fontSize': 12 })
  await put(join(cwd, 'notes.skill.md'), '# No front matter: at all\n')
  await put(join(home, '.cursor/mcp.json'))
  const { configs, searched } = await find()
  expect(configs).toEqual([])
  expect(searched[0]).toEqual({ folder: cwd, path: '.toolbridge/mcp.json', scope: 'project' })
  expect(searched.at(-1)).toEqual({ folder: home, path: '.toolbridge/mcp.json', scope: 'user' })
  expect(searched.map(({ path }) => path)).toContain('.vscode/mcp.json')
  expect(searched.filter(({ folder }) => folder === home)).toHaveLength(1)
})

describe('the user’s own file', () => {
  test('is not a project’s where the user works in the home folder, also through a link', async () => {
    const file = await put(join(home, '.toolbridge/mcp.json'))
    await symlink(home, join(root, 'link'))
    for (const folders of [
      { cwd: home },
      { cwd: join(root, 'link') },
      { cwd: home, home: join(root, 'link') },
      { cwd: home, home: `${home}/` },
    ]) {
      const { configs } = await find(folders)
      expect(configs.map(({ scope, kind }) => ({ scope, kind }))).toEqual([{ scope: 'user', kind: 'user' }])
      expect(configs[0]?.file.endsWith(file.slice(home.length))).toBe(true)
    }
  })

  test('is not in the project because HOME is empty or relative', async () => {
    await put(join(cwd, '.toolbridge/mcp.json'))
    for (const HOME of ['', '.', './']) {
      const { configs } = await findConfigs({ env: { HOME }, cwd, platform: 'linux' })
      expect(configs.find(({ file }) => file.startsWith(cwd))?.kind).toBe('project')
      expect(homeOf({ HOME })).toBe(homedir())
    }
  })
})

test('what the user disabled or denied in a host applies to the project file of that host', async () => {
  await put(join(cwd, '.gemini/settings.json'), {
    mcpServers: { on: { command: 'a' }, off: { command: 'b' } },
  })
  await put(join(home, '.gemini/settings.json'), {
    mcp: { excluded: ['off'] },
    mcpServers: { mine: { command: 'c' } },
  })
  const { configs, restrictions } = await find()
  expect(configs).toHaveLength(1)
  const { servers } = mergeConfigs([...configs, ...restrictions])
  expect(servers.map(({ spec }) => [spec.name, spec.enabled])).toEqual([
    ['on', true],
    ['off', false],
  ])
})

test('an own file without servers is an error, and so is a file of a host that cannot be read', async () => {
  await put(join(cwd, '.toolbridge/mcp.json'), {})
  await put(join(cwd, '.mcp.json'), '{ "mcpServers": ')
  const { configs } = await find()
  expect(configs.map(({ reading }) => reading.issues.map(({ code, severity }) => [code, severity]))).toEqual([
    [['root_missing', 'error']],
    [['syntax', 'error']],
  ])
})
