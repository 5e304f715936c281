import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Authority } from '@toolbridge/bridge'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dialects } from '../../src/config/dialects/all.ts'
import { ControlFiles, type Machine } from '../../src/permission/control-files/control-files.ts'
import { type CallSetup, openPermissions, person, requestCall } from './open-permissions.ts'
import { nodeServer } from '../servers/specs.ts'

const { signal } = new AbortController()

/** A home and a project on this machine, and what a server there would see of them. */
async function openMachine(): Promise<Machine & { readonly project: string; readonly authority: Authority }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolbridge-control-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  await Promise.all([home, project].map((each) => mkdir(join(each, '.cursor'), { recursive: true })))
  const authority: Authority = { kind: 'local', env: { HOME: home }, workspaceFolder: project }
  return { home, project, folders: [project], authority }
}

describe('a text names a control file', () => {
  const files = new ControlFiles(['/srv/policy/*.rego', '/srv/data/*'], () => ['/opt/app/servers.conf'])

  test.each([
    '/home/me/.cursor/mcp.json',
    '~/.cursor/mcp.json',
    '.cursor/mcp.json',
    './.cursor/../.cursor/mcp.json',
    '/anywhere/project/.mcp.json',
    '.mcp.json',
    '.vscode/mcp.json',
    '.vscode/settings.json',
    '.agents/mcp.json',
    '.agents/config.json',
    '.toolbridge/mcp.json',
    '/home/me/.toolbridge/grants/0a.json',
    '/home/me/.toolbridge',
    '/home/me/.claude.json',
    '/p/.claude/settings.local.json',
    '/home/me/.codex/config.toml',
    '/p/.gemini/settings.json',
    '/p/opencode.json',
    '/p/.continue/mcpServers/new.yaml',
    '/p/evil.skill.md',
    '/home/me/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    '%APPDATA%\\Claude\\claude_desktop_config.json',
    '$HOME/.cursor/mcp.json',
    'file:///home/me/.cursor/mcp.json',
    'file://localhost/home/me/.cursor/mcp.json',
    'file:///home/me/%2Ecursor/mcp%2Ejson',
    'file:///home/me/.cursor/mcp.json?x=1#y',
    'FILE:///home/me/.cursor/mcp.json',
    'file:///home/me/.cursor//%2E%2E/mcp.json',
    '/home/me/%2Ecursor/mcp.json',
    '/home/me/.Cursor/MCP.JSON',
    '/home/me/.cursor//./mcp.json/',
    '/home/me/.cursor/x/../mcp.json',
    '/home/me/.cursor/mcp.json.',
    '/home/me/.cursor/mcp.json::$DATA',
    '/home/me/.cursor./mcp.json ',
    '/home/me/.cur\u200Csor/mcp.json',
    '/home/me/.cursor/mcp.j\u017Fon',
    '\\\\?\\C:\\Users\\me\\.cursor\\mcp.json',
    `/home/me/${'./'.repeat(10_000)}.cursor/mcp.json`,
    `${'x\n'.repeat(10)}/../../.cursor/mcp.json`,
    '/srv/policy/main.rego',
    '/srv/data/trust/x',
    '/srv/./data/x',
    '/srv/policy/../data/x',
  ])('%j', async (text) => {
    for (const args of [{ path: text }, { a: [{ deep: { list: [text] } }] }]) {
      expect(files.mayBeNamed(args, undefined)).toBe(true)
      expect(await files.namedBy(args, undefined, signal)).toBe(text)
    }
  })

  test.each([
    'mcp.json',
    '/home/me/.cursor/mcp.json.bak',
    '/home/me/.cursor/rules/x.md',
    '/home/me/cursor/mcp.json',
    '/p/settings.json',
    '/p/package.json',
    '/p/config.toml',
    '/srv/policy/main.txt',
    'just a text, 100 % harmless',
    '',
  ])('but not %j', async (text) => {
    expect(await files.namedBy({ path: text }, undefined, signal)).toBeUndefined()
  })

  test('in a line for a shell, as far as it can be read', async () => {
    const command = 'echo "{}" > ~/.cursor/mcp.json && ls'
    expect(await files.namedBy({ command }, undefined, signal)).toBe('~/.cursor/mcp.json')
    expect(await files.namedBy({ args: ['-c', command] }, undefined, signal)).toBe('~/.cursor/mcp.json')
    expect(await files.namedBy({ text: command }, undefined, signal)).toBeUndefined()
  })

  test('in every place where a dialect keeps its file', async () => {
    const paths = dialects.flatMap(({ locations }) =>
      locations.map(({ path }) => path.replaceAll('*', 'any')),
    )
    for (const path of paths) expect(await files.namedBy({ path }, undefined, signal)).toBe(path)
  })

  test('and none is missed by the quick look', async () => {
    const step = fc.constantFrom('.cursor', 'mcp.json', '..', '.', 'x', '.toolbridge', '.mcp.json', 'a b', '')
    const text = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('/'))
    await fc.assert(
      fc.asyncProperty(text, async (path) => {
        const found = await files.namedBy({ path }, undefined, signal)
        if (found !== undefined) expect(files.mayBeNamed({ path }, undefined)).toBe(true)
      }),
    )
  })

  test.each<[string, Record<string, unknown>]>([
    ['as a name', { files: { '/p/.mcp.json': '{}' } }],
    ['in a list that is a text', { paths: '["a", "/p/.mcp.json"]' }],
    ['in a list of objects that is a text', { edits: '[{"path": "/p/.mcp.json"}]' }],
    ['in what becomes a text', { path: { toJSON: () => '/p/.mcp.json' } }],
  ])('%s', async (_title, args) => {
    expect(files.mayBeNamed(args, undefined)).toBe(true)
    expect(await files.namedBy(args, undefined, signal)).toBe('/p/.mcp.json')
  })

  test('but not in a text that only mentions one', async () => {
    const content = JSON.stringify({ files: ['.mcp.json', '.vscode/settings.json'] })
    expect(await files.namedBy({ path: '/p/package.json', content }, undefined, signal)).toBeUndefined()
  })

  test('also in arguments that contain themselves', async () => {
    const circle: Record<string, unknown> = { path: '/p/.mcp.json' }
    circle['self'] = circle
    expect(files.mayBeNamed({ circle }, undefined)).toBe(true)
    expect(await files.namedBy(circle, undefined, signal)).toBe('/p/.mcp.json')
  })
})

describe('on this machine a path is followed', () => {
  test('from the folder of the server', async () => {
    const { home, folders } = await openMachine()
    const files = new ControlFiles([], () => [])
    const inside = { home, folders: [...folders, join(home, '.cursor')] }
    expect(await files.namedBy({ path: 'mcp.json' }, inside, signal)).toBe('mcp.json')
    expect(
      await files.namedBy({ path: '../../home/.cursor/mcp.json' }, { home, folders }, signal),
    ).toBeDefined()
    expect(await files.namedBy({ path: 'mcp.json' }, { home, folders }, signal)).toBeUndefined()
  })

  test('through links to a file, to a folder, and to one that is not there yet', async () => {
    const machine = await openMachine()
    const { home, project } = machine
    const files = new ControlFiles([], () => [])
    await symlink(join(home, '.cursor', 'mcp.json'), join(project, 'dangling.txt'))
    await writeFile(join(home, '.mcp.json'), '{}')
    await symlink(join(home, '.mcp.json'), join(project, 'notes.txt'))
    await symlink(join(home, '.cursor'), join(project, 'folder'))
    for (const path of ['notes.txt', './notes.txt', join(project, 'notes.txt'), 'folder/mcp.json'])
      expect(await files.namedBy({ path }, machine, signal)).toBe(path)
    expect(await files.namedBy({ path: 'folder/rules.txt' }, machine, signal)).toBeUndefined()
    expect(await files.namedBy({ path: 'dangling.txt' }, machine, signal)).toBe('dangling.txt')
  })

  test('to where a control file really is, when a link stands in its place', async () => {
    const machine = await openMachine()
    const { home } = machine
    await writeFile(join(home, 'dotfiles-cursor'), '{}')
    await symlink(join(home, 'dotfiles-cursor'), join(home, '.cursor', 'mcp.json'))
    const files = new ControlFiles([], () => [])
    expect(await files.namedBy({ path: '~/dotfiles-cursor' }, machine, signal)).toBe('~/dotfiles-cursor')
  })

  test('back from where a link leads, and not from the link', async () => {
    const machine = await openMachine()
    const { home, project } = machine
    await mkdir(join(home, '.cursor', 'rules'))
    await symlink(join(home, '.cursor', 'rules'), join(project, 'link'))
    await symlink('link/../mcp.json', join(project, 'notes.txt'))
    const files = new ControlFiles([], () => [])
    for (const path of ['link/../mcp.json', `${project}/./link/../mcp.json`, 'notes.txt'])
      expect(await files.namedBy({ path }, machine, signal)).toBe(path)
    expect(await files.namedBy({ path: 'link/../other.json' }, machine, signal)).toBeUndefined()
  })

  test('into folders that are kept elsewhere behind a link', async () => {
    const machine = await openMachine()
    const { home } = machine
    for (const folder of ['dotfiles', 'disk']) await mkdir(join(home, folder))
    await symlink(join(home, 'dotfiles'), join(home, '.toolbridge'))
    await symlink(join(home, 'disk'), join(home, 'data'))
    const files = new ControlFiles([`${join(home, 'data')}/*`], () => [])
    for (const path of ['~/dotfiles/trust/a.json', '~/dotfiles', '~/data/trust/a', '~/disk/trust/a'])
      expect(await files.namedBy({ path }, machine, signal)).toBe(path)
    expect(await files.namedBy({ path: '~/dotfiles2/a' }, machine, signal)).toBeUndefined()
  })

  test('to the files that the definitions came from', async () => {
    const machine = await openMachine()
    const path = join(machine.project, 'servers.conf')
    const files = new ControlFiles([], () => [path])
    expect(await files.namedBy({ path: 'servers.conf' }, machine, signal)).toBe('servers.conf')
    expect(await files.namedBy({ path: 'other.conf' }, machine, signal)).toBeUndefined()
  })

  test('but not where the server sees other files, or where files may not be looked at', async () => {
    const { home, project, authority } = await openMachine()
    await writeFile(join(home, '.mcp.json'), '{}')
    await symlink(join(home, '.mcp.json'), join(project, 'notes.txt'))
    const permissions = openPermissions({ rules: { mode: 'yolo' } })
    const call = { path: join(project, 'notes.txt') }
    await expect(requestCall(permissions, call, { authority })).rejects.toMatchObject({ code: 'no_answerer' })
    expect(await requestCall(permissions, call, { authority: { kind: 'session' } })).toBe('mode yolo')
  })
})

describe('a call that names a control file', () => {
  const call = { path: '/p/.mcp.json', content: '{}' }
  const yes = person(() => ({ action: 'accept', decision: 'always' }))

  test.each<[string, Parameters<typeof openPermissions>[0], CallSetup]>([
    ['mode yolo', { rules: { mode: 'yolo' } }, {}],
    ['mode allow', { rules: { mode: 'allow' } }, {}],
    ['a rule', { rules: { allow: ['mcp://files/write(path=/p/.mcp.json)'] } }, {}],
    ['a definition', {}, { spec: { ...nodeServer('files', 'x.mjs'), approval: { default: 'allow' } } }],
  ])('is denied without a person, whatever %s says', async (_what, permissions, setup) => {
    await expect(requestCall(openPermissions(permissions), call, setup)).rejects.toMatchObject({
      code: 'no_answerer',
      message: expect.stringContaining('only a person can allow'),
    })
  })

  test('is asked about every time, and no answer is good for more than one call', async () => {
    const permissions = openPermissions()
    await requestCall(permissions, {}, { approver: yes })
    await requestCall(permissions, call, { approver: yes })
    await requestCall(permissions, call, { approver: yes })
    await requestCall(permissions, {}, { approver: yes })
    expect(yes.asked).toMatchObject([
      { decisions: { length: 4 } },
      { decisions: ['once'], reason: 'a control file', message: expect.stringContaining('/p/.mcp.json') },
      { decisions: ['once'] },
    ])
    expect(yes.asked).toHaveLength(3)
  })

  test('is still denied by a rule', async () => {
    const permissions = openPermissions({ rules: { deny: ['mcp:*'] } })
    await expect(requestCall(permissions, call, { approver: yes })).rejects.toMatchObject({ code: 'denied' })
  })

  test('is like any other when the operator trusts the server that says its tool only reads [C21]', async () => {
    const definition = { annotations: { readOnlyHint: true } }
    const rules = { mode: 'allow' } as const
    expect(
      await requestCall(openPermissions({ rules: { ...rules, trustAnnotations: ['files'] } }), call, {
        definition,
      }),
    ).toBe('mode allow')
    await expect(requestCall(openPermissions({ rules }), call, { definition })).rejects.toMatchObject({
      code: 'no_answerer',
    })
  })
})
