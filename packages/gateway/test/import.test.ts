import {
  type ConfigResponse,
  type ExplainResponse,
  type ImportRequest,
  type ImportResponse,
  paths,
  type Problem,
} from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, expect, test } from 'vitest'
import { linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory, operatorServer } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const secret = canary('pasted')
const lockbox = await openFileLockbox()
const gateway = createTestGateway({
  lockbox,
  principals: ['ada', 'bob', 'cyd'],
  operatorServers: [{ ...operatorServer('taken', 'hello'), enabled: false }],
  // Whatever was pasted is to start: what a person pastes here is on the network.
  transportOf: () => linkInMemory(inMemory('hello')),
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function imported(request: ImportRequest, who = 'ada'): Promise<ImportResponse> {
  const response = await gateway.as(who).post(paths.importServers, request)
  expect(response.status, await response.clone().text()).toBe(200)
  return response.json()
}

async function refused(request: ImportRequest, who = 'bob'): Promise<Problem> {
  const response = await gateway.as(who).post(paths.importServers, request)
  expect(response.status).toBe(422)
  return response.json()
}

async function savedOf(who: string): Promise<ConfigResponse['mcpServers']> {
  const { mcpServers }: ConfigResponse = await (await gateway.as(who).get(paths.config)).json()
  return mcpServers
}

const program = { command: 'npx', args: ['-y', 'files-mcp'], env: { KEY: secret } }

test.each([
  ['JSON', `{ "mcpServers": { "json": ${JSON.stringify(program)} } }`, 'json', program],
  [
    'JSON of VS Code with inputs',
    `{ "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }],
       "servers": { "code": { "type": "stdio", "command": "npx", "args": ["-y", "files-mcp"], "env": { "KEY": "\${input:key}" } } } }`,
    'code',
    program,
  ],
  [
    'TOML of Codex',
    `[mcp_servers.toml]\ncommand = "npx"\nargs = ["-y", "files-mcp"]\nenv = { KEY = "${secret}" }\ntool_timeout_sec = 20\n`,
    'toml',
    { ...program, timeouts: { callMs: 20_000 } },
  ],
  [
    'YAML of Continue',
    `name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: continue\n    command: npx\n    args: [-y, files-mcp]\n    env: { KEY: ${secret} }\n`,
    'continue',
    program,
  ],
  [
    'YAML of Goose',
    `extensions:\n  goose:\n    type: stdio\n    enabled: true\n    cmd: npx\n    args: [-y, files-mcp]\n    envs: { KEY: ${secret} }\n`,
    'goose',
    program,
  ],
  [
    'claude mcp add',
    `claude mcp add --scope user -e KEY=${secret} claude -- npx -y files-mcp`,
    'claude',
    program,
  ],
  ['a command', `KEY=${secret} npx -y files-mcp`, 'files', program],
  ['a URL', 'https://mcp.address.example/mcp', 'address', { url: 'https://mcp.address.example/mcp' }],
  [
    'an entry',
    JSON.stringify({ ...program, args: ['-y', 'bare-mcp'] }),
    'bare',
    { ...program, args: ['-y', 'bare-mcp'] },
  ],
])('%s is explained, saved as it was explained, and started', async (_, text, name, entry) => {
  const values = { 'input:key': secret }
  const explained: ExplainResponse = await (await gateway.as('ada').post(paths.explain, { text })).json()
  expect(explained.servers).toMatchObject([{ name, state: 'on' }])
  expect(explained.servers[0]?.entry).toMatchObject(
    'url' in entry ? entry : { command: 'npx', args: entry.args },
  )
  expect(JSON.stringify(explained)).not.toContain(secret)
  const { servers, warnings } = await imported({ text, values })
  expect([servers, warnings]).toEqual([[name], undefined])
  expect((await savedOf('ada'))[name]).toEqual(entry)
  await untilServer(gateway.as('ada'), name, 'ready')
})

test('variables of a text are asked for with what the text says about them', async () => {
  const text = `{ "inputs": [
      { "type": "promptString", "id": "key", "description": "API key", "password": true },
      { "type": "pickString", "id": "zone", "options": ["eu", "us"], "default": "eu" } ],
    "servers": { "a": { "url": "https://a.example/\${input:zone}", "headers": { "K": "\${input:key}", "T": "\${env:TOKEN}" } } } }`
  const { servers }: ExplainResponse = await (await gateway.as('ada').post(paths.explain, { text })).json()
  expect(servers[0]?.asks).toEqual([
    { variable: 'input:zone', options: ['eu', 'us'], default: 'eu' },
    { variable: 'input:key', description: 'API key', isSecret: true },
    { variable: 'env:TOKEN', isSecret: true },
  ])
  await imported({ text, values: { 'input:key': 'has ${env:HOME} in it' } }, 'cyd')
  expect(await savedOf('cyd')).toMatchObject({
    a: { url: 'https://a.example/eu', headers: { K: 'has $${env:HOME} in it', T: '${env:TOKEN}' } },
  })
})

test('chosen servers are saved under chosen names, and one that exists is replaced only on request', async () => {
  const text =
    '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" }, "c": { "command": "z" } } }'
  const chosen = { text, servers: [{ name: 'a', as: 'one' }, { name: 'b' }] }
  expect((await imported(chosen, 'bob')).servers).toEqual(['one', 'b'])
  expect(Object.keys(await savedOf('bob'))).toEqual(['one', 'b'])
  const { issues } = await refused({ text, servers: [{ name: 'c', as: 'b' }] })
  expect(issues).toEqual([{ path: '/servers/0/as', message: expect.stringContaining('"b" already') }])
  await imported({ text, servers: [{ name: 'c', as: 'b', replaces: true }] }, 'bob')
  expect(await savedOf('bob')).toMatchObject({ one: { command: 'x' }, b: { command: 'z' } })
})

test.each([
  [
    'a name of the operator',
    { text: 'npx some', servers: [{ name: 'some', as: 'taken' }] },
    /already has a server/,
    'local',
  ],
  ['a server that is not there', { text: 'npx some', servers: [{ name: 'y' }] }, /no server "y"/, 'bob'],
  [
    'one name for two',
    {
      text: '{ "a": { "command": "x" }, "b": { "command": "y" } }',
      servers: [{ name: 'a' }, { name: 'b', as: 'a' }],
    },
    /two servers/,
    'bob',
  ],
  [
    'a server that uses this machine',
    { text: '{ "a": { "command": "x", "cwd": "/etc" } }', servers: [{ name: 'a' }] },
    /"cwd" is not supported/,
    'bob',
  ],
  [
    'a variable that is unset',
    { text: '{ "servers": { "a": { "command": "x", "env": { "A": null } } } }' },
    /a part of "env"/,
    'bob',
  ],
  ['no server', { text: '{ "mcpServers": {' }, /./, 'bob'],
])('%s is refused with a reason, and nothing is saved', async (_, request, reason, who) => {
  const before = await savedOf(who)
  const { issues = [] } = await refused(request, who)
  expect(issues.map(({ message }) => message).join()).toMatch(reason)
  expect(await savedOf(who)).toEqual(before)
})
