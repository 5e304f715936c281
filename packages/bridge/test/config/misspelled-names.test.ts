import { readConfig } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

const servers = { a: { command: 'a' } }

test.each([
  [
    'a field of a server',
    'mcp.json',
    { mcpServers: { a: { command: 'a', timeuot: 1 } } },
    '/mcpServers/a/timeuot',
  ],
  [
    'a nested field',
    'mcp.json',
    { mcpServers: { a: { command: 'a', tools: { alow: [] } } } },
    '/mcpServers/a/tools/alow',
  ],
  ['the key of all servers', 'mcp.json', { mcpServer: servers }, '/mcpServer'],
  ['the key of all servers, in another case', 'mcp.json', { mcpservers: servers }, '/mcpservers'],
  [
    'the key of all servers beside other settings',
    '/home/ada/.gemini/settings.json',
    { mcpServer: servers },
    '/mcpServer',
  ],
  [
    'a key beside the servers',
    '/code/.mcp.json',
    { mcpServers: servers, disabledMcpServer: [] },
    '/disabledMcpServer',
  ],
  [
    'a key of lists',
    '/home/ada/.gemini/settings.json',
    { mcpServers: servers, mcp: { exclude: ['a'] } },
    '/mcp/exclude',
  ],
])('a misspelled name gets a suggestion: %s', (_what, file, content, path) => {
  const { issues } = readConfig(JSON.stringify(content), { file })
  expect(issues.find((issue) => issue.path === path)?.fix).toMatch(/^did you mean "\w+"\?$/)
})

test('a correct name and settings of the host get none', () => {
  const content = {
    mcpServers: servers,
    mcp: { excluded: [], allowed: ['a'], servers: 1 },
    tools: { exclude: [] },
    mcpServes: 1,
  }
  expect(readConfig(JSON.stringify(content), { file: '/home/ada/.gemini/settings.json' }).issues).toEqual([])
})
