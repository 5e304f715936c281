import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ConfigError } from '@toolbridge/bridge'
import {
  type Authority,
  type HttpServerSpec,
  resolveSpec,
  type StdioServerSpec,
} from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning } from '../../servers/specs.ts'

const source = { file: '/project/mcp.json', pointer: '/mcpServers/a' }
const commons = { name: 'a', enabled: true, required: false, source }

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-'))
})

afterEach(() => rm(folder, { recursive: true }))

function local(env: Readonly<Record<string, string>> = {}): Authority {
  return { kind: 'local', env, workspaceFolder: folder }
}

function stdio(spec: Partial<StdioServerSpec>): StdioServerSpec {
  return { ...commons, transport: 'stdio', command: 'a', args: [], env: {}, ...spec }
}

function http(spec: Partial<HttpServerSpec>): HttpServerSpec {
  return { ...commons, transport: 'http', url: 'https://a.test/', headers: {}, ...spec }
}

async function resolvedEnv(
  spec: Partial<StdioServerSpec>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly env: object; readonly inheritEnv: string }> {
  const { spec: resolved } = await resolveSpec(stdio(spec), local(env))
  if (resolved.transport !== 'stdio') throw new Error('expected a program')
  return { env: resolved.env, inheritEnv: resolved.inheritEnv ?? 'safe' }
}

describe('an environment file', () => {
  test('may have a byte order mark, Windows line ends, comments, quotes, export and blanks; nothing is expanded [d.6-9] [C17] [D16] [S3-19]', async () => {
    const lines = [
      '\uFEFFFIRST=1',
      '# a comment',
      '',
      'export EXPORTED = yes ',
      `QUOTED="two words" # why`,
      `SINGLE='a # b'`,
      'INLINE=value # comment',
      'HASH=a#b',
      'EMPTY=',
      '=nameless',
      'no equals sign',
      'REF=${FIRST} ${env:FIRST}',
    ]
    await writeFile(join(folder, '.env'), lines.join('\r\n'))
    expect((await resolvedEnv({ envFile: '.env' })).env).toEqual({
      FIRST: '1',
      EXPORTED: 'yes',
      QUOTED: 'two words',
      SINGLE: 'a # b',
      INLINE: 'value',
      HASH: 'a#b',
      EMPTY: '',
      REF: '${FIRST} ${env:FIRST}',
    })
  })

  test('goes behind what the entry says itself, and before what is handed on [S3-14] [S3-20] [C17]', async () => {
    await writeFile(join(folder, 'x.env'), 'A=file\nB=file\n')
    const spec = {
      envFile: '${workspaceFolder}/x.env',
      env: { A: 'entry' },
      inheritNames: ['B', 'C', 'GONE'],
    }
    expect((await resolvedEnv(spec, { B: 'outer', C: 'outer' })).env).toEqual({
      A: 'entry',
      B: 'file',
      C: 'outer',
    })
  })
})

describe('what is inherited', () => {
  const outer = { PATH: '/bin', HOME: '/home/ada', TOKEN: 'secret', SHELL_FUNCTION: '() { :; }' }

  test('is what a program needs by default [D15]', async () => {
    expect(await resolvedEnv({ env: { A: '1' } }, outer)).toEqual({ env: { A: '1' }, inheritEnv: 'safe' })
  })

  test('can be everything, but for functions of old shells [D15]', async () => {
    const { SHELL_FUNCTION: _function, ...usable } = outer
    expect(await resolvedEnv({ inheritEnv: 'all', env: { A: '1' } }, outer)).toEqual({
      env: { ...usable, A: '1' },
      inheritEnv: 'none',
    })
    expect(await resolvedEnv({ policy: { 'env.inherit': 'all' } }, outer)).toEqual({
      env: usable,
      inheritEnv: 'none',
    })
  })

  test('can be nothing', async () => {
    expect(await resolvedEnv({ inheritEnv: 'none' }, outer)).toEqual({ env: {}, inheritEnv: 'none' })
  })

  test('can be without some of it', async () => {
    expect(await resolvedEnv({ unsetEnv: ['HOME'] }, outer)).toEqual({
      env: { PATH: '/bin' },
      inheritEnv: 'none',
    })
  })

  test('is where VS Code adds to the path instead of replacing it', async () => {
    const spec = { env: { PATH: '/opt' }, policy: { 'env.path': 'append' } } as const
    expect((await resolvedEnv(spec, outer)).env).toEqual({ PATH: `/bin${delimiter}/opt`, HOME: '/home/ada' })
    expect((await resolvedEnv({ env: { PATH: '/opt' } }, outer)).env).toEqual({ PATH: '/opt' })
  })
})

describe('paths start', () => {
  test('from the folder around that of the host, from the file or from the workspace, as the dialect has it', async () => {
    const inVsCode = { ...source, file: '/home/ada/app/.vscode/mcp.json' }
    const cwdOf = async (spec: Partial<StdioServerSpec>): Promise<string | undefined> => {
      const { spec: resolved } = await resolveSpec(stdio(spec), local())
      return resolved.transport === 'stdio' ? resolved.cwd : undefined
    }
    expect(await cwdOf({ cwd: 'x' })).toBe(join(folder, 'x'))
    expect(await cwdOf({ source: inVsCode, policy: { 'vars.workspace': ['.vscode'] } })).toBe('/home/ada/app')
    expect(await cwdOf({ source: inVsCode, policy: { 'paths.base': 'config-folder' } })).toBe(
      '/home/ada/app/.vscode',
    )
    expect(
      await cwdOf({ source: { ...source, file: 'code' }, policy: { 'paths.base': 'config-folder' } }),
    ).toBe(folder)
  })
})

describe('a file in place of a text', () => {
  test('is put there without the blanks around it, not expanded, and found beside the configuration', async () => {
    await writeFile(join(folder, 'token'), '  ${env:A}\n')
    const beside = { ...source, file: join(folder, 'mcp.json') }
    expect((await resolvedEnv({ source: beside, env: { T: '${file:token}' } })).env).toEqual({
      T: '${env:A}',
    })
    expect(
      (await resolvedEnv({ source: { ...source, file: 'code' }, env: { T: '${file:./token}' } })).env,
    ).toEqual({
      T: '${env:A}',
    })
  })

  test('that is not there is an error, or stays as it is written where the host leaves it', async () => {
    await expect(resolveSpec(stdio({ args: ['${file:gone}'] }), local())).rejects.toThrow(
      'a file that cannot be read',
    )
    const kept = stdio({ args: ['${file:/gone}'], dialect: 'windsurf', policy: { 'vars.file': 'keep' } })
    const { spec, issues } = await resolveSpec(kept, local())
    expect(spec).toMatchObject({ args: ['${file:/gone}'] })
    expect(issues).toMatchObject([{ code: 'file_unreadable', severity: 'warning' }])
  })
})

describe('a helper that prints headers', () => {
  const print = (text: string): NonNullable<HttpServerSpec['headersHelper']> => ({
    command: process.execPath,
    args: ['-e', `process.stdout.write(${JSON.stringify(text)})`],
  })

  test('adds to the headers and goes before them', async () => {
    const spec = http({ headers: { A: '1', B: '1' }, headersHelper: print('{ "B": "2", "C": "${env:X}" }') })
    const { spec: resolved } = await resolveSpec(spec, local())
    expect(resolved).toMatchObject({ headers: { A: '1', B: '2', C: '${env:X}' } })
    expect(resolved).not.toHaveProperty('headersHelper')
  })

  test.each([
    ['prints something else', print('not json')],
    ['prints no texts', print('{ "A": 1 }')],
    ['prints a header that starts another', print('{ "A": "x\\r\\nB: y" }')],
    ['fails', { command: process.execPath, args: ['-e', 'process.exit(3)'] }],
    ['is not there', { command: '/not/there', args: [] }],
  ])('that %s keeps its server from starting', async (_what, headersHelper) => {
    await expect(resolveSpec(http({ headersHelper }), local())).rejects.toThrow(ConfigError)
  })

  test('that does not want to end is ended when the start is given up', async () => {
    const file = join(folder, 'pid')
    const script = `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
    const controller = new AbortController()
    const resolving = resolveSpec(
      http({ headersHelper: { command: process.execPath, args: ['-e', script] } }),
      local(),
      {
        signal: controller.signal,
      },
    )
    const pid = async (): Promise<number> => Number(await readFile(file, 'utf8').catch(() => ''))
    await expect.poll(pid).toBeGreaterThan(0)
    const helper = await pid()
    controller.abort(new Error('enough'))
    await expect(resolving).rejects.toThrow('enough')
    await expect.poll(() => isRunning(helper)).toBe(false)
  })

  test("of a project's file runs only when somebody agreed, and sees nothing of the person's secrets", async () => {
    const seen = {
      command: process.execPath,
      args: ['-p', 'JSON.stringify({ Seen: String(process.env.TOKEN) })'],
    }
    const spec = http({ headersHelper: seen, source: { ...source, kind: 'project' } })
    const authority = local({ TOKEN: canary('token'), PATH: process.env['PATH'] ?? '' })
    await expect(resolveSpec(spec, authority)).rejects.toMatchObject({ issues: [{ code: 'untrusted' }] })
    expect((await resolveSpec(spec, authority, { isTrusted: true })).spec).toMatchObject({
      headers: { Seen: 'undefined' },
    })
    const own = http({ headersHelper: seen, source: { ...source, kind: 'user' } })
    expect((await resolveSpec(own, authority)).spec).toMatchObject({ headers: { Seen: canary('token') } })
  })
})
