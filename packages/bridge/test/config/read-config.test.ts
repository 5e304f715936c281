import { localAuthority, readConfig, resolveSpec } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

const file = '/project/mcp.json'

/** One line per issue: severity, code, path. */
function issuesOf(text: string, dialect?: string): readonly string[] {
  const { issues } = readConfig(text, { file, ...(dialect === undefined ? {} : { dialect }) })
  return issues.map(
    (issue) => `${issue.severity} ${issue.code} ${issue.path || '/'} ${issue.line}:${issue.column}`,
  )
}

function namesOf(text: string): readonly string[] {
  return readConfig(text, { file }).servers.map((server) => server.name)
}

test('a configuration becomes specs that know where they were written [D13]', () => {
  const reading = readConfig(
    `{
      // both kinds
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files"], "env": { "KEY": "\${env:KEY}" }, "cwd": "work" },
        "far/away": { "type": "http", "url": "https://example.test/mcp", "headers": { "X-A": "1" }, "disabled": true },
      },
    }`,
    { file },
  )
  expect(reading).toEqual({
    dialect: 'mcp-servers',
    issues: [],
    positions: {
      disabled: { 'far/away': { path: '/mcpServers/far~1away/disabled', line: 5, column: 113 } },
      refused: {},
    },
    servers: [
      {
        name: 'files',
        transport: 'stdio',
        enabled: true,
        required: false,
        source: { file, pointer: '/mcpServers/files', line: 4, column: 18 },
        dialect: 'mcp-servers',
        command: 'npx',
        args: ['-y', 'files'],
        env: { KEY: '${env:KEY}' },
        cwd: 'work',
      },
      {
        name: 'far/away',
        transport: 'http',
        enabled: false,
        required: false,
        source: { file, pointer: '/mcpServers/far~1away', line: 5, column: 21 },
        dialect: 'mcp-servers',
        url: 'https://example.test/mcp',
        headers: { 'X-A': '1' },
      },
    ],
  })
})

test('a byte order mark and Windows line ends change nothing', () => {
  const text = '\uFEFF{\r\n  "mcpServers": {\r\n    "a": { "command": "a" },\r\n    "b": 1\r\n  }\r\n}\r\n'
  expect(namesOf(text)).toEqual(['a'])
  expect(issuesOf(text)).toEqual(['error field_invalid /mcpServers/b 4:10'])
})

describe('a text that is not JSON gives one issue that says where and what was expected', () => {
  test.each([
    ['', 1, 1, 'expected a value'],
    ['{ "mcpServers": { "a": { "command": "a" } }', 1, 44, 'expected a comma or a closing brace'],
    ['{\n  "mcpServers": {\n    "a": { "command" "a" }\n  }\n}', 3, 22, 'expected a colon'],
    [
      '{\n  "mcpServers": { a: 1 }\n}',
      2,
      19,
      'expected a property name or a value; words stand in double quotes',
    ],
    ['{ "a": 1 "b": 2 }', 1, 10, 'expected a comma'],
    ['{ "a": "b }', 1, 8, 'expected the closing quote of the string'],
  ])('%j', (text, line, column, expected) => {
    const { servers, issues } = readConfig(text, { file })
    expect(servers).toEqual([])
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ code: 'syntax', severity: 'error', file, path: '', line, column })
    expect(issues[0]?.message).toContain(expected)
  })
})

test('a text that is nested without end is an issue and not a crash', () => {
  const text = `{ "mcpServers": ${'['.repeat(200_000)}${']'.repeat(200_000)} }`
  expect(readConfig(text, { file })).toMatchObject({ servers: [], issues: [{ code: 'syntax' }] })
})

/** A sign in the text marks where the issue is expected; it is taken out before reading. */
function marked(text: string): { readonly text: string; readonly location: string } {
  const before = text.slice(0, text.indexOf('@'))
  return {
    text: text.replace('@', ''),
    location: `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`,
  }
}

describe('a broken entry is reported and never hides the good ones', () => {
  test.each([
    ['"bad": @7', 'field_invalid', '/bad'],
    ['"bad": @{}', 'field_missing', '/bad'],
    ['"": @{ "command": "a" }', 'field_invalid', '/'],
    ['"bad": { "command": "a", "url": @"https://x.test" }', 'url_and_command', '/bad/url'],
    ['"bad": { "command": @5 }', 'field_invalid', '/bad/command'],
    ['"bad": { "command": @"" }', 'field_invalid', '/bad/command'],
    ['"bad": { "command": "a", "args": @"b" }', 'field_invalid', '/bad/args'],
    ['"bad": { "command": "a", "args": ["b", @1] }', 'field_invalid', '/bad/args/1'],
    ['"bad": { "command": "a", "env": { "N": @1 } }', 'field_invalid', '/bad/env/N'],
    ['"bad": { "command": "a", "env": { "N": "1", "N": @"2" } }', 'field_duplicate', '/bad/env/N'],
    ['"bad": { "command": "a", "type": @"carrier-pigeon" }', 'transport_unknown', '/bad/type'],
    ['"bad": { "command": "a", "type": @"sse" }', 'transport_mismatch', '/bad/type'],
    ['"bad": { "type": "sse", "url": @"wss://a.test/" }', 'transport_mismatch', '/bad/url'],
    ['"bad": { "url": "https://x.test", "type": @"stdio" }', 'transport_mismatch', '/bad/type'],
    ['"bad": { "command": "a", "disabled": @"yes" }', 'field_invalid', '/bad/disabled'],
    ['"bad": { "command": "a", "command": @"b" }', 'field_duplicate', '/bad/command'],
    ['"bad": { "command": "a", "allowedTools": @[] }', 'field_restricts', '/bad/allowedTools'],
  ])('%s', (bad, code, path) => {
    const { text, location } = marked(
      `{ "mcpServers": {\n  "good": { "command": "g" },\n   ${bad},\n  "fine": { "url": "https://f.test" } } }`,
    )
    expect(issuesOf(text)).toEqual([`error ${code} /mcpServers${path} ${location}`])
    expect(namesOf(text)).toEqual(['good', 'fine'])
  })
})

test.each([-1, 1.5, 65_536, 1e9, '"8080"'])('the callback port %s is refused', (port) => {
  const { text, location } = marked(
    `{ "mcpServers": { "a": { "url": "https://a.test", "auth": { "callbackPort": @${port} } } } }`,
  )
  expect(issuesOf(text)).toEqual([`error field_invalid /mcpServers/a/auth/callbackPort ${location}`])
})

test.each([0, 8080, 65_535])('the callback port %s is read', (callbackPort) => {
  const text = JSON.stringify({ mcpServers: { a: { url: 'https://a.test', auth: { callbackPort } } } })
  expect(readConfig(text, { file })).toMatchObject({ servers: [{ auth: { callbackPort } }], issues: [] })
})

test('all that is wrong with an entry is reported at once', () => {
  const text =
    '{ "mcpServers": { "bad": { "command": 1, "args": 2, "env": 3, "cwd": 4, "type": 5, "trust": true } } }'
  expect(
    readConfig(text, { file }).issues.map((issue) => issue.path.slice('/mcpServers/bad/'.length)),
  ).toEqual(['command', 'args', 'env', 'cwd', 'type', 'trust'])
})

describe('a field that is not understood', () => {
  test.each(['description', 'oauth', 'icon'])('is dropped with a warning that names it: %s', (key) => {
    const { text, location } = marked(`{ "mcpServers": { "a": { "command": "a", "${key}": @1 } } }`)
    expect(issuesOf(text)).toEqual([`warning field_unknown /mcpServers/a/${key} ${location}`])
    expect(readConfig(text, { file }).issues[0]?.message).toContain(`"${key}"`)
    expect(namesOf(text)).toEqual(['a'])
  })

  test.each([
    'allowedTools',
    'includeTools',
    'excludeTools',
    'enabled_tools',
    'disabled-tools',
    'blockedTools',
    'trust',
    'sandbox',
    'sandboxEnabled',
    'default_tools_approval_mode',
    'read_only',
    'permissions',
  ])('but might narrow access keeps its server out: %s', (key) => {
    const text = `{ "mcpServers": { "a": { "command": "a", "${key}": true }, "b": { "command": "b" } } }`
    const { servers, issues } = readConfig(text, { file, dialect: 'mcp-servers' })
    expect(issues.map((issue) => issue.code)).toEqual(['field_restricts'])
    expect(servers.map(({ name }) => name)).toEqual(['b'])
  })

  test.each(['autoApprove', 'alwaysAllow', 'always_allow'])(
    'but would only widen access is dropped with a warning: %s',
    (key) => {
      const text = `{ "mcpServers": { "a": { "command": "a", "${key}": ["x"] } }, "${key}": ["a"] }`
      const { servers, issues } = readConfig(text, { file })
      expect(servers.map(({ name }) => name)).toEqual(['a'])
      expect(issues.map(({ code, severity }) => [code, severity])).toEqual([
        ['field_widens', 'warning'],
        ['field_widens', 'warning'],
      ])
      expect(issues[0]?.message).toContain('calls still ask')
    },
  )

  test('at the root is dropped with a warning, or keeps all servers out when it might narrow access', () => {
    expect(issuesOf('{ "other": [], "servers": { "a": { "command": "a" } } }')).toEqual([
      'warning field_unknown /other 1:12',
    ])
    const narrowed = '{ "mcpServers": { "a": { "command": "a" } }, "disabledMcpServers": ["a"] }'
    expect(issuesOf(narrowed)).toEqual(['error field_restricts /disabledMcpServers 1:68'])
    expect(namesOf(narrowed)).toEqual([])
  })

  test('by its transport is dropped with a warning', () => {
    expect(issuesOf('{ "mcpServers": { "a": { "url": "https://a.test", "args": [] } } }')).toEqual([
      'warning field_unused /mcpServers/a/args 1:59',
    ])
  })
})

test("VS Code's inputs are known, and that there is nobody to ask is said where one is used", async () => {
  const text =
    '{ "inputs": [{ "id": "key" }], "servers": { "a": { "command": "a", "args": ["${input:key}"] } } }'
  const { servers, issues } = readConfig(text, { file })
  expect(issues).toEqual([])
  const [spec] = servers
  await expect(spec && resolveSpec(spec, localAuthority())).rejects.toThrow(
    'server "a": args/0 uses ${input:key}, which has no value; write ${env:NAME} instead, and set NAME',
  )
})

test.each([
  ['{ "disabled": true, "command": "a" }', false],
  ['{ "disabled": false, "command": "a" }', true],
  ['{ "enabled": false, "command": "a" }', false],
  ['{ "enabled": true, "disabled": true, "command": "a" }', false],
  ['{ "command": "a" }', true],
])('a server that is turned off stays off: %s', (entry, enabled) => {
  const { servers } = readConfig(`{ "mcpServers": { "a": ${entry} } }`, { file })
  expect(servers.map((server) => server.enabled)).toEqual([enabled])
})

describe('the dialect', () => {
  test('of VS Code takes numbers and booleans for text and null for unset', () => {
    const env = '{ "A": 1, "B": true, "C": null, "D": "d" }'
    const reading = readConfig(`{ "servers": { "a": { "type": "stdio", "command": "a", "env": ${env} } } }`, {
      file,
    })
    expect(reading.dialect).toBe('vscode')
    expect(reading.issues).toEqual([])
    expect(reading.servers[0]).toMatchObject({ env: { A: '1', B: 'true', D: 'd' }, args: [] })
  })

  test('is not guessed when two of them fit [D6]', () => {
    const both = '{ "mcpServers": { "a": { "command": "a" } }, "servers": { "b": { "command": "b" } } }'
    expect(issuesOf(both)).toEqual(['error root_ambiguous /servers 1:57'])
    expect(namesOf(both)).toEqual([])
    const named = readConfig(both, { file, dialect: 'vscode' })
    expect(named.servers.map((server) => server.name)).toEqual(['b'])
    expect(named.issues).toMatchObject([{ code: 'root_unused', severity: 'warning', path: '/mcpServers' }])
  })

  test.each([
    [
      'mcp',
      '{ "mcpServers": { "a": { "command": "a" } }, "mcp": { "b": { "type": "local", "command": ["b"] } } }',
    ],
    [
      'mcp/servers',
      '{ "servers": {}, "mcp": { "servers": { "b": { "type": "remote", "url": "https://b.test/" } } } }',
    ],
    ['metadata/mcp', '{ "mcpServers": {}, "metadata": { "mcp": { "b": { "command": "b" } } } }'],
    ['mcp/servers', '{ "mcp": { "a": { "command": ["a"] }, "servers": { "b": { "command": ["b"] } } } }'],
  ])('is not guessed when there are servers under /%s too', (pointer, text) => {
    const { servers, issues } = readConfig(text, { file })
    expect(servers).toEqual([])
    expect(issues).toMatchObject([{ code: 'root_ambiguous', severity: 'error', path: `/${pointer}` }])
  })

  test("is not in doubt because settings have the name of another host's servers", () => {
    const text =
      '{ "mcpServers": { "a": { "command": "a" } }, "mcp": { "allowed": ["a"] }, "metadata": { "mcp": 1 } }'
    expect(readConfig(text, { file: '/home/ada/.gemini/settings.json' })).toMatchObject({
      servers: [{ name: 'a' }],
      issues: [],
    })
  })

  test.each([
    ['[]', undefined, 'root_invalid / 1:1'],
    ['{}', undefined, 'root_missing / 1:1'],
    ['{ "mcpServers": {} }', 'zed', 'root_missing / 1:1'],
    ['{ "mcpServers": {} }', 'esperanto', 'dialect_unknown / 1:1'],
    ['{ "mcpServers": {}, "mcpServers": {} }', undefined, 'root_ambiguous /mcpServers 1:35'],
  ])('that cannot be told is an issue: %s %s', (text, dialect, issue) => {
    expect(issuesOf(text, dialect)).toEqual([`error ${issue}`])
  })

  test('accepts a file without servers', () => {
    expect(readConfig('{ "mcpServers": {} }', { file })).toEqual({
      dialect: 'mcp-servers',
      servers: [],
      issues: [],
    })
  })
})

test.each(['""', '[""]', '[]', '{ "command": "" }'])(
  'a helper for headers without a program is an issue, however it is written: %s',
  (helper) => {
    const text = `{ "mcpServers": { "a": { "url": "https://a.test/mcp", "headersHelper": ${helper} } } }`
    expect(issuesOf(text, 'mcp-servers')).toMatchObject([
      expect.stringMatching(/^error \S+ \/mcpServers\/a\/headersHelper/),
    ])
  },
)

test.each([300, 1_000, 100_000])('a document nested %i levels deep is refused in every format', (levels) => {
  const deep = '['.repeat(levels) + ']'.repeat(levels)
  const entry = `{"command": "a", "env": ${deep}}`
  const documents = {
    'mcp.json': `{"mcpServers": {"a": ${entry}}}`,
    'objects.json': `{"mcpServers": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    'config.yaml': `mcpServers: {"a": ${entry}}`,
    'list.yaml': `mcpServers:\n${'- '.repeat(levels)}a`,
    'config.toml': `[mcp_servers.a]\ncommand = "a"\nenv = ${deep}`,
    'keys.toml': `[mcp_servers${'.a'.repeat(levels)}]\ncommand = "a"`,
  }
  for (const [file, text] of Object.entries(documents)) {
    expect(readConfig(text, { file }), file).toMatchObject({
      servers: [],
      issues: [{ code: 'syntax', message: expect.stringContaining('expected fewer levels') }],
    })
  }
})
