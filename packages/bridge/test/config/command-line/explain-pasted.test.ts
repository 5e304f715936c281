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

test('an entry without a name is understood', () => {
  expect(shown('{ "command": "node", "args": ["a.js"] }').slice(0, 1)).toEqual(['document'])
  expect(explainPasted('{ "command": "node", "args": ["a.js"] }').servers).toHaveLength(1)
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
])('%s is an error with a fix, and no server', (_, text) => {
  const { servers, issues } = explainPasted(text, { platform: 'linux' })
  expect(servers).toEqual([])
  expect(issues).toMatchObject([{ severity: 'error', file: 'pasted text', fix: expect.stringMatching(/\w/) }])
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
