import { readConfig, type ReadConfigOptions } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

const options: ReadConfigOptions = { file: 'stored settings', dialect: 'mcp-servers', authority: 'session' }

function read(entry: object): ReturnType<typeof readConfig> {
  return readConfig(JSON.stringify({ mcpServers: { one: entry } }), options)
}

test.each([
  ['cwd', '/', 'not_for_session'],
  ['envFile', '/etc/environment', 'not_for_session'],
  ['inheritNames', ['HOME'], 'not_for_session'],
  ['headersHelper', 'id', 'not_for_session'],
  ['inheritEnv', 'none', 'field_restricts'],
  ['unsetEnv', ['PATH'], 'field_restricts'],
  ['readOnly', true, 'field_restricts'],
  ['tools', { allow: ['read'] }, 'field_restricts'],
  ['approval', { default: 'ask' }, 'field_restricts'],
  ['policy', { 'env.inherit': 'all' }, 'field_restricts'],
])(
  'a saved server with %s is refused, with the position of the field [S2-48] [S2-90]',
  (field, value, code) => {
    const { servers, issues } = read({ command: 'x', [field]: value })
    expect(servers).toEqual([])
    expect(issues).toEqual([
      expect.objectContaining({ code, severity: 'error', path: `/mcpServers/one/${field}`, line: 1 }),
    ])
  },
)

test('the environment of a host that can also unset variables is saved, unless it unsets one', () => {
  const code = (env: object): ReturnType<typeof readConfig> =>
    readConfig(JSON.stringify({ servers: { one: { command: 'x', env } } }), {
      ...options,
      dialect: 'vscode',
    })
  expect(code({ KEY: 'value' })).toMatchObject({ servers: [{ env: { KEY: 'value' } }], issues: [] })
  expect(code({ KEY: null })).toMatchObject({
    servers: [],
    issues: [{ code: 'field_restricts', path: '/servers/one/env' }],
  })
})

test('a saved server keeps its times, its start and its sign-in, and loses only what says nothing about it', () => {
  const entry = {
    url: 'https://mcp.example/mcp',
    timeouts: { callMs: 5_000 },
    start: 'lazy',
    maxConcurrency: 2,
    auth: { clientId: 'registered' },
    required: true,
  }
  const { servers, issues } = read(entry)
  expect(servers).toMatchObject([
    {
      timeouts: { callMs: 5_000 },
      start: 'lazy',
      maxConcurrency: 2,
      auth: { clientId: 'registered' },
      required: false,
    },
  ])
  expect(issues).toMatchObject([{ severity: 'warning', path: '/mcpServers/one/required' }])
})

test.each(['file:///etc/passwd', 'nowhere', 'javascript:alert(1)'])(
  '%s is no URL of a saved server',
  (url) => {
    const { servers, issues } = read({ url })
    expect(servers).toEqual([])
    expect(issues).toMatchObject([{ code: 'url_unsupported', path: '/mcpServers/one/url' }])
  },
)

test('files of this machine may have the same fields', () => {
  const { authority: _session, ...local } = options
  const text = JSON.stringify({ mcpServers: { one: { command: 'x', cwd: '/', tools: { allow: ['read'] } } } })
  expect(readConfig(text, local).servers).toMatchObject([{ cwd: '/', tools: { allow: ['read'] } }])
})
