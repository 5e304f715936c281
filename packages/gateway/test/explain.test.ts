import { type ExplainResponse, paths, type Problem } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, expect, test } from 'vitest'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { operatorServer } from './support/specs.ts'
import { serversOf } from './support/waiting.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({
  lockbox,
  savedPrograms: false,
  operatorServers: [{ ...operatorServer('taken', 'hello'), enabled: false }],
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function explained(text: string, who = 'ada'): Promise<ExplainResponse> {
  return (await gateway.as(who).post(paths.explain, { text })).json()
}

test.each([
  ['JSON', `{ "mcpServers": { "files": { "command": "npx", "env": { "KEY": "${canary('pasted')}" } } } }`],
  ['TOML', `[mcp_servers.files]\ncommand = "npx"\nenv = { KEY = "${canary('pasted')}" }\n`],
  ['YAML', `mcpServers:\n  files:\n    command: npx\n    env: { KEY: ${canary('pasted')} }\n`],
  ['an entry', `"files": { "command": "npx", "env": { "KEY": "${canary('pasted')}" } }`],
  ['a command', `KEY=${canary('pasted')} npx files`],
  ['claude mcp add', `claude mcp add -e KEY=${canary('pasted')} files -- npx`],
])('%s is reported with names and without values', async (_, text) => {
  const report = await explained(text)
  expect(report.servers).toMatchObject([{ name: 'files', state: 'on', reasons: [] }])
  expect(report.servers[0]?.definition).toMatchObject({
    transport: 'stdio',
    program: { command: 'npx' },
    environment: { sets: ['KEY'] },
  })
  expect(JSON.stringify(report)).not.toContain(canary('pasted'))
})

test('a URL is reported without its credentials', async () => {
  const { kind, servers } = await explained(`https://me:${canary('pasted')}@mcp.sentry.dev/mcp`)
  expect([kind, servers[0]?.name]).toEqual(['url', 'sentry'])
})

test('every field has its outcome and position, and the rules of the host are named', async () => {
  const { fields, hostRules, dialect } = await explained(
    '{ "servers": { "a": {\n "command": "x", "gallery": true } } }',
  )
  expect(dialect).toBe('vscode')
  expect(fields).toContainEqual(
    expect.objectContaining({ server: 'a', path: '/servers/a/command', line: 2, outcome: 'kept' }),
  )
  expect(fields.map(({ outcome }) => outcome)).toContain('dropped')
  expect(hostRules.length).toBeGreaterThan(0)
})

test('what prevents a server from being saved is an issue', async () => {
  const { issues } = await explained('{ "mcpServers": { "taken": { "command": "x" } } }', 'local')
  expect(issues.map(({ code }) => code).toSorted()).toEqual(['name_taken', 'program_not_allowed'])
})

test('a server that uses this machine is refused, because it could not be saved', async () => {
  const { servers } = await explained('{ "mcpServers": { "a": { "command": "x", "cwd": "/etc" } } }')
  expect(servers).toMatchObject([{ name: 'a', state: 'refused', reasons: [{ fix: expect.any(String) }] }])
})

test('a text that is no configuration is a report with an error', async () => {
  expect(await explained('{ "mcpServers": {')).toMatchObject({
    servers: [],
    issues: [{ severity: 'error', line: expect.any(Number) }],
  })
})

test('nothing is saved and nothing is started', async () => {
  await explained('{ "mcpServers": { "files": { "url": "https://files.example/mcp" } } }')
  expect(await (await gateway.as('ada').get(paths.config)).json()).toEqual({ mcpServers: {} })
  expect(await serversOf(gateway.as('ada'))).toEqual([])
})

test('a text above the limit is refused', async () => {
  const response = await gateway.as('ada').post(paths.explain, { text: 'x'.repeat(262_145) })
  const { code, issues }: Problem = await response.json()
  expect([response.status, code, issues?.[0]?.path]).toEqual([422, 'invalid_request', '/text'])
})

test('a long text is read in a thread of its own, with the same report', async () => {
  const entry = { command: 'npx', args: ['a'.repeat(5_000)], env: { KEY: canary('pasted') } }
  const report = await explained(JSON.stringify({ mcpServers: { files: entry, taken: entry } }))
  expect(report.servers.map(({ name }) => name)).toEqual(['files', 'taken'])
  expect(report.issues.map(({ code }) => code)).toContain('program_not_allowed')
  expect(JSON.stringify(report)).not.toContain(canary('pasted'))
})

test('the gateway goes on while a long text is read', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns += 1
    next = setImmediate(turn)
  })
  const { kind } = await explained(`#${' '.repeat(250_000)}\n{"mcpServers":{}}`)
  clearImmediate(next)
  expect(kind).toBe('document')
  // Read in this thread, it would be one turn; a thread does not start within hundreds.
  expect(turns).toBeGreaterThan(100)
})
