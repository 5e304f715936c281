import { readConfig, type ServerSpec, writeConfig } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

/** What a loader of other hosts' files easily gets wrong. The corpus has each in the words of every dialect. */

function read(text: string, file: string): readonly ServerSpec[] {
  return readConfig(text, { file, platform: 'linux', workspaceFolder: '/home/ada/app' }).servers
}

function entry(file: string, fields: string, key: string = 'mcpServers'): ServerSpec | undefined {
  return read(`{ "${key}": { "a": { ${fields} } } }`, file)[0]
}

const claudeCode = '/app/.mcp.json'
const cline = '/home/ada/.cline/mcp.json'
const cursor = '/app/.cursor/mcp.json'
const gemini = '/app/.gemini/settings.json'
const codex = '/app/.codex/config.toml'
const vscode = '/app/.vscode/mcp.json'
const zed = '/app/.zed/settings.json'
const opencode = '/app/opencode.json'

test('1: a timeout of 60 is a minute, 60 milliseconds or nothing, as the host counts', () => {
  const fields = '"command": "a", "timeout": 60'
  expect(entry(cline, fields)?.timeouts).toEqual({ callMs: 60_000 })
  expect(entry(zed, fields, 'context_servers')?.timeouts).toEqual({ callMs: 60_000 })
  expect(read('[mcp_servers.a]\ncommand = "a"\ntool_timeout_sec = 60', codex)[0]?.timeouts).toEqual({
    callMs: 60_000,
  })
  expect(entry(gemini, fields)?.timeouts).toEqual({ callMs: 60 })
  expect(entry(opencode, '"type": "local", "command": ["a"], "timeout": 60', 'mcp')?.timeouts).toEqual({
    startMs: 60,
    callMs: 60,
  })
  expect(entry(claudeCode, fields)?.timeouts).toBeUndefined()
  expect(entry('/app/mcp.json', fields)?.timeouts).toBeUndefined()
})

test('a time below the thousand that Claude Code ignores is written where it is not ignored', () => {
  const spec = entry(claudeCode, '"command": "a", "request_timeout_ms": 500')
  const { text, unwritableFields } = writeConfig(spec === undefined ? [] : [spec], { dialect: 'claude-code' })
  expect(unwritableFields).toEqual([])
  expect(read(text, claudeCode)).toMatchObject([{ timeouts: { callMs: 500 } }])
})

test('2: an address without a type is SSE, Streamable HTTP or a mistake [D7]', () => {
  const fields = '"url": "https://a.test/mcp"'
  expect(entry(cline, fields)?.transport).toBe('sse')
  expect(entry(gemini, fields)?.transport).toBe('http')
  expect(entry(vscode, fields, 'servers')?.transport).toBe('http')
  expect(entry(claudeCode, fields)).toBeUndefined()
})

test.each([
  ['"type": "http"', 'http'],
  ['"type": "streamable-http"', 'http'],
  ['"type": "streamableHttp"', 'http'],
  ['"type": "streamable_http"', 'http'],
  ['"type": "STREAMABLE_HTTP"', 'http'],
  ['"transport": "remote"', 'http'],
  ['"transport": "sse"', 'sse'],
])('3: transports are spelled in many ways: %s [D8]', (fields, transport) => {
  expect(entry('/app/mcp.json', `"url": "https://a.test/", ${fields}`)?.transport).toBe(transport)
})

test('4: a server can be off by four kinds of words, and is', () => {
  expect(entry(cursor, '"command": "a", "disabled": true')?.enabled).toBe(false)
  expect(read('[mcp_servers.a]\ncommand = "a"\nenabled = false', codex)[0]?.enabled).toBe(false)
  expect(
    read('{ "mcp": { "excluded": ["a"] }, "mcpServers": { "a": { "command": "a" } } }', gemini)[0]?.enabled,
  ).toBe(false)
  const person =
    '{ "mcpServers": { "a": { "command": "a" } }, "projects": { "/home/ada/app": { "disabledMcpServers": ["a"] } } }'
  expect(read(person, '/home/ada/.claude.json')[0]?.enabled).toBe(false)
})

test('5: filters and approval are kept, or their server is not', () => {
  expect(entry(gemini, '"command": "a", "includeTools": ["r"], "excludeTools": ["d"]')?.tools).toEqual({
    allow: ['r'],
    deny: ['d'],
  })
  expect(entry('/app/config/mcporter.json', '"command": "a", "allowedTools": ["r"]')?.tools).toEqual({
    allow: ['r'],
  })
  expect(entry(cline, '"command": "a", "autoApprove": ["r"]')?.approval).toEqual({ tools: { r: 'allow' } })
  expect(entry(gemini, '"command": "a", "trust": true')?.approval).toEqual({ default: 'allow' })
  expect(entry(cursor, '"command": "a", "allowedTools": ["r"]')).toBeUndefined()
})

test('6: secrets stay references, whatever they refer to', () => {
  const toml =
    '[mcp_servers.a]\nurl = "https://a.test/"\nbearer_token_env_var = "T"\nenv_http_headers = { X = "Y" }'
  expect(read(toml, codex)[0]).toMatchObject({ headers: { Authorization: 'Bearer ${env:T}', X: '${env:Y}' } })
  expect(entry(opencode, '"type": "local", "command": ["a", "{file:./k}"]', 'mcp')).toMatchObject({
    args: ['${file:./k}'],
  })
  expect(entry(claudeCode, '"type": "http", "url": "https://a.test/", "headersHelper": "h"')).toMatchObject({
    headersHelper: { command: 'sh', args: ['-c', 'h'] },
  })
  expect(entry(vscode, '"command": "a", "args": ["${input:k}"]', 'servers')).toMatchObject({
    args: ['${input:k}'],
  })
})

test('7: ${env:API_KEY} is never a variable "env" with a default', () => {
  expect(entry(vscode, '"command": "a", "args": ["${env:API_KEY}"]', 'servers')).toMatchObject({
    args: ['${env:API_KEY}'],
  })
  expect(entry('/app/config/mcporter.json', '"command": "a", "args": ["${env:API_KEY}"]')).toMatchObject({
    args: ['${env:API_KEY}'],
  })
  expect(entry(claudeCode, '"command": "a", "args": ["${env:API_KEY}"]')).toMatchObject({
    args: ['$${env:API_KEY}'],
  })
})

test('8: what an unset variable means travels with the server', () => {
  expect(entry(claudeCode, '"command": "a"')?.preset?.['vars.unset']).toBe('keep')
  expect(entry('/app/config/mcporter.json', '"command": "a"')?.preset?.['vars.unset']).toBe('error')
  expect(entry(cursor, '"command": "a"')?.preset?.['vars.unset']).toBeUndefined()
})

test('9: a default inside a default is refused instead of half replaced', () => {
  expect(
    entry(claudeCode, '"type": "http", "url": "https://a.test/", "headers": { "A": "${A:-${B}}" }'),
  ).toBeUndefined()
})

test('10: null takes a variable away in VS Code, whose PATH is added to', () => {
  expect(entry(vscode, '"command": "a", "env": { "X": null, "N": 1 }', 'servers')).toMatchObject({
    env: { N: '1' },
    unsetEnv: ['X'],
    preset: { 'env.path': 'append' },
  })
})

test('11: maps without a key, arrays, tables, maps of projects and commands in one text are understood', () => {
  expect(read('{ "a": { "command": "a" } }', '/app/servers.json').map(({ name }) => name)).toEqual(['a'])
  expect(read('mcpServers:\n  - name: a\n    command: a\n', '/app/x.yaml').map(({ name }) => name)).toEqual([
    'a',
  ])
  expect(read('[mcp_servers."a-b"]\ncommand = "a"', codex).map(({ name }) => name)).toEqual(['a-b'])
  const person =
    '{ "projects": { "/home/ada/app": { "mcpServers": { "a": { "command": "a" } } }, "/x": { "mcpServers": { "b": {} } } } }'
  expect(read(person, '/home/ada/.claude.json').map(({ name }) => name)).toEqual(['a'])
  expect(entry('/app/config/mcporter.json', '"command": "npx -y \'a b\'"')).toMatchObject({
    command: 'npx',
    args: ['-y', 'a b'],
  })
})

test('a command in one text is split at the blanks outside of quotes, wherever those stand', () => {
  const split = (command: string): unknown => {
    const [spec] = read(JSON.stringify({ mcpServers: { a: { command } } }), '/app/config/mcporter.json')
    return spec?.transport === 'stdio' ? [spec.command, ...spec.args] : undefined
  }
  expect(split(`npx -y "a b" --name="c d" 'e "f"'`)).toEqual(['npx', '-y', 'a b', '--name=c d', 'e "f"'])
  expect(split(`run "" it's`)).toEqual(['run', '', "it's"])
})

test('12: where paths start is the choice of the host', () => {
  expect(entry(cursor, '"command": "a"')?.preset?.['vars.workspace']).toEqual(['.cursor'])
  expect(entry('/app/config/mcporter.json', '"command": "a"')?.preset?.['paths.base']).toBe('config-folder')
})

test("13: a definition says that it comes from a project's file", () => {
  const { servers } = readConfig('{ "mcpServers": { "a": { "command": "a" } } }', {
    file: claudeCode,
    kind: 'project',
  })
  expect(servers[0]?.source.kind).toBe('project')
})

test('14: a product that changed its words is read by the version whose shape the file has', () => {
  expect(entry(opencode, '"type": "local", "command": ["a"], "enabled": false', 'mcp')?.enabled).toBe(false)
  const second = '{ "mcp": { "servers": { "a": { "type": "local", "command": ["a"], "disabled": true } } } }'
  expect(read(second, opencode)).toMatchObject([{ enabled: false, dialect: 'opencode-v2' }])
})

test('a filter names tools as they are called, whatever else the host replaces', () => {
  const { tools } = entry(gemini, '"command": "a", "excludeTools": ["$drop", "${drop}"]') ?? {}
  expect(tools).toEqual({ deny: ['$drop', '${drop}'] })
})

test('a folder of Windows is found among the projects of Claude Code, however it is spelled', () => {
  const text = JSON.stringify({
    mcpServers: { a: { command: 'a' }, b: { command: 'b' } },
    projects: {
      'C:/Users/ada/app': { mcpServers: { a: { command: 'local' } } },
      'c:\\Users\\ada\\app': { disabledMcpServers: ['b'] },
      'C:/Users/ada/app2': { mcpServers: { c: { command: 'c' } } },
    },
  })
  const options = { file: 'C:\\Users\\ada\\.claude.json', workspaceFolder: 'C:\\Users\\ada\\app' }
  expect(readConfig(text, options)).toMatchObject({
    servers: [
      { name: 'b', enabled: false },
      { name: 'a', command: 'local' },
    ],
    issues: [{ code: 'server_overridden', path: '/mcpServers/a' }],
  })
})

test('an input that VS Code finds out by a command is told to be a question here', () => {
  const text = JSON.stringify({
    inputs: [{ type: 'command', id: 'key', command: 'vault.get' }],
    servers: { a: { command: 'a', env: { K: '${input:key}' } } },
  })
  expect(readConfig(text, { file: vscode })).toMatchObject({
    servers: [{ inputs: [{ id: 'key' }] }],
    issues: [{ code: 'field_dropped', severity: 'warning', path: '/inputs/0/type' }],
  })
})

test('the tools that Copilot names are those that exist, and a star is all of them', () => {
  const copilot = '/home/ada/.copilot/mcp-config.json'
  const all = entry(copilot, '"type": "local", "command": "a", "args": [], "tools": ["*"]')
  expect(all).toMatchObject({ transport: 'stdio', command: 'a' })
  expect(all).not.toHaveProperty('tools')
  const some = entry(copilot, '"type": "local", "command": "a", "tools": ["read", "list"]')
  expect(some?.tools).toEqual({ allow: ['read', 'list'] })
  const { unwritableFields } = writeConfig(some === undefined ? [] : [some], { dialect: 'vscode' })
  expect(unwritableFields).toMatchObject([{ field: 'tools.allow', outcome: 'refused' }])
})
