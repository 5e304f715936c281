import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Authority, readConfig, resolveSpec, type ServerSpec } from '@toolbridge/bridge/config'
import { canary } from '@toolbridge/testkit/secrets'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dialects } from '../../../src/config/dialects/all.ts'

/** What the best importer of other hosts' files was seen to get wrong, each of which must be right here. */

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolbridge-'))
})

afterEach(() => rm(folder, { recursive: true }))

function local(env: Readonly<Record<string, string>> = {}): Authority {
  return { kind: 'local', env, workspaceFolder: '/somewhere/else' }
}

function only(text: string, file: string): ServerSpec {
  const { servers, issues } = readConfig(text, { file })
  expect(issues).toEqual([])
  const [spec] = servers
  if (spec === undefined || servers.length !== 1) throw new Error('expected one server')
  return spec
}

test("a project's .mcp.json and Claude Desktop's own file are among the known locations", () => {
  const paths = dialects.flatMap(({ locations }) => locations.map(({ path }) => path))
  expect(paths).toContain('.mcp.json')
  expect(paths.filter((path) => path.endsWith('/claude_desktop_config.json'))).toHaveLength(3)
})

test('a Cursor entry with ${workspaceFolder} is kept, and means the folder that holds .cursor', async () => {
  const text = '{ "mcpServers": { "a": { "command": "a", "args": ["${workspaceFolder}/x"] } } }'
  const spec = only(text, '/home/ada/app/.cursor/mcp.json')
  expect((await resolveSpec(spec, local())).spec).toMatchObject({ args: ['/home/ada/app/x'] })
})

test('a Cursor entry that is disabled stays off', () => {
  const text = '{ "mcpServers": { "a": { "command": "a", "disabled": true } } }'
  expect(only(text, '/home/ada/.cursor/mcp.json').enabled).toBe(false)
})

test('a Codex server with enabled = false stays off', () => {
  expect(
    only('[mcp_servers.a]\ncommand = "a"\nenabled = false\n', '/home/ada/.codex/config.toml').enabled,
  ).toBe(false)
})

test('a Codex bearer token by name, headers and an allowlist are kept', async () => {
  const text = [
    '[mcp_servers.a]',
    'url = "https://a.test/mcp"',
    'bearer_token_env_var = "TOKEN"',
    'http_headers = { "X-A" = "1" }',
    'enabled_tools = ["read"]',
  ].join('\n')
  const spec = only(text, '/home/ada/.codex/config.toml')
  expect(spec.tools).toEqual({ allow: ['read'] })
  expect((await resolveSpec(spec, local({ TOKEN: canary('token') }))).spec).toMatchObject({
    headers: { Authorization: `Bearer ${canary('token')}`, 'X-A': '1' },
  })
})

test("opencode's environment and enabled: false are kept", () => {
  const text =
    '{ "mcp": { "a": { "type": "local", "command": ["a"], "environment": { "K": "v" }, "enabled": false } } }'
  expect(only(text, '/home/ada/app/opencode.json')).toMatchObject({ env: { K: 'v' }, enabled: false })
})

test("VS Code's cwd stays what it is, its envFile is read and ${env:API_KEY} is the variable", async () => {
  const file = join(folder, '.vscode', 'mcp.json')
  await mkdir(join(folder, '.vscode'))
  await writeFile(join(folder, '.env'), 'FROM_FILE=yes\nAPI_KEY=overridden\n')
  const text = `{ "servers": { "a": {
    "type": "stdio", "command": "a", "cwd": "\${workspaceFolder}/tools", "envFile": "\${workspaceFolder}/.env",
    "env": { "API_KEY": "\${env:API_KEY}" } } } }`
  const { spec } = await resolveSpec(only(text, file), local({ API_KEY: canary('key') }))
  expect(spec).toMatchObject({
    cwd: join(folder, 'tools'),
    env: { FROM_FILE: 'yes', API_KEY: canary('key') },
  })
})
