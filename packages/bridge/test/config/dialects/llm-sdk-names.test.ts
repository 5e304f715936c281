import { readConfig } from '@toolbridge/bridge/config'
import { namespaceOf } from '@toolbridge/client/internal'
import { expect, test } from 'vitest'

test.each([
  [{ url: 'http://127.0.0.1:8080/mcp' }, '127_0_0_1'],
  [{ url: 'https://mcp.example.com/mcp' }, 'mcp'],
  [{ command: '/usr/local/bin/my-server.tar.gz' }, 'my_server_tar'],
  [{ command: 'server.some-thing' }, 'server'],
])('the name of %j is derived as mcpToolset does: %s [S4-124] [D5]', (entry, name) => {
  const { servers } = readConfig(JSON.stringify([entry]), { file: 'test', kind: 'code', dialect: 'llm-sdk' })
  expect(servers.map((server) => server.name)).toEqual([name])
  expect(namespaceOf(entry)).toBe(name)
})
