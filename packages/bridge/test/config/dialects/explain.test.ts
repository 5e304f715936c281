import { explainConfig, readConfig, writeConfig } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

const codex = '/home/ada/.codex/config.toml'

test('every field is explained with what became of it, why and where', () => {
  const text = [
    '[mcp_servers.a]',
    'command = "a"',
    'tool_timeout_sec = 60',
    'supports_parallel_tool_calls = true',
    'environment_id = "e"',
    'whatever = 1',
  ].join('\n')
  const { fields, servers } = explainConfig(text, { file: codex })
  expect(servers).toEqual([])
  expect(
    fields.map(({ path, line, column, outcome }) => `${path.split('/').at(-1)} ${line}:${column} ${outcome}`),
  ).toEqual([
    'command 2:11 kept',
    'tool_timeout_sec 3:20 translated',
    'supports_parallel_tool_calls 4:32 dropped',
    'environment_id 5:18 refused',
    'whatever 6:12 dropped',
  ])
  expect(fields.every(({ server, reason }) => server === 'a' && reason !== '')).toBe(true)
  expect(fields[1]?.reason).toBe('timeouts.callMs: in seconds')
})

test('every policy is explained with its value and where that comes from', () => {
  const { policies } = explainConfig('{ "servers": {} }', { file: '/code/.yaaf/mcp.json' })
  expect(policies).toContainEqual({ policy: 'naming.separator', value: '.', from: 'dialect' })
  expect(policies).toContainEqual({ policy: 'vars.unset', value: 'empty', from: 'default' })
})

describe('a conversion', () => {
  test('translates secrets by reference, units and filters into the words of the other host', () => {
    const text = JSON.stringify({
      mcpServers: {
        remote: {
          httpUrl: 'https://a.test/mcp',
          headers: { Authorization: 'Bearer $TOKEN', 'X-Org': '${ORG}', 'X-Static': '1' },
          timeout: 1500,
          includeTools: ['read'],
          excludeTools: ['drop'],
        },
        local: { command: 'a', env: { KEY: '$KEY', PLAIN: 'v' } },
      },
      mcp: { excluded: ['local'] },
    })
    const { servers } = readConfig(text, { file: '/home/ada/.gemini/settings.json' })
    const { text: toml, unwritableFields } = writeConfig(servers, { dialect: 'codex' })
    expect(unwritableFields).toEqual([])
    expect(toml).toBe(
      [
        '[mcp_servers.remote]',
        'url = "https://a.test/mcp"',
        'bearer_token_env_var = "TOKEN"',
        'env_http_headers = { X-Org = "ORG" }',
        'http_headers = { X-Static = "1" }',
        'tool_timeout_sec = 1.5',
        'enabled_tools = ["read"]',
        'disabled_tools = ["drop"]',
        '',
        '[mcp_servers.local]',
        'command = "a"',
        'env_vars = ["KEY"]',
        'env = { PLAIN = "v" }',
        'enabled = false',
        '',
      ].join('\n'),
    )
  })

  test('leaves a server out whose filter, approval or switch the other host cannot keep', () => {
    const text = [
      '[mcp_servers.filtered]\ncommand = "a"\nenabled_tools = ["read"]',
      '[mcp_servers.asking]\ncommand = "b"\ndefault_tools_approval_mode = "prompt"',
      '[mcp_servers.off]\ncommand = "c"\nenabled = false',
      '[mcp_servers.slow]\ncommand = "d"\ntool_timeout_sec = 60\nrequired = true',
    ].join('\n')
    const { servers } = readConfig(text, { file: codex })
    const { text: json, unwritableFields, policies } = writeConfig(servers, { dialect: 'core-agent' })
    expect(unwritableFields).toEqual([
      {
        server: 'filtered',
        field: 'tools.allow',
        outcome: 'refused',
        reason: 'core-agent has no equivalent field',
      },
      {
        server: 'asking',
        field: 'approval.default',
        outcome: 'refused',
        reason: 'core-agent has no equivalent field',
      },
      { server: 'off', field: 'enabled', outcome: 'refused', reason: 'core-agent has no equivalent field' },
      { server: 'slow', field: 'required', outcome: 'dropped', reason: 'core-agent has no equivalent field' },
      {
        server: 'slow',
        field: 'timeouts.callMs',
        outcome: 'dropped',
        reason: 'core-agent has no equivalent field',
      },
    ])
    expect(JSON.parse(json)).toEqual({ version: 1, servers: { slow: { transport: 'stdio', command: 'd' } } })
    expect(policies).toContainEqual({ policy: 'env.inherit', from: 'safe', to: 'all' })
  })

  test('never turns a reference to a secret into text', () => {
    const text = JSON.stringify({
      servers: {
        args: { type: 'stdio', command: 'a', args: ['${env:KEY}'] },
        header: {
          type: 'http',
          url: 'https://a.test/',
          headers: { 'X-Key': 'key ${input:key}', 'X-Place': '${workspaceFolder}' },
        },
      },
    })
    const { servers } = readConfig(text, { file: '/code/.vscode/mcp.json' })
    const { text: toml, unwritableFields } = writeConfig(servers, { dialect: 'codex' })
    expect(toml).not.toContain('${')
    expect(unwritableFields).toEqual([
      {
        server: 'args',
        field: 'args',
        outcome: 'refused',
        reason: 'the dialect cannot express the variable KEY there',
      },
      {
        server: 'header',
        field: 'headers',
        outcome: 'dropped',
        reason:
          'X-Key: the dialect cannot express the input key there; X-Place: the dialect cannot express ${workspaceFolder} there',
      },
    ])
  })

  test('of a remote server into a dialect of programs leaves it out and says so', () => {
    const { servers } = readConfig('[{ "name": "r", "url": "https://a.test/" }]', { file: 'servers.json' })
    const { text, unwritableFields } = writeConfig(servers, { dialect: 'lucky' })
    expect(JSON.parse(text)).toEqual({ mcpServers: {} })
    expect(unwritableFields).toEqual([
      { server: 'r', field: 'url', outcome: 'refused', reason: 'lucky does not support http servers' },
    ])
  })

  test('into a dialect that is only read is a mistake of the caller', () => {
    expect(() => writeConfig([], { dialect: 'cline' })).toThrow(TypeError)
  })
})

test.each([
  ['{ "amp.mcpServers": { "a": { "command": "a" } }, "amp.tools.disable": ["drop"] }', '/amp.tools.disable'],
  [
    '{ "amp": { "mcpServers": { "a": { "command": "a" } }, "tools": { "disable": ["drop"] } } }',
    '/amp/tools/disable',
  ],
])('the disabled tools of Amp are denied and explained: %s', (text, path) => {
  const { fields, servers } = explainConfig(text, { file: '/code/.amp/settings.json' })
  expect(servers).toMatchObject([{ name: 'a', tools: { deny: ['drop'] } }])
  expect(fields).toContainEqual(
    expect.objectContaining({ server: '', path, outcome: 'translated', reason: 'tools.deny' }),
  )
})

test('rules of Amp that restrict servers refuse them, also in a nested object', () => {
  const permissions = [{ tool: 'mcp__a__*', action: 'reject' }]
  const text = JSON.stringify({ amp: { mcpServers: { a: { command: 'a' } }, permissions } })
  const { servers, refused } = readConfig(text, { file: '/code/.amp/settings.json' })
  expect({ servers, refused }).toEqual({ servers: [], refused: ['a'] })
})
