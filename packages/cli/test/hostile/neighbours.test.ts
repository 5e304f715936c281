import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { connectableHosts, hostConfigFile } from '@toolbridge/bridge/config'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { put } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { type Finished, temporaryFolder } from '../transcript.ts'
import { jsonLayouts, neighbours, tomlLayouts, yamlLayouts } from './neighbours.ts'

let folder: ReturnType<typeof temporaryFolder>
let count = 0
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

/** A home and a project, of which a run knows nothing else. */
interface Place {
  readonly path: string
  readonly run: (...args: readonly string[]) => Promise<Finished>
}

function newPlace(): Place {
  const path = join(folder.path, String((count += 1)))
  mkdirSync(path)
  for (const copy of ['imported.json', 'converted.json', '.toolbridge/mcp.json'])
    allowSecrets(join(path, copy))
  const env = { HOME: path, TOOLBRIDGE_DATA: join(path, 'data') }
  return { path, run: (...args) => runInProcess(args, { cwd: path, env }) }
}

/** A file that a command copies servers to: the test wrote a secret to it first. */
function allowSecrets(file: string): void {
  write(file, canary('copy'))
  rmSync(file)
}

/** The file of a host in this place, and the option that names it. */
async function fileOf(host: string, path: string): Promise<{ file: string; flags: readonly string[] }> {
  const options = { env: { HOME: path }, cwd: path }
  const ofUser = await hostConfigFile(host, 'user', options)
  if (ofUser !== undefined) return { file: ofUser, flags: [] }
  return { file: (await hostConfigFile(host, 'project', options)) ?? '', flags: ['--project'] }
}

/** What starts Toolbridge in a host, and what edits the host's file for it. */
const connections = (host: string, flags: readonly string[]): readonly (readonly string[])[] => [
  ['connect', host, ...flags],
  ['connect', host, ...flags, '--yes'],
  ['connect', host, ...flags, '--yes', '--mcp', 'other.json'],
  ['disconnect', host, ...flags],
  ['disconnect', host, ...flags, '--yes'],
  ['connect', host, ...flags, '--name', 'program', '--yes'],
  ['disconnect', host, ...flags, '--name', 'remote', '--yes'],
]

/** Every other command that edits a file of others, or says what it would change or start. */
const edits = (file: string): readonly (readonly string[])[] => [
  ['add', 'added', '--mcp', file, '--', 'run'],
  ['add', 'added', '--mcp', file, '--yes', '--', 'run'],
  ['add', 'last', '--mcp', file, '--yes', '--', 'run'],
  ['add', 'last', '--mcp', file, '--yes', '--replace', '--', 'run', 'x'],
  ['config', 'add', 'other', '--mcp', file, '--', 'run'],
  ['config', 'remove', 'last', '--mcp', file],
  ['config', 'remove', 'none', '--mcp', file],
  ['config', 'import', '--dry-run'],
  ['config', 'import', '--mcp', 'imported.json'],
  ['config', 'convert', file, '--to', 'mcp-servers', '--output', 'converted.json'],
  ['config', 'trust'],
  ['config', 'trust', '--yes'],
  ['doctor', '--no-active', '--mcp', file],
  ['doctor', '--no-active', '--fix', '--mcp', file],
  ['doctor', '--no-active', '--fix', '--yes', '--mcp', file],
  ['config', 'list'],
  ['config', 'explain', '--mcp', file],
  ['tools', '--mcp', file],
]

describe.each(connectableHosts())('of the file of %s', (host) => {
  const layouts = host === 'codex' ? tomlLayouts('x.toml') : jsonLayouts('x.json', host)
  const tried = host === 'cursor' ? Object.keys(layouts) : ['pretty', 'one line', 'commented']
  const texts = tried.map((layout) => [layout, layouts[layout] ?? ''] as const)
  test.each(texts)('no secret of another server is printed: %s', async (_, text) => {
    const { path, run } = newPlace()
    const { file, flags } = await fileOf(host, path)
    expect(extname(file)).toBe(host === 'codex' ? '.toml' : '.json')
    write(file, text)
    for (const args of connections(host, flags)) await requireNoSecret(run, args)
  })
})

describe.each([
  ['.cursor/mcp.json', jsonLayouts('x.json', 'cursor')],
  ['.codex/config.toml', tomlLayouts('x.toml')],
  ['.continue/mcpServers/mine.yaml', yamlLayouts],
])('of %s', (name, layouts) => {
  test.each(Object.entries(layouts))('no secret of another server is printed: %s', async (_, text) => {
    const { path, run } = newPlace()
    const file = join(path, name)
    for (const args of edits(file)) {
      write(file, text)
      await requireNoSecret(run, args)
    }
  })
})

async function requireNoSecret(run: Place['run'], args: readonly string[]): Promise<void> {
  const { stdout, stderr } = await run(...args)
  expect(canaryIn(stdout + stderr), args.join(' ')).toBeUndefined()
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test('every text of these tests has secrets', () => {
  const all = [jsonLayouts('x.json', 'cursor'), tomlLayouts('x.toml'), yamlLayouts].flatMap(Object.values)
  for (const text of all) expect(canaryIn(text)).toBeDefined()
})

describe('of a command line', () => {
  const secret = canary('typed')
  test.each([
    ['--env', `KEY=${secret}`, '--', 'run'],
    ['--env', `KEY=x-${secret}-\${env:HOME}`, '--', 'run'],
    ['--', 'run', '--api-key', secret],
    ['--', 'run', `--token=${secret}`, secret],
    ['--', `run --key ${secret}`],
    ['--header', `Authorization: Bearer ${secret}`, 'https://a.test/mcp'],
    [`https://user:${secret}@a.test/mcp`],
    [`https://a.test/${secret}/mcp`],
    [`https://a.test/mcp?key=${secret}`],
    [`https://a.test/mcp#${secret}`],
    [`https://${secret}.a.test/mcp`],
  ])('no secret is printed by add %s %s', async (...words) => {
    for (const yes of [[], ['--yes']]) {
      const { stderr } = await newPlace().run('add', '--name', 'typed', ...yes, ...words)
      expect(stderr).toContain('adds "typed" to')
      expect(canaryIn(stderr)).toBeUndefined()
    }
  })
})

test('what a project starts is named without its secrets, where nobody is asked', async () => {
  const { path, run } = newPlace()
  put(path, '.mcp.json', { mcpServers: neighbours })
  for (const args of [['config', 'trust'], ['tools'], ['doctor'], ['config', 'trust', '--yes']]) {
    const { stdout, stderr } = await run(...args)
    expect(canaryIn(stdout + stderr), args.join(' ')).toBeUndefined()
    if (args[0] !== 'config') continue
    expect(stderr).toContain('command    "no-such-program"')
    expect(stderr).toContain('env        {"GITHUB_TOKEN":"…","PLAIN":"…"}')
    expect(stderr).toContain('url        "https://a.test/…"')
  }
})
