import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { afterEach, expect, test } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { overlayWindowsEnv, safeEnv } from '../../src/process/safe-env.ts'
import { StdioTransport, type StdioTransportConfig } from '../../src/stdio.ts'

const hidden = {
  NODE_PATH: '/evil',
  PYTHONHOME: '/evil',
  OPENAI_API_KEY: canary('environment'),
  LD_AUDIT: '/evil.so',
}

afterEach(() => {
  for (const name of Object.keys(hidden)) delete process.env[name]
})

test('a server sees what it needs to run, what its configuration sets, and nothing else of ours [S4-29] [S4-30] [S4-119] [D15]', async () => {
  Object.assign(process.env, hidden)
  const seen = await environmentOfServer({ env: { TOKEN: 'for-this-server', SHELL: '/bin/other' } })
  expect(seen['PATH']).toBe(process.env['PATH'])
  expect(seen['TOKEN']).toBe('for-this-server')
  expect(seen['SHELL']).toBe('/bin/other')
  for (const name of Object.keys(hidden)) expect(seen).not.toHaveProperty(name)
})

test('with inheritEnv none a server sees its configuration only', async () => {
  const seen = await environmentOfServer({ env: { ONLY: 'this' }, inheritEnv: 'none' })
  expect(seen['ONLY']).toBe('this')
  expect(seen).not.toHaveProperty('HOME')
  expect(seen).not.toHaveProperty('PATH')
})

test('functions that a shell exported are left out', () => {
  expect(safeEnv({ PATH: '/bin', TERM: '() { :; }; echo gotcha' }, 'linux')).toEqual({ PATH: '/bin' })
})

test('Windows has names of its own [S4-30]', () => {
  const environment = { SYSTEMROOT: 'C:\\Windows', PATH: 'C:\\', HOME: '/home/me', SECRET: 'x' }
  expect(safeEnv(environment, 'win32')).toEqual({ SYSTEMROOT: 'C:\\Windows', PATH: 'C:\\' })
})

test('names on Windows are found and replaced without regard to case [C14]', () => {
  const inherited = safeEnv({ Path: 'C:\\', ComSpec: 'cmd.exe', secret: 'x' }, 'win32')
  expect(inherited).toEqual({ PATH: 'C:\\', COMSPEC: 'cmd.exe' })
  expect(overlayWindowsEnv(inherited, { path: 'D:\\', Token: 't' })).toEqual({
    COMSPEC: 'cmd.exe',
    path: 'D:\\',
    Token: 't',
  })
})

async function environmentOfServer(
  config: Partial<StdioTransportConfig>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [fixtureServers.hostile],
    ...config,
  })
  const client = new McpClient(transport)
  await client.connect()
  const { content } = await client.callTool('environment')
  await client.close()
  return JSON.parse(content[0]?.type === 'text' ? content[0].text : '{}')
}
