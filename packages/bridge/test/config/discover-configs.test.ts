import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, win32 } from 'node:path'
import { type DiscoveredConfig, discoverConfigs, type SearchOptions } from '@toolbridge/bridge/config'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Platform } from '../../src/config/dialects/dialect.ts'
import { candidatesIn, type SearchContext } from '../../src/config/sources/candidates.ts'

let root = ''
let home = ''
let cwd = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolbridge-discovery-'))
  home = join(root, 'home')
  cwd = join(root, 'code', 'repository', 'deep', 'er')
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

/** What is found in the temporary folders alone: a machine may have files of its own for everybody. */
async function discover(options: Partial<SearchOptions> = {}): Promise<readonly DiscoveredConfig[]> {
  const found = await discoverConfigs({ env: {}, cwd, home, platform: 'linux', ...options })
  return found.filter(({ file }) => file.startsWith(root))
}

const listed = (found: readonly DiscoveredConfig[]): readonly string[] =>
  found.map(
    ({ file, scope, kind, reading }) => `${scope} ${kind} ${file.slice(root.length)} ${reading.dialect}`,
  )

const locations: Readonly<Record<string, Readonly<Record<Platform, readonly string[]>>>> = {
  'claude-desktop': {
    darwin: ['/Users/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    linux: ['/home/ada/.config/Claude/claude_desktop_config.json'],
    win32: ['C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  },
  vscode: {
    darwin: [
      '/w/.vscode/mcp.json',
      '/Users/ada/Library/Application Support/Code/User/mcp.json',
      '/Users/ada/Library/Application Support/Code - Insiders/User/mcp.json',
    ],
    linux: [
      '/w/.vscode/mcp.json',
      '/home/ada/.config/Code/User/mcp.json',
      '/home/ada/.config/Code - Insiders/User/mcp.json',
    ],
    win32: [
      'C:\\w\\.vscode\\mcp.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Code - Insiders\\User\\mcp.json',
    ],
  },
  opencode: {
    darwin: ['/w/opencode.json', '/w/.opencode/opencode.json', '/w/.opencode/opencode.jsonc'],
    linux: ['/w/opencode.json', '/w/.opencode/opencode.json', '/w/.opencode/opencode.jsonc'],
    win32: ['C:\\w\\opencode.json', 'C:\\w\\.opencode\\opencode.jsonc'],
  },
  'copilot-cli': {
    darwin: ['/w/.github/mcp.json', '/Users/ada/.copilot/mcp-config.json'],
    linux: ['/w/.github/mcp.json', '/home/ada/.copilot/mcp-config.json'],
    win32: ['C:\\w\\.github\\mcp.json', 'C:\\Users\\ada\\.copilot\\mcp-config.json'],
  },
  'claude-code': {
    darwin: [
      '/w/.mcp.json',
      '/Users/ada/.claude.json',
      '/Library/Application Support/ClaudeCode/managed-mcp.json',
    ],
    linux: ['/w/.mcp.json', '/home/ada/.claude.json', '/etc/claude-code/managed-mcp.json'],
    win32: [
      'C:\\w\\.mcp.json',
      'C:\\Users\\ada\\.claude.json',
      'C:\\Program Files\\ClaudeCode\\managed-mcp.json',
    ],
  },
  codex: {
    darwin: ['/w/.codex/config.toml', '/Users/ada/.codex/config.toml', '/etc/codex/config.toml'],
    linux: ['/w/.codex/config.toml', '/home/ada/.codex/config.toml', '/etc/codex/config.toml'],
    win32: ['C:\\w\\.codex\\config.toml', 'C:\\Users\\ada\\.codex\\config.toml'],
  },
  zed: {
    darwin: ['/w/.zed/settings.json', '/Users/ada/.config/zed/settings.json'],
    linux: ['/w/.zed/settings.json', '/home/ada/.config/zed/settings.json'],
    win32: ['C:\\w\\.zed\\settings.json', 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json'],
  },
  'mcp-servers': {
    darwin: ['/w/.toolbridge/mcp.json', '/Users/ada/.toolbridge/mcp.json'],
    linux: ['/w/.toolbridge/mcp.json', '/home/ada/.toolbridge/mcp.json'],
    win32: ['C:\\w\\.toolbridge\\mcp.json', 'C:\\Users\\ada\\.toolbridge\\mcp.json'],
  },
}

const machines: Readonly<Record<Platform, Pick<SearchContext, 'home' | 'folders' | 'env'>>> = {
  darwin: { home: '/Users/ada', folders: ['/w'], env: {} },
  linux: { home: '/home/ada', folders: ['/w'], env: {} },
  win32: { home: 'C:\\Users\\ada', folders: ['C:\\w'], env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' } },
}

describe.each<Platform>(['darwin', 'linux', 'win32'])('on %s', (platform) => {
  const own = platform === 'win32' ? win32 : posix
  const joined = (folder: string, pattern: string): string => own.join(folder, pattern)
  const searchContext = { platform, envFile: new Map(), ...machines[platform] }

  test.each(Object.keys(locations))('the files of %s are looked for where it keeps them', (dialect) => {
    const paths = candidatesIn(searchContext)
      .filter(({ dialects }) => dialects.includes(dialect))
      .flatMap((candidate) => candidate.paths.map(({ folder, pattern }) => joined(folder, pattern)))
    for (const path of locations[dialect]?.[platform] ?? []) expect(paths).toContain(path)
  })

  test('every path is absolute, and of that platform', () => {
    for (const { paths } of candidatesIn(searchContext))
      for (const { folder, pattern } of paths) {
        expect(own.isAbsolute(joined(folder, pattern))).toBe(true)
        expect(joined(folder, pattern)).not.toMatch(platform === 'win32' ? /\// : /\\|%/)
      }
  })
})

test('files are found with their scope, their owner and their dialect, in the order in which they win', async () => {
  const flag = await put(join(root, 'flag.json'))
  await put(join(cwd, '.toolbridge/mcp.json'))
  await put(join(cwd, '.vscode/mcp.json'), { servers: { b: { type: 'stdio', command: 'b' } } })
  await put(join(home, '.cursor/mcp.json'))
  await put(join(home, '.codex/config.toml'), '[mcp_servers.c]\ncommand = "c"\n')
  await put(join(home, '.gemini/extensions/one/gemini-extension.json'))
  await put(join(home, '.gemini/extensions/two/gemini-extension.json'))
  await put(join(cwd, 'my.skill.md'), '---\nmetadata:\n  mcp:\n    s:\n      command: s\n---\n# Skill\n')
  expect(listed(await discover({ flag }))).toEqual([
    'flag flag /flag.json mcp-servers',
    'project project /code/repository/deep/er/.toolbridge/mcp.json mcp-servers',
    'project project /code/repository/deep/er/my.skill.md agent-apps',
    'project project /code/repository/deep/er/.vscode/mcp.json vscode',
    'user user /home/.cursor/mcp.json cursor',
    'user user /home/.gemini/extensions/one/gemini-extension.json gemini-cli',
    'user user /home/.gemini/extensions/two/gemini-extension.json gemini-cli',
    'user user /home/.codex/config.toml codex',
  ])
})

test('variables name files, in the environment or, where the host does that, in .env [S3-2]', async () => {
  await put(join(cwd, 'a.json'), { mcp: { a: { type: 'local', command: ['a'] } } })
  await put(join(cwd, 'b.json'), { servers: { b: { type: 'stdio', command: 'b' } } })
  await put(join(cwd, 'c.json'))
  await put(join(root, 'codex/config.toml'), '[mcp_servers.c]\ncommand = "c"\n')
  await put(
    join(cwd, '.env'),
    'TOOLBRIDGE_MCP_FILE=c.json\nMCP_SECRET_PATH=b.json\nYAAF_MCP_FILE=other.json\n',
  )
  const env = {
    OPENCODE_CONFIG: join(cwd, 'a.json'),
    YAAF_MCP_FILE: 'b.json',
    CODEX_HOME: join(root, 'codex'),
  }
  const found = await discover({ env })
  expect(listed(found)).toEqual([
    'environment project /code/repository/deep/er/c.json mcp-servers',
    'environment environment /code/repository/deep/er/b.json yaaf',
    'environment environment /code/repository/deep/er/a.json opencode',
    'user user /codex/config.toml codex',
  ])
  expect(found.map(({ namedBy }) => namedBy)).toEqual([
    'TOOLBRIDGE_MCP_FILE in .env',
    'YAAF_MCP_FILE in the environment',
    'OPENCODE_CONFIG in the environment',
    undefined,
  ])
})

test('a file that somebody named and that is missing is an error beside the others', async () => {
  await put(join(home, '.cursor/mcp.json'))
  const found = await discover({ flag: 'gone.json', env: { MCP_SECRET_PATH: 'gone-too.json' } })
  expect(found.map(({ reading }) => reading.issues.map(({ code }) => code))).toEqual([
    ['file_missing'],
    ['file_missing'],
    [],
  ])
  expect(found[1]?.reading.issues[0]?.message).toContain('MCP_SECRET_PATH in the environment')
})

test('the nearest file upward is meant where the host looks upward, up to the repository', async () => {
  await put(join(root, 'code/.mcp.json'))
  await put(join(root, 'code/repository/.cursor/mcp.json'))
  const own = await put(join(root, 'code/repository/.mcp.json'))
  expect(await discover()).toEqual([])
  await mkdir(join(root, 'code/repository/.git'))
  expect((await discover()).map(({ file }) => file)).toEqual([own])
  const nearer = await put(join(root, 'code/repository/deep/.mcp.json'))
  expect((await discover()).map(({ file }) => file)).toEqual([nearer])
})

test('a person who works in their home folder finds their own files there', async () => {
  await put(join(home, '.cursor/mcp.json'))
  expect(listed(await discover({ cwd: home }))).toEqual(['user user /home/.cursor/mcp.json cursor'])
})

test('a folder with a star in its name is only itself', async () => {
  const starred = join(root, 'w*')
  await put(join(starred, 'a.skill.md'), '---\nmetadata:\n  mcp:\n    s:\n      command: s\n---\n')
  await put(join(root, 'code/b.skill.md'), '---\nmetadata:\n  mcp:\n    s:\n      command: s\n---\n')
  expect((await discover({ cwd: starred })).map(({ file }) => file)).toEqual([join(starred, 'a.skill.md')])
})

test('what cannot be read is one issue each, and hides nothing', async () => {
  const large = await put(join(home, '.cursor/mcp.json'))
  await truncate(large, 20 * 1024 * 1024)
  await put(join(home, '.lmstudio/mcp.json'), '\u0000\u0001')
  await mkdir(join(home, '.claude.json'))
  await put(join(home, '.agents/mcp.json'), '{ "servers": ')
  await put(join(home, '.mcp-inspector/mcp.json'))
  const denied = await put(join(home, '.cline/mcp.json'))
  await chmod(denied, 0)
  const found = await discover()
  const codes = new Map(
    found.map(({ file, reading }) => [file.slice(home.length), reading.issues.map(({ code }) => code)]),
  )
  const isRoot = process.getuid?.() === 0
  expect(Object.fromEntries(codes)).toEqual({
    '/.cursor/mcp.json': ['file_too_large'],
    '/.lmstudio/mcp.json': ['file_binary'],
    '/.claude.json': ['file_unreadable'],
    '/.agents/mcp.json': ['syntax'],
    '/.mcp-inspector/mcp.json': [],
    '/.cline/mcp.json': isRoot ? [] : ['file_unreadable'],
  })
  expect(found.flatMap(({ reading }) => reading.servers)).not.toEqual([])
})

test('a file without servers that nobody named is a warning, and settings of a host are none at all', async () => {
  await put(join(cwd, '.cursor/mcp.json'), {})
  await put(join(home, '.config/zed/settings.json'), { theme: 'dark' })
  const issues = (await discover()).map(({ reading }) => reading.issues.map(({ severity }) => severity))
  expect(issues).toEqual([['warning'], []])
})
