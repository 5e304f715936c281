import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder, toolbridge } from './transcript.ts'

const project = temporaryFolder()
afterAll(() => project.remove())

test('the built command reads each file in its dialect, which is loaded on use', async () => {
  const files: readonly (readonly [string, string, string])[] = [
    ['.mcp.json', 'claude-code', '{ "mcpServers": { "tools": { "command": "a", "headersHelper": "b" } } }'],
    ['.vscode/mcp.json', 'vscode', '{ "servers": { "tools": { "command": "b" } } }'],
    ['.codex/config.toml', 'codex', '[mcp_servers.tools]\ncommand = "c"\n'],
    ['opencode.json', 'opencode', '{ "mcp": { "tools": { "type": "local", "command": ["d"] } } }'],
  ]
  for (const [path, , text] of files) {
    mkdirSync(dirname(join(project.path, path)), { recursive: true })
    writeFileSync(join(project.path, path), text)
  }
  const { stdout } = await toolbridge(['config', 'list', '--format', 'json'], { cwd: project.path })
  const read = files.map(([path, dialect]) => ({
    file: join(project.path, path),
    dialect,
    servers: ['tools'],
  }))
  expect(JSON.parse(stdout)).toMatchObject({
    files: expect.arrayContaining(read.map((file) => expect.objectContaining(file))),
  })
})
