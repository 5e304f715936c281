import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Authority } from '@toolbridge/bridge'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ControlFiles, type Machine } from '../../src/permission/control-files/control-files.ts'
import { controlFiles, namedBy } from './named-control-file.ts'
import { openPermissions, requestCall } from './open-permissions.ts'

/** A home and a project on this machine, and what a server there would see of them. */
async function openMachine(): Promise<Machine & { readonly project: string; readonly authority: Authority }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolbridge-control-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  await Promise.all([home, project].map((each) => mkdir(join(each, '.cursor'), { recursive: true })))
  const authority: Authority = { kind: 'local', env: { HOME: home }, workspaceFolder: project }
  return { home, project, folders: [project], authority }
}

/** A machine with the link `name` in the project, which leads to a control file. */
async function openMachineWithLink(name: string): Promise<Awaited<ReturnType<typeof openMachine>>> {
  const machine = await openMachine()
  await writeFile(join(machine.home, '.mcp.json'), '{}')
  await symlink(join(machine.home, '.mcp.json'), join(machine.project, name))
  return machine
}

describe('on this machine a path is followed', () => {
  test('from the folder of the server', async () => {
    const machine = await openMachine()
    const inside = { ...machine, folders: [...machine.folders, join(machine.home, '.cursor')] }
    expect(await namedBy({ path: 'mcp.json' }, { machine: inside })).toBe('mcp.json')
    expect(await namedBy({ path: '../../home/.cursor/mcp.json' }, { machine })).toBeDefined()
    expect(await namedBy({ path: 'mcp.json' }, { machine })).toBeUndefined()
  })

  test('through links to a file, to a folder, and to one that is not there yet', async () => {
    const machine = await openMachineWithLink('notes.txt')
    const { home, project } = machine
    await symlink(join(home, '.cursor', 'mcp.json'), join(project, 'dangling.txt'))
    await symlink(join(home, '.cursor'), join(project, 'folder'))
    for (const path of ['notes.txt', './notes.txt', join(project, 'notes.txt'), 'folder/mcp.json'])
      expect(await namedBy({ path }, { machine })).toBe(path)
    expect(await namedBy({ path: 'folder/rules.txt' }, { machine })).toBeUndefined()
    expect(await namedBy({ path: 'dangling.txt' }, { machine })).toBe('dangling.txt')
  })

  test.each(['notes.adoc', 'notes.zip', 'NOTES.TXT', 'v1.2-notes.md', '.notes'])(
    'through the link %s',
    async (path) => {
      const machine = await openMachineWithLink(path)
      expect(await namedBy({ path }, { machine })).toBe(path)
    },
  )

  test('through a link in a folder whose name ends like a home folder', async () => {
    const machine = await openMachine()
    const { home, project } = machine
    await mkdir(join(project, 'old~'))
    await symlink(join(home, '.cursor', 'mcp.json'), join(project, 'old~', 'notes.txt'))
    expect(await namedBy({ path: 'old~/notes.txt' }, { machine })).toBe('old~/notes.txt')
  })

  test.each<[string, unknown]>([
    ['a command', { command: 'tee notes.txt < input' }],
    ['a long command', { command: `tee notes.txt # ${'x'.repeat(5_000)}` }],
    ['a name', { files: { 'notes.txt': '{}' } }],
    ['a list that is a text', { paths: '["notes.txt"]' }],
  ])('through a link in %s', async (_title, args) => {
    const machine = await openMachineWithLink('notes.txt')
    expect(await namedBy(args, { machine })).toBe('notes.txt')
  })

  test('however long its way is', async () => {
    const machine = await openMachineWithLink('notes.txt')
    const path = `${'./'.repeat(5_000)}notes.txt`
    expect(await namedBy({ path }, { machine })).toBe(path)
    expect(await namedBy({ path: `${'x/'.repeat(5_000)}notes.txt` }, { machine })).toBeUndefined()
  })

  test('but not a name without folder and extension, which is mostly a word', async () => {
    const machine = await openMachineWithLink('notes')
    expect(await namedBy({ path: 'notes' }, { machine })).toBeUndefined()
    expect(await namedBy({ path: './notes' }, { machine })).toBe('./notes')
  })

  test('to the end of links that lead nowhere, or in a circle', async () => {
    const machine = await openMachine()
    const { project } = machine
    await symlink('missing.txt', join(project, 'notes.txt'))
    await symlink('circle.txt', join(project, 'circle.txt'))
    for (const path of ['notes.txt', 'circle.txt', 'circle.txt/notes.txt'])
      expect(await namedBy({ path }, { machine })).toBeUndefined()
  })

  test('to where a control file really is, when a link stands in its place', async () => {
    const machine = await openMachine()
    const { home } = machine
    await writeFile(join(home, 'dotfiles-cursor'), '{}')
    await symlink(join(home, 'dotfiles-cursor'), join(home, '.cursor', 'mcp.json'))
    const files = controlFiles()
    const other = await openMachine()
    expect(await namedBy({ path: '~/dotfiles-cursor' }, { machine: other, files })).toBeUndefined()
    expect(await namedBy({ path: '~/dotfiles-cursor' }, { machine, files })).toBe('~/dotfiles-cursor')
  })

  test('back from where a link leads, and not from the link', async () => {
    const machine = await openMachine()
    const { home, project } = machine
    await mkdir(join(home, '.cursor', 'rules'))
    for (const folder of [home, project]) await symlink(join(home, '.cursor', 'rules'), join(folder, 'link'))
    await symlink('link/../mcp.json', join(project, 'notes.txt'))
    for (const path of [
      'link/../mcp.json',
      '~/link/../mcp.json',
      `${project}/./link/../mcp.json`,
      'notes.txt',
    ])
      expect(await namedBy({ path }, { machine })).toBe(path)
    for (const path of ['link/../other.json', '~/link/../other.json'])
      expect(await namedBy({ path }, { machine })).toBeUndefined()
  })

  test.each(['*', '**'])('into folders that are kept elsewhere behind a link, as with /%s', async (all) => {
    const machine = await openMachine()
    const { home } = machine
    for (const folder of ['dotfiles', 'disk']) await mkdir(join(home, folder))
    await symlink(join(home, 'dotfiles'), join(home, '.toolbridge'))
    await symlink(join(home, 'disk'), join(home, 'data'))
    const files = controlFiles(['*.pem', `${join(home, 'data')}/${all}`])
    for (const path of ['~/dotfiles/trust/a.json', '~/dotfiles', '~/data/trust/a', '~/disk/trust/a'])
      expect(await namedBy({ path }, { machine, files })).toBe(path)
    expect(await namedBy({ path: '~/dotfiles2/a' }, { machine, files })).toBeUndefined()
  })

  test('but not into a folder of which only some files are control files', async () => {
    const machine = await openMachine()
    const { home } = machine
    await mkdir(join(home, 'disk'))
    await symlink(join(home, 'disk'), join(home, 'policy'))
    const files = controlFiles([`${join(home, 'policy')}/*.rego`])
    expect(await namedBy({ path: '~/policy/main.rego' }, { machine, files })).toBeDefined()
    expect(await namedBy({ path: '~/disk/readme.md' }, { machine, files })).toBeUndefined()
  })

  test('to the files that the definitions came from', async () => {
    const machine = await openMachine()
    const file = join(machine.project, 'servers.conf')
    const files = new ControlFiles([], () => ['/opt/first.conf', file, '/opt/last.conf'])
    for (const path of ['servers.conf', 'Servers.CONF', file])
      expect(await namedBy({ path }, { machine, files })).toBe(path)
    expect(await namedBy({ path: 'other.conf' }, { machine, files })).toBeUndefined()
  })

  test('but not where the server sees other files, or where files may not be looked at', async () => {
    const { project, authority } = await openMachineWithLink('notes.txt')
    const permissions = openPermissions({ rules: { mode: 'yolo' } })
    const call = { path: join(project, 'notes.txt') }
    await expect(requestCall(permissions, call, { authority })).rejects.toMatchObject({ code: 'no_answerer' })
    expect(await requestCall(permissions, call, { authority: { kind: 'session' } })).toBe('mode yolo')
  })
})
