import { type Authority, readConfig, resolveSpec, type ServerSpec } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

const authority: Authority = {
  kind: 'local',
  env: { TOKEN: 'secret', HOME: '/home/ada' },
  workspaceFolder: '/app',
}

function serversOf(text: string, file: string): ReadonlyMap<string, ServerSpec> {
  const { servers } = readConfig(text, { file })
  return new Map(servers.map((spec) => [spec.name, spec]))
}

/** What is wrong with the one entry, as severity, code and path below it. */
function issuesOf(entry: object, file: string, key: 'servers' | 'mcpServers'): readonly string[] {
  const { servers, issues } = readConfig(JSON.stringify({ [key]: { a: entry } }), { file })
  expect(servers.map(({ name }) => name)).toEqual(
    issues.some(({ severity }) => severity === 'error') ? [] : ['a'],
  )
  return issues.map(({ severity, code, path }) => `${severity} ${code} ${path.slice(`/${key}/a`.length)}`)
}

test('the metadata of a skill names servers by command or by address, without a transport [S0-1] [S0-2] [S0-3] [S0-4] [S0-8] [D6] [D9]', () => {
  const skill = `---
name: librarian
metadata:
  mcp:
    filesystem:
      command: npx
      args: [-y, "@modelcontextprotocol/server-filesystem", ./data]
      env: { LEVEL: debug }
    remote-tools:
      url: https://mcp.example.com/tools
    both: { command: old, url: https://mcp.example.com/new }
---
Read \${this}.
`
  const servers = serversOf(skill, '/app/librarian.skill.md')
  expect([...servers.keys()]).toEqual(['filesystem', 'remote-tools', 'both'])
  expect(servers.get('filesystem')).toMatchObject({
    transport: 'stdio',
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem', './data'],
    env: { LEVEL: 'debug' },
  })
  expect(servers.get('remote-tools')).toMatchObject({
    transport: 'http',
    url: 'https://mcp.example.com/tools',
  })
  expect(servers.get('both')).toMatchObject({ transport: 'http', url: 'https://mcp.example.com/new' })
})

const agents = '/app/.agents/mcp.json'

test('a file in .agents has a version and servers that name their transport [S1-2] [S1-6] [S1-7] [S1-8] [S1-10] [S1-11] [S1-14] [S1-37] [D6] [D7] [D8]', () => {
  const filesystem = { transport: 'stdio', command: 'npx', args: ['-y', 'files'], env: { LEVEL: 'debug' } }
  const search = { transport: 'http', url: 'https://search.test/mcp', headers: { 'X-Team': 'core' } }
  const least = {
    program: { transport: 'stdio', command: 'a' },
    address: { transport: 'http', url: 'https://a.test/' },
  }
  const document = { version: 1, servers: { filesystem, search, ...least } }
  const reading = readConfig(JSON.stringify(document), { file: agents })
  expect(reading).toMatchObject({
    dialect: 'core-agent',
    issues: [],
    servers: [
      { name: 'filesystem', ...filesystem, preset: { stop: { graceMs: 0, termMs: 3000 } } },
      { name: 'search', ...search },
      { name: 'program', args: [], env: {} },
      { name: 'address', headers: {} },
    ],
  })
  const newer = readConfig(JSON.stringify({ ...document, version: 2 }), { file: agents })
  expect(newer.issues).toMatchObject([{ code: 'version_unknown', path: '/version' }])
})

test.each([
  ['names no transport', { command: 'a' }, 'field_missing '],
  ['names an unknown transport', { transport: 'pigeon', command: 'a' }, 'transport_unknown /transport'],
  ['has no command', { transport: 'stdio' }, 'field_missing '],
  ['has no address', { transport: 'http' }, 'field_missing '],
  [
    'has a command and an address',
    { transport: 'stdio', command: 'a', url: 'https://a.test' },
    'url_and_command /url',
  ],
  ['has a command but means HTTP', { transport: 'http', command: 'a' }, 'transport_mismatch /transport'],
])(
  'an entry in .agents that %s is rejected while the file is read [S1-8] [S1-9] [S1-13] [S1-16] [S1-17] [D9]',
  (_what, entry, issue) => {
    expect(issuesOf(entry, agents, 'servers')).toContain(`error ${issue}`)
  },
)

test('variables in .agents are replaced at the start, in env and headers only [S1-12] [S1-15] [S1-18] [S1-19] [S1-20] [S1-21] [D12] [D13] [C16]', async () => {
  const local = {
    transport: 'stdio',
    command: '${env:HOME}/run',
    args: ['${env:TOKEN}'],
    env: { TOKEN: '${env:TOKEN}', GONE: 'x${env:GONE}' },
  }
  const remote = {
    transport: 'http',
    url: 'https://a.test/${env:TOKEN}',
    headers: { Authorization: 'Bearer ${env:TOKEN}' },
  }
  const { servers, issues } = readConfig(JSON.stringify({ version: 1, servers: { local, remote } }), {
    file: agents,
  })
  expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'variable_literal /servers/local/command',
    'variable_literal /servers/local/args/0',
    'variable_literal /servers/remote/url',
  ])
  expect(JSON.stringify(servers)).not.toContain('secret')
  const [started, connected] = await Promise.all(servers.map((spec) => resolveSpec(spec, authority)))
  expect(started?.spec).toMatchObject({
    command: '${env:HOME}/run',
    args: ['${env:TOKEN}'],
    env: { TOKEN: 'secret', GONE: 'x', HOME: '/home/ada' },
  })
  expect(connected?.spec).toMatchObject({ headers: { Authorization: 'Bearer secret' } })
})

test('a file in .yaaf has servers of three types, sse among them over HTTP, and variables in every text [S3-5] [S3-8] [S3-9] [S3-10] [S3-11] [S3-12] [S3-13] [S3-15] [S3-16] [S3-17] [S3-18] [D12]', async () => {
  const text = JSON.stringify({
    servers: {
      docs: {
        type: 'http',
        url: 'https://a.test/${env:TOKEN}',
        headers: { Authorization: 'Bearer ${env:TOKEN}' },
      },
      stream: { type: 'sse', url: 'https://b.test/mcp' },
      local: {
        type: 'stdio',
        command: '${env:HOME}/run',
        args: ['${workspaceFolder}/data', '<${env:GONE}>'],
        env: { KEY: '${env:TOKEN}' },
      },
    },
  })
  const { dialect, servers, issues } = readConfig(text, { file: '/app/.yaaf/mcp.json' })
  expect({ dialect, issues }).toEqual({ dialect: 'yaaf', issues: [] })
  const resolved = await Promise.all(servers.map((spec) => resolveSpec(spec, authority)))
  expect(resolved.map(({ spec }) => spec)).toMatchObject([
    {
      name: 'docs',
      transport: 'http',
      url: 'https://a.test/secret',
      headers: { Authorization: 'Bearer secret' },
    },
    { name: 'stream', transport: 'http', url: 'https://b.test/mcp' },
    {
      name: 'local',
      transport: 'stdio',
      command: '/home/ada/run',
      args: ['/app/data', '<>'],
      env: { KEY: 'secret' },
    },
  ])
})

test('arguments are required where mcpServers are those of a workflow, and optional elsewhere [D10]', () => {
  const entry = { command: 'npx' }
  expect(issuesOf(entry, '/app/mcp-secret.json', 'mcpServers')).toEqual(['error field_missing '])
  expect(issuesOf(entry, '/app/.mcp.json', 'mcpServers')).toEqual([])
})
