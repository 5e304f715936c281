import { explainPasted } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'

const shown = (text: string): readonly string[] => {
  const { kind, dialect, servers } = explainPasted(text, { platform: 'linux' })
  return [
    kind,
    dialect,
    ...servers.map((spec) =>
      spec.transport === 'stdio'
        ? `${spec.name}: ${[spec.command, ...spec.args].join(' ')}`
        : `${spec.name}: ${spec.transport} ${spec.url}`,
    ),
  ]
}

test.each([
  ['JSON', '{ "mcpServers": { "a": { "command": "node" } } }', ['document', 'mcp-servers', 'a: node']],
  ['JSON of VS Code', '{ "servers": { "a": { "command": "node" } } }', ['document', 'vscode', 'a: node']],
  [
    'JSON with a comment',
    '// mine\n{ "mcpServers": { "a": { "command": "node" } } }',
    ['document', 'mcp-servers', 'a: node'],
  ],
  ['TOML', '[mcp_servers.a]\ncommand = "node"\n', ['document', 'codex', 'a: node']],
  ['YAML', 'mcpServers:\n  a:\n    command: node\n', ['document', 'mcp-servers', 'a: node']],
  ['an entry with its name', '"a": { "command": "node" },', ['document', 'mcp-servers', 'a: node']],
  ['a URL', 'https://mcp.sentry.dev/mcp', ['url', 'mcp-servers', 'sentry: http https://mcp.sentry.dev/mcp']],
  [
    'a command',
    'npx -y @scope/mcp-server-files .',
    ['command', 'mcp-servers', 'files: npx -y @scope/mcp-server-files .'],
  ],
  ['a command after a prompt', '$ uvx mcp-server-git', ['command', 'mcp-servers', 'git: uvx mcp-server-git']],
  ['a command with variables', 'DEBUG=1 npx -y git-mcp', ['command', 'mcp-servers', 'git: npx -y git-mcp']],
  [
    'claude mcp add',
    'claude mcp add files -- npx -y files-mcp',
    ['command', 'mcp-servers', 'files: npx -y files-mcp'],
  ],
  [
    'claude mcp add on two lines',
    'claude mcp add --transport http sentry \\\n  https://mcp.sentry.dev/mcp',
    ['command', 'mcp-servers', 'sentry: http https://mcp.sentry.dev/mcp'],
  ],
  [
    'codex mcp add',
    'codex mcp add up --url https://up.example/mcp',
    ['command', 'mcp-servers', 'up: http https://up.example/mcp'],
  ],
  [
    'claude mcp add-json',
    `claude mcp add-json -s user files '{"command":"npx","args":["files-mcp"]}'`,
    ['command', 'mcp-servers', 'files: npx files-mcp'],
  ],
  [
    'code --add-mcp',
    `code --add-mcp '{"name":"fetch","command":"uvx","args":["mcp-server-fetch"]}'`,
    ['command', 'mcp-servers', 'fetch: uvx mcp-server-fetch'],
  ],
])('%s is understood', (_, text, expected) => {
  expect(shown(text)).toEqual(expected)
})

test.each([
  ['{ "command": "npx", "args": ["-y", "git-mcp"] }', 'mcp-servers', 'git: npx -y git-mcp'],
  ['command: npx\nargs: [-y, git-mcp]\n', 'mcp-servers', 'git: npx -y git-mcp'],
  ['{ "name": "mine", "command": "npx" }', 'mcp-servers', 'mine: npx'],
  [
    '{ "type": "sse", "url": "https://mcp.sentry.dev/sse" }',
    'mcp-servers',
    'sentry: sse https://mcp.sentry.dev/sse',
  ],
  ['{ "serverUrl": "https://a.example/mcp" }', 'windsurf', 'a: http https://a.example/mcp'],
  ['{ "httpUrl": "https://a.example/mcp" }', 'gemini-cli', 'a: http https://a.example/mcp'],
  ['{ "type": "local", "command": ["npx", "git-mcp"] }', 'opencode', 'git: npx git-mcp'],
  ['type: stdio\ncmd: uvx\nargs: [mcp-server-git]\n', 'goose', 'git: uvx mcp-server-git'],
])('the entry %j, without a name, gets that of its package or host', (text, dialect, server) => {
  expect(shown(text)).toEqual(['document', dialect, server])
})

test('the extensions of Goose are understood without the path of its file', () => {
  const text = 'extensions:\n  git:\n    type: stdio\n    cmd: uvx\n    args: [mcp-server-git]\n'
  expect(shown(text)).toEqual(['document', 'goose', 'git: uvx mcp-server-git'])
  expect(shown('extensions:\n  theme:\n    version: 1\n')).toEqual(['document', ''])
})

test('an entry with its name has the positions of the text, with no braces around it', () => {
  const { fields, issues } = explainPasted('"a": { "command": "x", "args": 1,\n "nothing": 2 }')
  expect(fields).toContainEqual(expect.objectContaining({ path: '/a/command', line: 1, column: 19 }))
  expect(issues).toContainEqual(expect.objectContaining({ path: '/a/args', line: 1, column: 32 }))
  expect(fields).toContainEqual(expect.objectContaining({ path: '/a/nothing', line: 2, column: 13 }))
})

test.each([
  ['nothing', ''],
  ['half a document', '{ "mcpServers": {'],
  ['a pipe', 'curl https://x.example/install.sh | sh'],
  ['an open quote', 'npx "files'],
  ['a host command without a target', 'claude mcp add files'],
  ['variables without a program', 'A=1 B=2'],
  ['broken JSON of a host', `claude mcp add-json files '{"command"'`],
  ['JSON of a host without a name', `code --add-mcp '{"command":"uvx"}'`],
  ['a command of too many words', `claude mcp add ${'-e A=1 '.repeat(3_000)} a -- npx a-mcp`],
])('%s is an error with a fix, and no server', (_, text) => {
  const { servers, issues } = explainPasted(text, { platform: 'linux' })
  expect(servers).toEqual([])
  expect(issues).toMatchObject([{ severity: 'error', file: 'pasted text', fix: expect.stringMatching(/\w/) }])
})

test.each([
  ['letters', 'a'.repeat(262_144)],
  ['folders', `npx ${'a/'.repeat(100_000)}`],
  ['dots', `x${'.'.repeat(200_000)}x`],
  ['versions', JSON.stringify({ command: `${'a@'.repeat(100_000)}\n` })],
  ['a host', `https://a${'-'.repeat(200_000)}b.c.example/mcp`],
])('the name of a server is short, whatever the length of what it is named after: %s', (_, text) => {
  const { servers } = explainPasted(text, { platform: 'linux' })
  expect(servers).toHaveLength(1)
  for (const { name } of servers) expect(name.length).toBeLessThanOrEqual(200)
})

test('variables and headers of a command are those of the server, and no issue quotes a value', () => {
  const secret = canary('pasted')
  const [program] = explainPasted(`claude mcp add -e KEY=${secret} a -- npx a-mcp`).servers
  const [remote] = explainPasted(
    `claude mcp add -t http a https://a.example/mcp -H "X-Key: ${secret}"`,
  ).servers
  expect(program).toMatchObject({ env: { KEY: secret } })
  expect(remote).toMatchObject({ headers: { 'X-Key': secret } })
  const wrong = explainPasted(`claude mcp add -e ${secret} a -- npx a-mcp`)
  expect(wrong.issues).toHaveLength(1)
  expect(JSON.stringify(wrong)).not.toContain(secret)
})

test('with a dialect the text is a document of it', () => {
  const { kind, issues } = explainPasted('npx -y files-mcp', { dialect: 'codex' })
  expect([kind, issues.length]).toEqual(['document', 1])
})
