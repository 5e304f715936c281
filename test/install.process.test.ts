import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { scriptedModel, type ScriptedModelOptions } from '@toolbridge/testkit/models'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readText, root } from './house/repository.ts'

/**
 * The packed packages, installed into an empty folder. `npm test` unpacks them next to the dependencies that they declare,
 * because npm takes ten seconds of CPU time for it, and uses the Node it runs on. `npm run test:install` installs them with
 * npm, and also downloads and uses the newest release of every supported major version.
 */
const isLong = process.env['TOOLBRIDGE_LONG'] !== undefined
const majors = isLong ? ['20', '22', '24'] : []

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'toolbridge-install-'))
const config = join(folder, 'mcp.json')
/** Not through npx, which takes longer than most commands and would have to pass signals on. */
const command = join(folder, 'node_modules', '.bin', 'toolbridge')
const hello = { command: process.execPath, args: [fixtureServers.hello] }

beforeAll(async () => {
  const tarballs = await packPackages()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await (isLong ? npm(['install', ...tarballs]) : unpack(tarballs))
  writeFileSync(config, JSON.stringify({ mcpServers: { hello } }))
  writeFileSync(join(folder, 'program.mjs'), program)
  writeFileSync(join(folder, 'greet.ts'), greet)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = `
import { localAuthority, openBridge, readConfig, toText } from '@toolbridge/bridge'
const text = ${JSON.stringify(JSON.stringify({ mcpServers: { hello } }))}
const { servers } = readConfig(text, { file: 'mcp.json' })
const bridge = await openBridge({ servers, authority: localAuthority(), permissions: { mode: 'allow' } })
try {
  console.log(toText(await bridge.call('hello__hello', { name: 'Ada' })))
} finally {
  await bridge.close()
}
`

const greet = `
import type { ScriptContext } from 'toolbridge'
import { toText } from '@toolbridge/bridge'
export default async function greet({ bridge, args: [name] }: ScriptContext): Promise<string> {
  return toText(await bridge.call('hello__hello', { name }))
}
`

/** A model that calls a tool, and repeats its result. */
const greeting: ScriptedModelOptions['turns'] = ({ results: [text] }) =>
  text === undefined ? { calls: [{ tool: 'hello__hello', input: { name: 'Ada' } }] } : { text }

describe.each(['current', ...majors])('installed from tarballs, on Node %s', (version) => {
  let node = process.execPath

  beforeAll(async () => {
    if (version !== 'current') node = await installNode(version)
  })

  test('npx toolbridge --version prints the version', async () => {
    const { stdout } = await run('npx', ['--no-install', 'toolbridge', '--version'], {
      cwd: folder,
      env: environment(node),
    })
    expect(stdout).toBe(`toolbridge ${String(manifestOf('packages/cli/package.json')['version'])}\n`)
  })

  test('doctor starts a server and finds its tools', async () => {
    const { stdout } = await run(command, ['doctor', '--mcp', config], {
      cwd: folder,
      env: environment(node),
    })
    expect(stdout).toContain('tools: 2 discovered: hello__hello, hello__repeat')
  })

  test('serve prints its address, answers, and stops on SIGTERM', async () => {
    const serving = serve(node)
    const response = await fetch(/Open (\S+)/.exec(await firstLineOf(serving))?.[1] ?? '')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/html')
    serving.kill('SIGTERM')
    expect(await once(serving, 'exit')).toEqual([0, null])
  })

  test('ask lets a model call a tool', async () => {
    await using model = await scriptedModel({ shape: 'compatible', turns: greeting })
    const words = ['ask', 'Greet Ada.', '--yes', '--model', model.name, '--base-url', model.baseUrl]
    const { stdout, stderr } = await run(command, [...words, '--mcp', config], {
      cwd: folder,
      env: environment(node),
    })
    expect({ stdout, stderr }).toEqual({ stdout: 'Hello, Ada!\n', stderr: '' })
  })

  test('run runs a program in TypeScript', async () => {
    const options = { cwd: folder, env: environment(node) }
    const { stdout, stderr } = await run(command, ['run', 'greet.ts', 'Ada', '--mcp', config], options)
    expect({ stdout, stderr }).toEqual({ stdout: 'Hello, Ada!\n', stderr: '' })
  })

  test('a program calls a tool through the library', async () => {
    const { stdout, stderr } = await run(node, ['program.mjs'], { cwd: folder, env: environment(node) })
    expect({ stdout, stderr }).toEqual({ stdout: 'Hello, Ada!\n', stderr: '' })
  })
})

/**
 * Gives each package the dependencies that it declares and no others, and links its programs. The AI SDK, an optional peer of the
 * bridge, is a dependency of the agent, and npm puts it where both find it.
 */
async function unpack(tarballs: readonly string[]): Promise<void> {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  link(installedFor('@toolbridge/agent', 'ai'), join(modules, 'ai'))
  for (const tarball of tarballs) {
    const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json'])
    const { name, dependencies = {}, bin = {} }: Manifest = JSON.parse(stdout)
    const target = join(modules, name)
    mkdirSync(target, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
    for (const dependency of Object.keys(dependencies).filter((each) => !each.startsWith('@toolbridge/')))
      link(installedFor(name, dependency), join(target, 'node_modules', dependency))
    for (const [program, file] of Object.entries(bin))
      link(join(target, file), join(modules, '.bin', program))
  }
}

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
}

/** Where this repository has a dependency of one of its packages. */
function installedFor(name: string, dependency: string): string {
  const own = join(root, 'node_modules', name, 'node_modules', dependency)
  return existsSync(own) ? own : join(root, 'node_modules', dependency)
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** Packs every package that is published, in one run of npm. */
async function packPackages(): Promise<readonly string[]> {
  const names = readdirSync(join(root, 'packages')).filter(
    (name) => manifestOf(`packages/${name}/package.json`)['private'] !== true,
  )
  const destination = join(folder, 'tarballs')
  mkdirSync(destination)
  const folders = names.map((name) => `./packages/${name}`)
  await run('npm', ['pack', ...folders, '--pack-destination', destination], { cwd: root })
  const files = readdirSync(destination)
  expect(files).toHaveLength(names.length)
  return files.map((file) => join(destination, file))
}

/** Installs the program of Node, which npm has as a package for each platform, and returns its path. */
async function installNode(major: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const prefix = join(folder, `node-${major}`)
  mkdirSync(prefix)
  writeFileSync(join(prefix, 'package.json'), JSON.stringify({ private: true }))
  await npm(['install', '--prefix', prefix, `${name}@${major}`])
  const node = join(prefix, 'node_modules', name, 'bin', 'node')
  const { stdout } = await run(node, ['--version'])
  expect(stdout).toMatch(new RegExp(`^v${major}\\.`))
  return node
}

/** Prefers what `npm ci` of this repository has put into npm's cache. */
function npm(args: readonly string[]): Promise<unknown> {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  return run('npm', [...args, ...quiet], { cwd: folder })
}

/** Without optimizing the code of the database, which takes a second. */
function serve(node: string): ChildProcess {
  const data = mkdtempSync(join(folder, 'data-'))
  return spawn(node, ['--liftoff-only', command, 'serve', '--port', '0', '--data', data], {
    cwd: folder,
    env: environment(node),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Programs that begin with `#!/usr/bin/env node` run on this Node. */
function environment(node: string): NodeJS.ProcessEnv {
  return { PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`, HOME: folder }
}

function manifestOf(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readText(file))
}
