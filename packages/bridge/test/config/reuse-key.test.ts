import { expect, test } from 'vitest'
import { reuseKey } from '../../src/config/spec/reuse-key.ts'
import type { StdioServerSpec } from '../../src/config/spec/server-spec.ts'

const spec: StdioServerSpec = {
  name: 'files',
  transport: 'stdio',
  enabled: true,
  required: false,
  source: { file: '/home/ada/mcp.json', pointer: '/mcpServers/files' },
  command: 'files-server',
  args: ['--root', '.'],
  env: { TOKEN: '${FILES_TOKEN}' },
}
const env = { PATH: '/usr/bin', TERM: 'xterm', FILES_TOKEN: 'one', EDITOR: 'vi' }
const here = { kind: 'local', env, workspaceFolder: '/home/ada' } as const
const key = reuseKey(spec, here)

test.each<readonly [string, Partial<StdioServerSpec>]>([
  ['a start that a command makes eager', { start: 'eager' }],
  ['timeouts, which every process applies itself', { timeouts: { startMs: 1, callMs: 2 } }],
  ['whether it is required', { required: true }],
])('a running server is reused whatever differs in %s', (_, change) => {
  expect(key).toBeTypeOf('string')
  expect(reuseKey({ ...spec, ...change }, here)).toBe(key)
})

test.each<readonly [string, Partial<StdioServerSpec>]>([
  ['name', { name: 'other' }],
  ['arguments', { args: ['--root', '/'] }],
  ['variables of the entry', { env: {} }],
  ['file, to which paths are relative', { source: { file: '/tmp/mcp.json', pointer: '' } }],
  ['tool filter', { tools: { deny: ['*'] } }],
])('a server with another %s is another server', (_, change) => {
  expect(reuseKey({ ...spec, ...change }, here)).toBeTypeOf('string')
  expect(reuseKey({ ...spec, ...change }, here)).not.toBe(key)
})

test('the values of variables count that the program inherits or the definition names, and no others', () => {
  const withEnv = (change: object): unknown => reuseKey(spec, { ...here, env: { ...env, ...change } })
  expect(withEnv({ FILES_TOKEN: 'two' })).not.toBe(key)
  expect(withEnv({ FILES_TOKEN: undefined })).not.toBe(key)
  expect(withEnv({ PATH: '/bin' })).not.toBe(key)
  expect(withEnv({ EDITOR: 'emacs', TERM: 'dumb' })).toBe(key)
  const all = { ...spec, inheritEnv: 'all' } as const
  expect(reuseKey(all, { ...here, env: { ...env, EDITOR: 'emacs' } })).not.toBe(reuseKey(all, here))
})

test('a server in another folder is another server', () => {
  expect(reuseKey(spec, { ...here, workspaceFolder: '/' })).not.toBe(key)
})

test.each<readonly [string, Partial<StdioServerSpec>]>([
  ['is disabled', { enabled: false }],
  ['asks for an input', { env: { TOKEN: '${input:token}' } }],
  ['declares an input', { inputs: [{ id: 'token' }] }],
  ['limits its calls', { maxConcurrency: 1 }],
  ['prints to the terminal', { preset: { stderr: 'inherit' } }],
  ['pins the revision', { policy: { 'protocol.version': '2025-06-18' } }],
  ['has its secrets in a store', { policy: { 'secrets.env': 'store' } }],
])('a server that %s is never reused', (_, change) => {
  expect(reuseKey({ ...spec, ...change }, here)).toBeUndefined()
})

test('a remote server and one of a session are never reused', () => {
  const { command: _command, args: _args, env: _env, ...commons } = spec
  const remote = { ...commons, transport: 'http', url: 'https://example.com/mcp', headers: {} } as const
  expect(reuseKey(remote, here)).toBeUndefined()
  expect(reuseKey(spec, { kind: 'session' })).toBeUndefined()
})
