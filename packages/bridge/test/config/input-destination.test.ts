import { type InputRequest, readConfig, resolveSpec } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

/** The destinations of the values that a definition asks for, by id. */
async function destinationsOf(entry: object): Promise<Readonly<Record<string, InputRequest['destination']>>> {
  const text = JSON.stringify({ mcpServers: { one: entry } })
  const { servers } = readConfig(text, { file: '/home/ada/.toolbridge/mcp.json' })
  const found: Record<string, InputRequest['destination']> = {}
  const inputs = {
    answer: async ({ id, destination }: InputRequest): Promise<string> => {
      found[id] = destination
      return 'https://given.example'
    },
  }
  for (const spec of servers)
    await resolveSpec(spec, { kind: 'local', env: {}, workspaceFolder: '/home/ada' }, { inputs })
  return found
}

test('a value is asked for with scheme, host and port, and with every field that it fills', async () => {
  const headers = {
    Authorization: 'Bearer ${input:token}',
    'X-Again': '${input:token}',
    'X-Other': '${secret:other}',
  }
  expect(await destinationsOf({ url: 'https://MCP.example/mcp?x=1', headers })).toEqual({
    token: { target: 'https://mcp.example:443', fields: ['/headers/authorization', '/headers/x-again'] },
    other: { target: 'https://mcp.example:443', fields: ['/headers/x-other'] },
  })
})

test.each([
  ['http://mcp.example/mcp', 'http://mcp.example:80'],
  ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:8080'],
  ['https://mcp.example:443/other', 'https://mcp.example:443'],
])('the target of %s is %s', async (url, target) => {
  const { token } = await destinationsOf({ url, headers: { 'X-Key': '${input:token}' } })
  expect(token?.target).toBe(target)
})

test('the target of a program is the hash of its command line as written, whatever the values are', async () => {
  const entry = {
    command: 'node',
    args: ['server.mjs', '--key=${input:key}'],
    env: { TOKEN: '${input:token}' },
  }
  const { key, token } = await destinationsOf(entry)
  expect(key).toEqual({ target: expect.stringMatching(/^command [0-9a-f]{64}$/), fields: ['/args/1'] })
  expect(token).toEqual({ target: key?.target, fields: ['/env/TOKEN'] })
  const others = [
    { ...entry, command: 'deno' },
    { ...entry, args: ['other.mjs', '--key=${input:key}'] },
    { ...entry, args: ['server.mjs --key=${input:key}'] },
  ]
  for (const other of others) expect((await destinationsOf(other))['key']?.target).not.toBe(key?.target)
})

test('the target of a URL that is itself asked for is the hash of the URL as written', async () => {
  const { host } = await destinationsOf({ url: '${input:host}/mcp' })
  expect(host).toEqual({ target: expect.stringMatching(/^url [0-9a-f]{64}$/), fields: ['/url'] })
})

test('a value of a sign-in is also for the authorization server that the definition names', async () => {
  const entry = (auth: object): object => ({
    url: 'https://mcp.example/mcp',
    headers: { 'X-Key': '${input:key}' },
    auth: { clientId: 'toolbridge', clientSecret: '${input:secret}', ...auth },
  })
  const { key, secret } = await destinationsOf(entry({ tokenUrl: 'https://issuer.example/realms/one/token' }))
  expect(key?.target).toBe('https://mcp.example:443')
  expect(secret).toEqual({
    target: 'https://mcp.example:443 https://issuer.example:443/realms/one/token',
    fields: ['/auth/clientSecret'],
  })
  const others = [
    {},
    { tokenUrl: 'https://evil.example/realms/one/token' },
    { tokenUrl: 'https://issuer.example/realms/two/token' },
    { metadataUrl: 'https://issuer.example/.well-known/openid-configuration' },
  ]
  for (const other of others)
    expect((await destinationsOf(entry(other)))['secret']?.target).not.toBe(secret?.target)
})
