import { expect, test } from 'vitest'
import { readConfig, resolveSpec } from '@toolbridge/bridge/config'

function remote(headers: object, url = 'https://mcp.example/mcp') {
  const { servers } = readConfig(JSON.stringify({ mcpServers: { a: { type: 'http', url, headers } } }), {
    file: 'mcp.json',
    dialect: 'mcp-servers',
  })
  const [spec] = servers
  if (spec === undefined) throw new TypeError('there is no server')
  return spec
}

test.each(['x\r\nAuthorization: Bearer y', 'x\ny', 'x\u0000', 'x\u007f', 'x\u2028y', 'é😀'])(
  'a variable with the value %j in a header is refused, and the value is not quoted, advisory [D3]',
  async (value) => {
    const spec = remote({ 'X-Team': 'a${env:TEAM}b' })
    const authority = { kind: 'local', env: { TEAM: value }, workspaceFolder: '/' } as const
    const resolved = resolveSpec(spec, authority)
    await expect(resolved).rejects.toThrow('contains characters that are not allowed in a header')
    await expect(resolved).rejects.not.toThrow(value.slice(0, 2))
  },
)

test.each(['X-Team\r\nAuthorization', 'X Team', 'X:Team', ''])(
  'a header cannot be called %j, advisory [D3]',
  async (header) => {
    const authority = { kind: 'local', env: {}, workspaceFolder: '/' } as const
    await expect(
      Promise.resolve().then(() => resolveSpec(remote({ [header]: 'x' }), authority)),
    ).rejects.toThrow(/is not a valid header name|there is no server/)
  },
)
