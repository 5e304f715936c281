import { ConfigError } from '@toolbridge/bridge'
import { resolveSpec, type ServerSpec } from '@toolbridge/bridge/config'
import { afterEach, expect, test, vi } from 'vitest'

const source = { file: 'stored settings', pointer: '/mcpServers/a' }
const commons = { name: 'a', enabled: true, required: false, source }
const stdio = { ...commons, transport: 'stdio', command: 'a', args: [], env: {} } as const
const http = { ...commons, transport: 'http', url: 'https://a.test/', headers: {} } as const

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each<[string, ServerSpec, string]>([
  ['the environment in a command', { ...stdio, command: '${env:SHELL}' }, '/command'],
  ['the environment in an argument', { ...stdio, args: ['${env:HOME:-x}'] }, '/args/0'],
  ['the environment in a variable', { ...stdio, env: { K: '${env:HOME}' } }, '/env/K'],
  ['the workspace', { ...stdio, args: ['${workspaceFolder}'] }, '/args/0'],
  ['a working directory', { ...stdio, cwd: '/' }, '/cwd'],
  ['a file of variables', { ...stdio, envFile: '/etc/environment' }, '/envFile'],
  ['the whole environment', { ...stdio, inheritEnv: 'all' }, '/inheritEnv'],
  ['variables by name', { ...stdio, inheritNames: ['HOME'] }, '/inheritNames'],
  ['a file in an argument', { ...stdio, args: ['${file:/etc/passwd}'] }, '/args/0'],
  ['the home folder', { ...stdio, env: { K: '${userHome}' } }, '/env/K'],
  ['the name of the workspace', { ...stdio, args: ['${workspaceFolderBasename}'] }, '/args/0'],
  [
    'a program that prints headers',
    { ...http, headersHelper: { command: 'id', args: [] } },
    '/headersHelper',
  ],
  [
    'the environment in a client secret',
    { ...http, auth: { clientSecret: '${env:HOME}' } },
    '/auth/clientSecret',
  ],
  ['the environment in an address', { ...http, url: 'https://${env:HOME}/' }, '/url'],
  ['the environment in a header', { ...http, headers: { A: '${env:HOME}' } }, '/headers/A'],
])('a platform user may not use %s [D35]', async (_what, spec, path) => {
  try {
    await resolveSpec(spec, { kind: 'session' })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({
      code: 'config_invalid',
      issues: [
        { code: 'not_for_session', severity: 'error', file: 'stored settings', path: source.pointer + path },
      ],
    })
    expect(error instanceof ConfigError && error.issues.every((issue) => issue.fix !== '')).toBe(true)
  }
})

test('a dialect whose servers inherit everything hands a platform user nothing', async () => {
  vi.stubEnv('TOOLBRIDGE_PROBE', 'from the environment')
  const spec: ServerSpec = { ...stdio, dialect: 'yaaf', policy: { 'env.inherit': 'all' } }
  const { spec: resolved } = await resolveSpec(spec, { kind: 'session' })
  expect(resolved).toMatchObject({ env: {} })
  expect(resolved).not.toHaveProperty('inheritEnv')
})

test('files and helpers that other hosts would read are refused as well', async () => {
  for (const text of ['${file:/etc/passwd}', '${cmd: id}', '${input:key}', '${HOME}']) {
    await expect(resolveSpec({ ...stdio, args: [text] }, { kind: 'session' })).rejects.toThrow(ConfigError)
  }
})

test('what is written out is used as it is, and nothing of this machine slips in', async () => {
  vi.stubEnv('TOOLBRIDGE_PROBE', 'from the environment')
  const spec: ServerSpec = {
    ...stdio,
    command: 'node',
    args: ['$TOOLBRIDGE_PROBE', '$${literal}'],
    env: { K: 'v' },
  }
  const resolved = await resolveSpec(spec, { kind: 'session' })
  expect(resolved.issues).toEqual([])
  expect(resolved.spec).toEqual({ ...spec, args: ['$TOOLBRIDGE_PROBE', '${literal}'] })
})
