import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { useFolder } from './folders.ts'
import { runInProcess } from './in-process.ts'
import { PseudoTerminal } from './pseudo-terminal.ts'
import { crashing, hello, linkHello } from './servers.ts'
import { toolbridge } from './transcript.ts'

const folder = useFolder()

/** For tests to which the process of the server that greets does not matter. */
const linked = { transportOf: linkHello }

function write(document: object): string {
  const file = join(folder.path, 'mcp.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

test('a healthy configuration is described server by server and exits 0 [S3-24] [S3-25] [S3-26]', async () => {
  const result = await toolbridge(['doctor', '--mcp', write({ mcpServers: { hello } })])
  expect(result.code).toBe(0)
  expect(result.stdout).toMatch(/initialize: ok \(protocol 2025-11-25, \d+ ms\)/)
  expect(result.stdout).toContain('tools: 2 discovered: hello__hello, hello__repeat')
})

test('a file elsewhere is read in the dialect that is named [S3-6]', async () => {
  const file = write({ servers: {} })
  const dialectOf = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await runInProcess(['doctor', '--format', 'json', '--mcp', file, ...args])
    return JSON.parse(stdout).mcp.dialect
  }
  expect(await dialectOf()).toBe('vscode')
  expect(await dialectOf('--dialect', 'yaaf')).toBe('yaaf')
  const unknown = await runInProcess(['--dialect', 'nothing', 'tools', '--mcp', file])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown dialect') })
})

test('a server that crashes is shown with the last lines it wrote, the others are examined, and the exit is 3', async () => {
  const result = await runInProcess(['doctor', '--mcp', write({ mcpServers: { hello, crashing } })], linked)
  expect(result.code).toBe(3)
  expect(result.stdout).toContain('initialize: failed')
  expect(result.stdout).toMatch(/ {4}\| \S/)
  expect(result.stdout).toContain('tools: 2 discovered')
})

test('the same as JSON has an active object for each server [S3-24] [S3-25] [S3-27]', async () => {
  const file = write({ servers: { hello: { type: 'stdio', ...hello } } })
  const result = await runInProcess(['doctor', '--format', 'json', '--pretty', '--mcp', file], linked)
  expect(JSON.parse(result.stdout)).toMatchObject({
    mcp: {
      path: file,
      dialect: 'vscode',
      issues: [],
      servers: [
        {
          id: 'hello',
          type: 'stdio',
          active: {
            initialize: { status: 'ok', protocol_version: '2025-11-25' },
            tools: {
              status: 'ok',
              count: 2,
              names: ['hello__hello', 'hello__repeat'],
              discovered: [{ name: 'hello__hello', local_name: 'hello' }, { local_name: 'repeat' }],
            },
          },
        },
      ],
    },
  })
})

test('a broken entry makes the exit 2, is reported with its place, and hides no other', async () => {
  const file = write({ mcpServers: { hello, both: { command: 'x', url: 'http://127.0.0.1:1/mcp' } } })
  const result = await runInProcess(['doctor', '--mcp', file], linked)
  expect(result.code).toBe(2)
  expect(result.stdout).toContain('/mcpServers/both')
  expect(result.stdout).toContain('tools: 2 discovered')
})

test('a file that cannot be read has no dialect to show', async () => {
  const file = join(folder.path, 'mcp.json')
  writeFileSync(file, '{ "mcpServers": ')
  const result = await runInProcess(['doctor', '--mcp', file])
  expect(result).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/mcp\.json\n {2}\S+:1:17: error: not valid/),
  })
})

test('a disabled server is not started', async () => {
  const file = write({ mcpServers: { crashing: { ...crashing, disabled: true } } })
  const result = await runInProcess(['doctor', '--mcp', file])
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('crashing (stdio): disabled') })
})

test('a variable that is not set is a warning of its server, in words and as JSON, and the exit is 0', async () => {
  const file = write({ mcpServers: { hello: { ...hello, env: { TOKEN: '${env:NOT_SET_ANYWHERE}' } } } })
  const text = await runInProcess(['doctor', '--mcp', file], linked)
  expect(text).toMatchObject({ code: 0, stderr: '' })
  expect(text.stdout).toMatch(
    /warning: server "hello": env\/TOKEN uses \$\{env:NOT_SET_ANYWHERE\}, .*set NOT_SET/,
  )
  const json = await runInProcess(['doctor', '--format', 'json', '--mcp', file], linked)
  expect(JSON.parse(json.stdout)).toMatchObject({
    mcp: { servers: [{ id: 'hello', issues: [{ code: 'variable_unset', severity: 'warning' }] }] },
  })
})

test('a variable that cannot be used makes the exit 2', async () => {
  const file = write({ mcpServers: { hello: { ...hello, env: { TOKEN: '${input:token}' } } } })
  const result = await runInProcess(['doctor', '--mcp', file])
  expect(result.code).toBe(2)
  expect(result.stdout).toContain('uses ${input:token}, which has no value')
})

test('the line that says what was wrong is shown, though more was written after it', async () => {
  const lines = [
    'Error: no such table',
    ...Array.from({ length: 14 }, (_unused, index) => `  at frame ${index}`),
  ]
  const program = `console.error(${JSON.stringify(lines.join('\n'))}); process.exit(1)`
  const broken = { command: process.execPath, args: ['-e', program] }
  for (const command of ['doctor', 'tools']) {
    const { stdout, stderr } = await runInProcess([command, '--mcp', write({ mcpServers: { broken } })])
    expect(stdout + stderr).toMatch(/ {4}\| Error: no such table\n[\s\S]* {4}\| {3}at frame 13\n/)
    expect((stdout + stderr).match(/frame 13/g)).toHaveLength(1)
  }
})

test('what a server prints of its variables, arguments and headers is not shown [S3-21] [d.6-8] [C18]', async () => {
  const program = 'console.error(process.env.KEY, process.argv[1]); process.exit(1)'
  const env = { ARGUMENT: canary('argument'), HEADER: canary('header') }
  const leaking = {
    command: process.execPath,
    args: ['-e', program, '${env:ARGUMENT}'],
    env: { KEY: canary('environment') },
  }
  const remote = { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${env:HEADER}' } }
  const file = write({ mcpServers: { leaking, remote } })
  for (const format of [[], ['--format', 'json']]) {
    const { stdout, stderr } = await runInProcess(['doctor', ...format, '--mcp', file], { env })
    expect(stdout).toContain('[redacted]')
    expect(stdout + stderr).not.toContain('Kanarienvogel')
  }
})

test('on a terminal the verdicts are coloured', async () => {
  const screen = new PseudoTerminal(['doctor', '--mcp', write({ mcpServers: { hello } })], folder.path)
  expect(await screen.exit).toBe(0)
  expect(screen.raw).toContain('\u001b[32mok\u001b[39m')
})

/** What `doctor` reports about the rules file beside the configuration. */
async function examinedRules(
  rules: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly rules: string }> {
  const mcp = write({ mcpServers: { hello } })
  const file = join(folder.path, 'mcp.permissions.json')
  writeFileSync(file, rules)
  const args = ['doctor', '--no-active', '--mcp', mcp]
  return { ...(await runInProcess(args, { env: { HOME: folder.path } })), rules: file }
}

test.each([
  ['{\n  "deny": ["hello"] }', ':2:12 /deny/0: error: ', '[permissions_invalid]'],
  ['{ "deny": [ }', ':1:13: error: ', '[syntax]'],
])('a rules file that no command could use is named, and the exit is 2: %s', async (text, position, code) => {
  const result = await examinedRules(text)
  expect(result.code).toBe(2)
  expect(result.stdout).toContain(result.rules + position)
  expect(result.stdout).toContain(code)
})

test.each([
  ['{ "allow": ["mcp://hello/hello"] }', ':1:13 /allow: warning: these "allow" rules have no effect'],
  ['{ "mode": "yolo" }', ':1:11 /mode: warning: mode "yolo" has no effect'],
])('a rules file of a project that would allow calls is a warning: %s', async (text, finding) => {
  const result = await examinedRules(text)
  expect(result.code).toBe(0)
  expect(result.stdout).toContain(result.rules + finding)
  expect(result.stdout).toContain('[permissions_useless]')
})

test('rules files without problems are a stage of the JSON report', async () => {
  const file = join(folder.path, 'mcp.permissions.json')
  writeFileSync(file, '{ "deny": ["mcp://hello/hello"] }')
  const args = ['doctor', '--no-active', '--format', 'json', '--mcp', write({ mcpServers: { hello } })]
  const { stdout } = await runInProcess(args, { env: { HOME: folder.path } })
  expect(JSON.parse(stdout).mcp.stages).toContainEqual({
    stage: 'permissions',
    outcome: 'ok',
    code: 'ok',
    seen: `read ${file}`,
  })
})
