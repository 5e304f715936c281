import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileGrantStore } from '@toolbridge/bridge/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { put } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { type Finished, temporaryFolder } from '../transcript.ts'
import { linkHostile } from './hostile-server.ts'
import { allHostile, breaks, hostile, planted, plantedLines, unseenIn } from './hostile-text.ts'

const names = allHostile('name')
const [name = ''] = names
const file = '.toolbridge/mcp.json'
const named = ['--mcp', file]

/** Entries whose names, programs, arguments, variables and fields have planted lines. */
const entries = Object.fromEntries(
  names.map((each, index) => [
    each,
    {
      command: process.execPath,
      args: [hostile('argument', index)],
      env: { [hostile('KEY', index)]: 'x' },
      [hostile('field', index)]: true,
      tools: { deny: [hostile('pattern', index)] },
      ...(index === 0 ? { policy: { 'naming.separator': 'none', 'naming.sanitize': 'none' } } : {}),
    },
  ]),
)
const remote = {
  url: `http://127.0.0.1:1/${encodeURIComponent('\n')}mcp`,
  headers: { 'X-Key': 'x' },
}
const refused = { ...remote, headers: { [hostile('Header')]: hostile('value') } }
const unset = { command: 'no-such-program', env: { KEY: `\${env:${hostile('UNSET')}}` } }

let folder: ReturnType<typeof temporaryFolder>
/** A folder whose own name has every planted line. */
let project: string
let home: string
beforeAll(async () => {
  folder = temporaryFolder()
  project = join(folder.path, `project${breaks.map((each) => `${each}${planted}`).join('')}`.slice(0, 200))
  home = join(folder.path, 'home')
  mkdirSync(home)
  put(project, file, {
    mcpServers: { ...entries, [hostile('remote')]: remote, [hostile('refused')]: refused, unset },
  })
  put(project, '.mcp.json', { mcpServers: { [hostile('other')]: { command: hostile('program') } } })
  put(project, 'mcp.permissions.json', { deny: [`mcp://x/${hostile('tool')}`], ask: ['mcp://*/fine'] })
  put(project, 'broken.json', `{ "mcpServers": { ${JSON.stringify(hostile('broken'))}: { "args": 1 } } }`)
  put(project, 'program.mjs', 'throw new Error(' + JSON.stringify(hostile('thrown')) + ')')
  put(home, '.cursor/mcp.json', { mcpServers: entries })
  const grants = fileGrantStore(join(home, '.toolbridge/terminal-grants'))
  const grant = { principal: 'local', definition: 'd', pin: 'p', asks: [] }
  for (const tool of allHostile('granted')) await grants.add({ ...grant, server: name, tool })
  await run(['tools', '--record', 'recorded.cassette', ...named])
})
afterAll(() => folder.remove())

function run(args: readonly string[], input?: string): Promise<Finished> {
  return runInProcess(args, {
    cwd: project,
    env: { HOME: home, TOOLBRIDGE_DATA: join(home, '.toolbridge') },
    transportOf: linkHostile,
    importModule: (url) => import(/* @vite-ignore */ url),
    ...(input === undefined ? {} : { input }),
  })
}

const chat = ['chat', '--model', 'compatible/any', '--base-url', 'http://127.0.0.1:1/v1', ...named]

/** Every command that reads the files and servers of others. */
const lines: readonly (readonly string[])[] = [
  ['tools'],
  ['tools', ...named],
  ['tools', '--details', ...named],
  ['tools', '--trace', ...named],
  ['tools', '--filter', hostile('nothing'), ...named],
  ['tools', '--mcp', 'broken.json'],
  ['tools', '--mcp', hostile('missing.json')],
  ['tools', '--server', hostile('unknown'), ...named],
  [...named, 'tools', '--permissions', 'mcp.permissions.json'],
  ['call', hostile('unknown'), ...named],
  ['call', `mcp://${encodeURIComponent(name)}/fine`, '--yes', ...named],
  ['call', `mcp://${encodeURIComponent(name)}/${encodeURIComponent(hostile('tool0'))}`, '--yes', ...named],
  ['call', `mcp://${encodeURIComponent(name)}/fine`, `${hostile('parameter')}=1`, ...named],
  ['resources', 'list', ...named],
  ['resources', 'templates', ...named],
  ['resources', 'read', 'note://0', ...named],
  ['resources', 'read', hostile('note://x'), ...named],
  ['prompts', 'list', ...named],
  ['prompts', 'get', 'fine', ...named],
  ['prompts', 'get', hostile('prompt0'), ...named],
  ['complete', 'fine', `${hostile('argument')}=a`, ...named, '--server', name],
  ['complete', 'fine', 'x=a', ...named, '--server', name],
  ['run', 'program.mjs', ...named],
  ['doctor'],
  ['doctor', ...named],
  ['doctor', '--no-active', '--fix', ...named],
  ['doctor', '--mcp', 'broken.json'],
  ['config', 'list'],
  ['config', 'explain'],
  ['config', 'explain', ...named],
  ['config', 'explain', name, ...named],
  ['config', 'explain', hostile('unknown'), ...named],
  ['config', 'explain', file],
  ['config', 'explain', 'broken.json'],
  ['config', 'convert', file, '--to', 'vscode'],
  ['config', 'convert', file, '--to', 'codex', '--force'],
  ['config', 'convert', file, '--to', 'zed', '--force'],
  ['config', 'import', '--dry-run'],
  ['config', 'import', '--dry-run', '--mcp', hostile('target.json')],
  ['config', 'import', '--from', 'cursor', '--mcp', hostile('imported.json')],
  ['config', 'import', '--server', hostile('unknown'), '--dry-run'],
  ['config', 'add', hostile('added'), ...named, '--env', `${hostile('KEY')}=x`, '--', hostile('program')],
  ['config', 'remove', hostile('unknown'), ...named],
  ['config', 'remove', hostile('added'), ...named],
  ['add', hostile('typed'), '--env', `${hostile('KEY')}=x`, '--', hostile('program')],
  ['add', hostile('typed'), `https://a.test/${hostile('path')}`],
  ['add', `claude mcp add ${hostile('typed')}`],
  ['connect', 'cursor', '--project', '--name', hostile('own'), '--mcp', hostile('file'), '--yes'],
  ['connect', 'cursor', '--name', names[1] ?? '', '--yes'],
  ['disconnect', 'cursor', '--project', '--name', hostile('own'), '--yes'],
  ['disconnect', 'cursor', '--name', names[2] ?? '', '--yes'],
  ['disconnect', 'cursor', '--name', hostile('unknown')],
  ['connect', hostile('host')],
  ['config', 'trust'],
  ['config', 'trust', name, '--yes'],
  ['config', 'trust', name, '--forget'],
  ['config', 'trust', hostile('unknown')],
  ['auth', 'status', ...named],
  ['auth', 'login', hostile('remote'), '--no-browser', ...named],
  ['auth', 'login', hostile('unknown'), ...named],
  ['auth', 'logout', hostile('remote'), ...named],
  ['auth', hostile('verb')],
  ['grants', 'list'],
  ['grants', 'revoke', name, hostile('unknown')],
  ['grants', 'revoke', name],
  ['permissions', 'list', '--permissions', 'mcp.permissions.json', ...named],
  ['permissions', 'test', hostile('tool'), ...named],
  ['permissions', 'explain', `mcp://${encodeURIComponent(name)}/fine`, ...named],
  ['permissions', 'test', `mcp://x/y`, '--deny', hostile('rule'), ...named],
  ['generate', ...named],
  ['generate', '--output', hostile('tools.ts'), ...named],
  ['replay', 'recorded.cassette'],
  ['replay', 'recorded.cassette', hostile('unknown')],
  ['replay', 'recorded.cassette', name, '--drift', ...named],
  ['replay', hostile('missing.cassette')],
  ['serve', '--stdio', ...named],
  ['serve', '--stdio', '--mcp', hostile('missing.json')],
  ['ps', '--stop', hostile('unknown')],
  ['keys', 'list', '--data', hostile('data')],
  ['open', '--data', hostile('data')],
  ['ask', 'x', '--model', hostile('model')],
  [hostile('command')],
  ['config', hostile('command')],
  ['tools', `--${hostile('option')}`],
]

const title = (args: readonly string[]): string => args.map((word) => JSON.stringify(word)).join(' ')

// Windows has no such names of folders.
describe.skipIf(process.platform === 'win32')('a name, path or text of others is in one line', () => {
  test.each(lines.map((args) => [title(args), args] as const))('of %s', async (_, args) => {
    const { stdout, stderr } = await run(args)
    expect(plantedLines(stdout)).toEqual([])
    expect(plantedLines(stderr)).toEqual([])
    expect(unseenIn(stdout + stderr)).toEqual([])
    // It is printed, so that its line could have been.
    expect(stdout + stderr).toContain('planted')
  })

  test.each([
    '/tools',
    '/servers',
    `/approve ${hostile('tool')}`,
    '/prompt fine',
    '/resource note://0',
    '/x',
  ])('of %j in a chat', async (typed) => {
    const { stdout, stderr } = await run(chat, `${typed}\n`)
    expect(plantedLines(stdout + stderr)).toEqual([])
    expect(unseenIn(stdout + stderr)).toEqual([])
    expect(stdout + stderr).toContain(typed === '/x' ? 'unknown command' : 'planted')
  })

  test('and JSON has it exactly', async () => {
    const tools = await run(['tools', ...named, '--format', 'json'])
    const listed = JSON.parse(tools.stdout).tools.map(({ rawName }: { rawName: string }) => rawName)
    expect(new Set(listed)).toEqual(new Set([...allHostile('tool'), 'fine']))
    const config = JSON.parse((await run(['config', 'list', '--format', 'json'])).stdout)
    const found = config.servers.map((server: { readonly name: string }) => server.name)
    expect(found).toEqual(expect.arrayContaining([...names, hostile('remote'), hostile('other')]))
    expect(config.files.map((each: { readonly file: string }) => each.file)).toContain(join(project, file))
    const converted = await run(['config', 'convert', file, '--to', 'mcp-servers', '--force'])
    expect(Object.keys(JSON.parse(converted.stdout).mcpServers)).toEqual(expect.arrayContaining([...names]))
    expect(converted.stdout).toMatch(/^\{\n {2}"mcpServers": \{\n/)
  })
})
