import {
  type ConfigReading,
  readConfig,
  resolveSpec,
  type ServerSpec,
  writeConfig,
} from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'

/** Each line was seen in the host itself; `npm run hosts` repeats most of them. */

const workspaceFolder = '/home/ada/app'

function read(text: string, file: string, more: { readonly dialect?: string } = {}): ConfigReading {
  return readConfig(text, { file, platform: 'linux', workspaceFolder, ...more })
}

function own(servers: object): readonly ServerSpec[] {
  return read(JSON.stringify({ mcpServers: servers }), '/home/ada/app/.toolbridge/mcp.json').servers
}

function losses(servers: object, dialect: string, file?: string): readonly string[] {
  const writing = writeConfig(own(servers), {
    dialect,
    workspaceFolder,
    ...(file === undefined ? {} : { file }),
  })
  return writing.unwritableFields.map(({ server, field, outcome }) => `${outcome} ${server} ${field}`)
}

function parsed(servers: object, dialect: string, file?: string): unknown {
  const options = { dialect, workspaceFolder, ...(file === undefined ? {} : { file }) }
  return JSON.parse(writeConfig(own(servers), options).text)
}

async function args(text: string, file: string): Promise<readonly string[]> {
  const [spec] = read(text, file).servers
  if (spec === undefined) throw new Error('expected a server')
  const env = { SET: 'set', EMPTY: '' }
  const { spec: resolved } = await resolveSpec(spec, { kind: 'local', env, workspaceFolder })
  return resolved.transport === 'stdio' ? resolved.args : []
}

describe('a disabled server', () => {
  const off = { a: { command: 'a', enabled: false } }

  test('is not written to .mcp.json of Claude Code, which has no switch', () => {
    expect(losses(off, 'claude-code')).toEqual(['refused a enabled'])
    expect(losses(off, 'claude-code', '/home/ada/app/.mcp.json')).toEqual(['refused a enabled'])
    expect(parsed(off, 'claude-code')).toEqual({ mcpServers: {} })
  })

  test("is written to the user's file of Claude Code for this folder only, where the list disables it", () => {
    const file = '/home/ada/.claude.json'
    expect(losses(off, 'claude-code', file)).toEqual([])
    expect(parsed(off, 'claude-code', file)).toEqual({
      mcpServers: {},
      projects: {
        [workspaceFolder]: {
          mcpServers: { a: { type: 'stdio', command: 'a' } },
          disabledMcpServers: ['a'],
        },
      },
    })
  })

  test.each(['vscode', 'cursor', 'claude-desktop'])(
    'is not written for %s, which has no such field',
    (dialect) => {
      expect(losses(off, dialect)).toEqual(['refused a enabled'])
    },
  )

  test.each([
    ['/home/ada/app/opencode.json', '{ "mcp": { "a": { "enabled": false } } }'],
    ['/home/ada/app/.codex/config.toml', '[mcp_servers.a]\nenabled = false'],
  ])('of another file is disabled by an entry with nothing else: %s', (file, text) => {
    const { servers, turnedOff, refused, issues } = read(text, file)
    expect({ servers, turnedOff, refused }).toEqual({ servers: [], turnedOff: ['a'], refused: undefined })
    expect(issues).toMatchObject([{ code: 'server_turned_off', severity: 'warning' }])
  })
})

describe('a field outside of the servers', () => {
  test.each([
    ['deny', 'deny'],
    ['confirm', 'ask'],
  ])('of Zed: tool_permissions.default %s applies to every tool without its own', (mode, approval) => {
    const text = `{ "context_servers": { "a": { "command": "a" } },
      "agent": { "tool_permissions": { "default": "${mode}", "tools": { "mcp:a:read": { "default": "allow" } } } } }`
    expect(read(text, '/home/ada/.config/zed/settings.json').servers).toMatchObject([
      { approval: { default: approval, tools: { read: 'allow' } } },
    ])
  })

  test('of Zed: patterns of a tool that deny or confirm refuse the server', () => {
    const text = `{ "context_servers": { "a": { "command": "a" } }, "agent": { "tool_permissions": { "tools": {
      "mcp:a:run": { "default": "allow", "always_deny": [{ "pattern": "rm" }] } } } } }`
    const { servers, issues } = read(text, '/home/ada/.config/zed/settings.json')
    expect(servers).toEqual([])
    expect(issues).toMatchObject([{ code: 'field_restricts' }])
  })

  test('of Gemini CLI is applied in a file elsewhere too', () => {
    const text =
      '{ "mcpServers": { "a": { "command": "a" }, "b": { "command": "b" } }, "mcp": { "excluded": ["b"] } }'
    const { dialect, servers } = read(text, '/home/ada/settings-copy.json')
    expect(dialect).toBe('gemini-cli')
    expect(servers.map(({ enabled }) => enabled)).toEqual([true, false])
  })

  test('of Gemini CLI: tools.exclude denies tools by their public name', () => {
    const text = `{ "mcpServers": { "a": { "command": "a", "excludeTools": ["x"] }, "b": { "command": "b" } },
      "tools": { "exclude": ["mcp_a_delete", "a__drop", "run_shell_command"] } }`
    const { servers } = read(text, '/home/ada/app/.gemini/settings.json')
    expect(servers.map(({ tools }) => tools)).toEqual([
      { deny: ['x', 'delete', 'drop', 'run_shell_command'] },
      { deny: ['run_shell_command'] },
    ])
  })

  test('of opencode: tools of the default agent are applied, and those of another agent are reported', () => {
    const text = `{ "mcp": { "a": { "type": "local", "command": ["a"] } },
      "agent": { "build": { "tools": { "a_drop": false } }, "plan": { "tools": { "a_*": false } } } }`
    const { servers, issues } = read(text, '/home/ada/app/opencode.json')
    expect(servers).toMatchObject([{ tools: { deny: ['drop'] } }])
    expect(issues).toMatchObject([{ code: 'field_dropped', path: '/agent/plan/tools' }])
  })
})

describe('a relative reference means the same file after an import', () => {
  test.each([
    [
      '/home/ada/work/opencode.json',
      '{ "mcp": { "a": { "type": "local", "command": ["a", "{file:./key.txt}"] } } }',
      '${file:/home/ada/work/key.txt}',
    ],
    [
      '/home/ada/.gemini/extensions/mine/gemini-extension.json',
      '{ "mcpServers": { "a": { "command": "a", "args": ["${extensionPath}/x.js"] } } }',
      '/home/ada/.gemini/extensions/mine/x.js',
    ],
  ])('%s', (file, text, expected) => {
    const { text: written } = writeConfig(read(text, file).servers, {
      dialect: 'mcp-servers',
      file: '/home/ada/app/.toolbridge/mcp.json',
    })
    expect(read(written, '/home/ada/app/.toolbridge/mcp.json').servers).toMatchObject([{ args: [expected] }])
  })

  test('a working directory relative to the file of mcporter too', () => {
    const text = '{ "mcpServers": { "a": { "command": "a", "cwd": "tools" } } }'
    const { servers } = read(text, '/home/ada/work/config/mcporter.json')
    const { text: written } = writeConfig(servers, { dialect: 'mcp-servers' })
    expect(read(written, '/home/ada/app/.toolbridge/mcp.json').servers).toMatchObject([
      { cwd: '/home/ada/work/config/tools' },
    ])
  })

  test('but stays relative in a file of the same folder', () => {
    const text = '{ "mcp": { "a": { "type": "local", "command": ["a", "{file:./key.txt}"] } } }'
    const { servers } = read(text, '/home/ada/app/opencode.json')
    const { text: written } = writeConfig(servers, { dialect: 'mcp-servers', file: '/home/ada/app/mcp.json' })
    expect(written).toContain('${file:./key.txt}')
  })
})

describe('a file that the host accepts', () => {
  test.each(['codex', 'opencode', 'cursor', 'vscode', 'gemini-cli'])(
    '%s gets no WebSocket server',
    (dialect) => {
      expect(losses({ a: { type: 'ws', url: 'wss://a.test/' } }, dialect)).toEqual(['refused a url'])
    },
  )

  test('opencode reaches HTTP+SSE as remote, which is reported', () => {
    const sse = { a: { type: 'sse', url: 'https://a.test/' } }
    expect(losses(sse, 'opencode')).toEqual(['dropped a transport'])
    expect(parsed(sse, 'opencode')).toMatchObject({ mcp: { a: { type: 'remote', url: 'https://a.test/' } } })
  })

  test('Codex has no HTTP+SSE', () => {
    expect(losses({ a: { type: 'sse', url: 'https://a.test/' } }, 'codex')).toEqual(['refused a url'])
  })

  const noSignIn = { a: { type: 'http', url: 'https://a.test/', auth: { kind: 'none' } } }

  test.each(['codex', 'claude-code', 'cursor', 'vscode'])(
    '%s cannot do without sign-in, which is reported',
    (dialect) => {
      expect(losses(noSignIn, dialect)).toEqual(['dropped a auth'])
    },
  )

  test('Gemini CLI and opencode disable sign-in in their own ways', () => {
    expect(parsed(noSignIn, 'gemini-cli')).toMatchObject({ mcpServers: { a: { oauth: { enabled: false } } } })
    expect(parsed(noSignIn, 'opencode')).toMatchObject({ mcp: { a: { oauth: false } } })
  })

  test('Codex gets no name that it rejects', () => {
    expect(losses({ 'odd name.v1': { command: 'a' } }, 'codex')).toEqual(['refused odd name.v1 name'])
    const { servers, issues } = read(
      '[mcp_servers."odd name"]\ncommand = "a"',
      '/home/ada/.codex/config.toml',
    )
    expect(servers).toEqual([])
    expect(issues).toMatchObject([{ code: 'name_invalid' }])
  })

  test('a Codex server that signs in with ChatGPT is read, without that sign-in', () => {
    const text = '[mcp_servers.a]\nurl = "https://a.test/"\nauth = "chatgpt"'
    const { servers, issues } = read(text, '/home/ada/.codex/config.toml')
    expect(servers).toHaveLength(1)
    expect(issues).toMatchObject([{ code: 'field_dropped', severity: 'warning' }])
  })
})

describe('variables', () => {
  const gemini = '/home/ada/app/.gemini/settings.json'
  const claude = '/home/ada/app/.mcp.json'

  function argumentsOf(list: readonly string[]): string {
    return JSON.stringify({ mcpServers: { a: { command: 'a', args: list } } })
  }

  test('of Gemini CLI: a default is for a variable that is not set, which else stays text', async () => {
    const list = ['$SET', '${NOT:-d}', '${EMPTY:-d}', '${NOT}', 'costs $5', '$$SET', '\\$SET']
    expect(await args(argumentsOf(list), gemini)).toEqual([
      'set',
      'd',
      '',
      '${NOT}',
      'costs $5',
      '$set',
      '\\set',
    ])
  })

  test('of Claude Code: a default is not for a variable that is set and empty', async () => {
    expect(await args(argumentsOf(['${EMPTY:-d}', '${NOT:-d}']), claude)).toEqual(['', 'd'])
  })

  test('of Copilot CLI are replaced', async () => {
    const list = ['$SET', '${SET}', '${NOT:-d}']
    const file = '/home/ada/.copilot/mcp-config.json'
    expect(read(argumentsOf(list), file).dialect).toBe('copilot-cli')
    expect(await args(argumentsOf(list), file)).toEqual(['set', 'set', 'd'])
  })

  test.each(['${input:x}', '${command:x}', '$SOME_VAR', '%SOME_VAR%'])(
    'in a syntax that Cursor does not have are reported: %s',
    (text) => {
      const { issues } = read(argumentsOf([text]), '/home/ada/app/.cursor/mcp.json')
      expect(issues).toMatchObject([{ code: 'variable_literal', severity: 'warning' }])
    },
  )
})

describe('a shape that two hosts share', () => {
  test('mcp with seconds is of Crush', () => {
    const text =
      '{ "mcp": { "a": { "type": "stdio", "command": "a", "timeout": 60, "disabled_tools": ["x"] } } }'
    for (const file of ['/home/ada/app/.crush.json', '/home/ada/app/somewhere.json']) {
      const { dialect, servers } = read(text, file)
      expect(dialect).toBe('crush')
      expect(servers).toMatchObject([{ timeouts: { startMs: 60_000 }, tools: { deny: ['x'] } }])
    }
  })

  test('mcp.servers in settings of VS Code is of VS Code', () => {
    const text = `{ "mcp": { "inputs": [{ "id": "k", "type": "promptString" }],
      "servers": { "a": { "command": "a", "args": ["\${input:k}"] } } }, "editor.fontSize": 12 }`
    for (const file of ['/home/ada/app/.vscode/settings.json', '/home/ada/app/copy.json']) {
      const { dialect, servers } = read(text, file)
      expect(dialect).toBe('vscode')
      expect(servers).toMatchObject([{ command: 'a', args: ['${input:k}'], inputs: [{ id: 'k' }] }])
    }
  })
})

describe('a detail', () => {
  test('a variable of another machine costs the variable, not the server of Codex', () => {
    const text = '[mcp_servers.a]\ncommand = "a"\nenv_vars = [{ name = "A", source = "remote" }, "B"]'
    const { servers, issues } = read(text, '/home/ada/.codex/config.toml')
    expect(servers).toMatchObject([{ inheritNames: ['B'] }])
    expect(issues).toMatchObject([{ code: 'field_dropped', severity: 'warning' }])
  })

  test('experimental_environment of Codex is another machine too', () => {
    const text = '[mcp_servers.a]\ncommand = "a"\nexperimental_environment = "remote"'
    expect(read(text, '/home/ada/.codex/config.toml').servers).toEqual([])
    const local = text.replace('remote', 'local')
    expect(read(local, '/home/ada/.codex/config.toml').servers).toHaveLength(1)
  })

  test('a pattern in autoApprove of Cline approves nothing, and is reported as dropped', () => {
    const text = '{ "mcpServers": { "a": { "command": "a", "autoApprove": ["*"] } } }'
    const { servers, issues } = read(text, '/home/ada/.cline/mcp.json')
    expect(servers[0]?.approval).toBeUndefined()
    expect(issues).toMatchObject([{ code: 'pattern_unknown', severity: 'warning' }])
  })

  test('an empty deny list restricts nothing', () => {
    expect(losses({ a: { command: 'a', tools: { deny: [] } } }, 'claude-code')).toEqual([])
    const text = '{ "mcpServers": { "a": { "command": "a", "disabledTools": [] } } }'
    expect(read(text, '/home/ada/app/.cursor/mcp.json').servers).toHaveLength(1)
  })

  test.each([
    ['arg', 'args'],
    ['Command', 'command'],
    ['enviroment', 'env'],
    ['unrelated', undefined],
    ['env_file', 'envFile'],
    ['header', 'headers'],
  ])('a field that is nearly %s gets a suggestion', (key, suggestion) => {
    const text = `{ "mcpServers": { "a": { "command": "a", "${key}": "x" } } }`
    const { issues } = read(text, '/home/ada/app/.cursor/mcp.json')
    const fix =
      suggestion === undefined ? 'remove it, or check its spelling' : `did you mean "${suggestion}"?`
    expect(issues).toMatchObject([{ code: 'field_unknown', fix }])
  })

  test('a block of the Continue hub is named as such', () => {
    const { issues } = read('mcpServers:\n  - uses: anthropic/memory\n', '/home/ada/.continue/config.yaml')
    expect(issues).toMatchObject([{ message: expect.stringContaining('Continue hub') as string }])
  })

  test('arguments in an allowed tool name of Gemini CLI are ignored, as it does', () => {
    const text = '{ "mcpServers": { "a": { "command": "a", "includeTools": ["b(x)"] } } }'
    expect(read(text, '/home/ada/app/.gemini/settings.json').servers[0]?.tools).toEqual({ allow: ['b'] })
  })

  test.each(['/home/ada/app/.mcp.json', '/home/ada/app/.gemini/settings.json'])(
    'a "disabled" that the host ignores keeps the server off here, which is reported: %s',
    (file) => {
      const { servers, issues } = read(
        '{ "mcpServers": { "a": { "command": "a", "disabled": true } } }',
        file,
      )
      expect(servers).toMatchObject([{ enabled: false }])
      expect(issues).toMatchObject([{ code: 'field_ignored_by_host', severity: 'warning' }])
    },
  )
})

describe('a name that is defined twice in one file', () => {
  const twice = '"a": { "command": "first", "disabled": true },\n"a": { "command": "last" }'

  test.each([
    ['/home/ada/app/.mcp.json', `{ "mcpServers": {\n${twice} } }`],
    ['/home/ada/app/.cursor/mcp.json', `{ "mcpServers": {\n${twice} } }`],
    ['/home/ada/app/.gemini/settings.json', `{ "mcpServers": {\n${twice} } }`],
    ['/home/ada/app/.vscode/mcp.json', `{ "servers": {\n${twice} } }`],
    ['/home/ada/.config/zed/settings.json', `{ "context_servers": {\n${twice} } }`],
  ])('is the last definition, as in its host, and both lines are reported: %s', (file, text) => {
    const { servers, issues } = read(text, file)
    expect(servers).toMatchObject([{ name: 'a', command: 'last', enabled: true, source: { line: 3 } }])
    const message = expect.stringContaining('on lines 2 and 3') as string
    expect(issues).toMatchObject([{ code: 'server_duplicate', severity: 'warning', line: 3, message }])
  })

  test('makes the file of Codex invalid', () => {
    const text = '[mcp_servers.a]\ncommand = "a"\n[mcp_servers.a]\ncommand = "b"\n'
    const { servers, issues } = read(text, '/home/ada/.codex/config.toml')
    expect(servers).toEqual([])
    expect(issues).toMatchObject([{ code: 'syntax', severity: 'error', line: 3 }])
  })

  test('is overridden in ~/.claude.json by that of the folder, which is reported', () => {
    const folder = { [workspaceFolder]: { mcpServers: { a: { command: 'folder' } } } }
    const text = JSON.stringify({ mcpServers: { a: { command: 'user' } }, projects: folder })
    const { servers, issues } = read(text, '/home/ada/.claude.json')
    expect(servers).toMatchObject([{ name: 'a', command: 'folder' }])
    expect(issues).toMatchObject([{ severity: 'warning', path: '/mcpServers/a' }])
  })
})

test('Qwen Code waits as long for a server as discoveryTimeoutMs says', () => {
  const file = '/home/ada/app/.qwen/settings.json'
  const entry = { command: 'node', timeout: 2_000, discoveryTimeoutMs: 9_000 }
  const { servers, issues } = read(JSON.stringify({ mcpServers: { slow: entry } }), file)
  expect(issues).toEqual([])
  expect(servers[0]?.timeouts).toEqual({ startMs: 9_000, callMs: 2_000 })
  const timeouts = { startMs: 9_000, callMs: 2_000 }
  expect(parsed({ slow: { command: 'node', timeouts } }, 'qwen-code')).toMatchObject({
    mcpServers: { slow: entry },
  })
})
