import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { useFolder } from '../folders.ts'
import { runInProcess } from '../in-process.ts'
import { PseudoTerminal } from '../pseudo-terminal.ts'
import type { Finished } from '../transcript.ts'
import { serverSource } from './fault-servers.ts'

const folder = useFolder()

const path = (name: string): string => join(folder.path, name)

function small(...args: readonly string[]): { readonly command: string; readonly args: readonly string[] } {
  writeFileSync(path('server.mjs'), serverSource())
  return { command: process.execPath, args: [path('server.mjs'), ...args] }
}

function write(mcpServers: object): string {
  writeFileSync(path('mcp.json'), JSON.stringify({ mcpServers }, null, 2))
  return path('mcp.json')
}

function doctor(...args: readonly string[]): Promise<Finished> {
  return runInProcess(['doctor', ...args], { cwd: folder.path, env: { HOME: folder.path } })
}

test('the report of a server has its program, times and tokens [C32]', async () => {
  const { stdout, code } = await doctor('--mcp', write({ small: small() }))
  expect(code).toBe(0)
  expect(stdout).toContain(`  program: ${process.execPath}\n`)
  expect(stdout).toMatch(/ {2}time: start \d+ ms, list \d+ ms, round trip [\d.]+ ms\n/)
  expect(stdout).toMatch(/ {2}tokens: about \d+ for the definitions of its tools\n/)
  expect(stdout).toMatch(/0 errors, 0 warnings\n$/)
})

test('initialize and tools have separate errors [S3-26] [S3-27]', async () => {
  const file = write({ mute: small('--silent-list') })
  const text = await doctor('--mcp', file, '--timeout', '0.1')
  expect(text.code).toBe(3)
  expect(text.stdout).toMatch(
    /initialize: ok .*\n {2}tools: failed - the server does not answer tools\/list within 100 ms/,
  )
  const json = await doctor('--mcp', file, '--timeout', '0.1', '--format', 'json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    mcp: {
      exists: true,
      protocol: { latest: '2026-07-28', supported: expect.arrayContaining(['2024-11-05', '2025-11-25']) },
      servers: [
        {
          id: 'mute',
          supported: true,
          active: {
            initialize: { status: 'ok', server_info: { name: 'small' } },
            tools: { status: 'failed', code: 'list_silent', error: expect.stringContaining('tools/list') },
          },
        },
      ],
    },
  })
})

test('the line that names a missing module is shown, though Node writes more after it', async () => {
  writeFileSync(path('server.mjs'), `import 'the-missing-part'\n`)
  const file = write({ broken: { command: process.execPath, args: [path('server.mjs')] } })
  const { stdout } = await doctor('--mcp', file)
  expect(stdout).toMatch(/ {4}\| Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'the-missing-part'/)
  expect(stdout).toContain('    fix: run in the folder of the program: npm install the-missing-part\n')
})

test('--server examines only the named servers, and an unknown name is an error with the known ones', async () => {
  const file = write({ small: small(), broken: { command: 'no-such-program' } })
  const one = await doctor('--mcp', file, '--server', 'small')
  expect(one).toMatchObject({ code: 0, stdout: expect.not.stringContaining('broken') })
  expect(await doctor('--mcp', file, '--server', 'smal')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'unknown server "smal". Did you mean "small"? Configured servers: small, broken',
    ),
  })
})

test('--no-active starts nothing and still finds what is wrong with the files and programs', async () => {
  const entry = {
    command: process.execPath,
    args: ['-e', `fs.writeFileSync(${JSON.stringify(path('started'))}, '')`],
  }
  const file = write({ fine: entry, broken: { command: 'no-such-program' } })
  const { code, stdout } = await doctor('--mcp', file, '--no-active')
  expect(code).toBe(3)
  expect(stdout).toContain('there is no program "no-such-program" in PATH [program_missing]')
  expect(existsSync(path('started'))).toBe(false)
})

test('--strict counts warnings as errors', async () => {
  const file = write({ small: { ...small(), env: { TOKEN: '${env:NOT_SET_ANYWHERE}' } } })
  expect((await doctor('--mcp', file, '--no-active')).code).toBe(0)
  expect((await doctor('--mcp', file, '--no-active', '--strict')).code).toBe(2)
})

test('a bundle is a private file without secrets, and replaying it shows the same report', async () => {
  const secret = canary('bundle')
  const program = `console.error('token ' + process.env.TOKEN); process.exit(1)`
  const file = write({
    leaking: { command: process.execPath, args: ['-e', program], env: { TOKEN: secret } },
  })
  const live = await doctor('--mcp', file, '--bundle', 'report.json')
  expect(live.stderr).toContain('toolbridge doctor --replay report.json')
  const bundle = readFileSync(path('report.json'), 'utf8')
  expect(bundle).not.toContain(secret)
  expect(bundle).not.toContain(folder.path)
  expect(statSync(path('report.json')).mode & 0o777).toBe(0o600)
  const replayed = await doctor('--replay', 'report.json')
  expect(replayed.code).toBe(live.code)
  expect(replayed.stdout).toBe(live.stdout.replaceAll(folder.path, '~'))
  expect(await doctor('--mcp', file, '--bundle', 'report.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('it exists; name a new file'),
  })
})

test.each([
  ['text', 'not a bundle'],
  ['another document', '{ "format": "toolbridge-doctor-1", "report": { "path": null } }'],
  [
    'a result without a stage',
    '{ "format": "toolbridge-doctor-1", "report": { "path": null, "dialect": null, "servers": [], "results": [{}] } }',
  ],
])('--replay refuses %s', async (_what, content) => {
  writeFileSync(path('report.json'), content)
  const { code, stderr } = await doctor('--replay', 'report.json')
  expect(code).toBe(2)
  expect(stderr).toContain('is not a file that doctor --bundle wrote')
  expect((await doctor('--replay', 'gone.json')).stderr).toContain('cannot read --replay gone.json: ENOENT')
})

test('--fix shows the change and makes none without a terminal or --yes', async () => {
  const file = write({ small: { ...small(), autoApprove: ['hello'], env: { KEY: 'as-plain-text' } } })
  const before = readFileSync(file, 'utf8')
  const { stderr } = await doctor('--mcp', file, '--no-active', '--fix')
  expect(stderr).toMatch(/^- autoApprove$/m)
  expect(stderr).toContain('not changed; add --yes to make the change')
  expect(stderr).not.toContain('as-plain-text')
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('without a configuration, doctor says where it looked and which files of other hosts there are', async () => {
  mkdirSync(path('.cursor'))
  writeFileSync(path('.cursor/mcp.json'), JSON.stringify({ mcpServers: { small: small() } }))
  const { stderr } = await doctor()
  expect(stderr).toContain('TOOLBRIDGE_MCP_FILE')
  expect(stderr).toContain(path('.cursor/mcp.json'))
})

test('on a terminal the stage of each server is shown while it runs, and removed at the end', async () => {
  const file = write({ small: small(), other: small() })
  const screen = new PseudoTerminal(['doctor', '--mcp', file], folder.path)
  expect(await screen.exit).toBe(0)
  expect(screen.raw).toMatch(/small: \S+ …\r\nother: \S+ …\r\n/)
  expect(screen.raw).toContain('\u001b[2A\u001b[0J')
})

test('--fix asks at a terminal before it changes the file', async () => {
  const file = write({ small: { ...small(), autoApprove: ['hello'] } })
  const screen = new PseudoTerminal(['doctor', '--mcp', file, '--no-active', '--fix'], folder.path)
  await screen.shows(/autoApprove[\s\S]*Make this change\?/)
  screen.type('y')
  expect(await screen.exit).toBe(0)
  expect(screen.text).toContain('made 1 change; run doctor again')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { small: small() } })
})

test('an input that a person answers at the terminal is not missing', async () => {
  const inputs = [{ id: 'key', type: 'promptString', description: 'The key' }]
  const servers = { small: { type: 'stdio', ...small(), env: { KEY: '${input:key}' } } }
  writeFileSync(path('inputs.json'), JSON.stringify({ inputs, servers }))
  const screen = new PseudoTerminal(['doctor', '--mcp', path('inputs.json')], folder.path)
  await screen.shows(/The key/)
  screen.type('a key\r')
  expect(await screen.exit).toBe(0)
  expect(screen.text).toContain('tools: 1 discovered: small__hello')
  expect(screen.text).not.toContain('no value')
})

test('a missing file is a finding of the stage file', async () => {
  const { code, stdout } = await doctor('--mcp', 'gone.json', '--format', 'json')
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({
    mcp: { exists: false, stages: [{ stage: 'file', code: 'file_missing' }] },
  })
})
