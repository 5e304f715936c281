import { readConfig, type ServerSpec, writeConfig } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { approvalFor } from '../../../src/config/spec/tool-approval.ts'

function opencode(rest: object): ServerSpec | undefined {
  const document = { mcp: { a: { type: 'local', command: ['a'] } }, ...rest }
  return readConfig(JSON.stringify(document), { file: '/app/opencode.json' }).servers[0]
}

/** What becomes of calls of these tools under the permissions of an opencode file. */
function words(permission: unknown, ...tools: readonly string[]): readonly unknown[] {
  const { approval = {} } = opencode({ permission }) ?? {}
  return tools.map((tool) => approvalFor(approval, tool))
}

describe('permissions of opencode', () => {
  test('can be one word for everything', () => {
    expect(words('deny', 'x')).toEqual(['deny'])
    expect(words('ask', 'x')).toEqual(['ask'])
    expect(opencode({ permission: 'never' })).toBeUndefined()
  })

  test('are patterns of which the last that matches holds', () => {
    expect(words({ a_x: 'allow', '*': 'ask' }, 'x', 'y')).toEqual(['ask', 'ask'])
    expect(words({ '*': 'ask', a_x: 'allow' }, 'x', 'y')).toEqual(['allow', 'ask'])
    expect(words({ a_get_x: 'allow', 'a_get*': 'ask' }, 'get_x', 'get_y', 'z')).toEqual([
      'ask',
      'ask',
      undefined,
    ])
    expect(words({ '*_drop': 'deny', a_drop: 'allow' }, 'drop', 'db_drop')).toEqual(['allow', 'deny'])
  })

  test('name tools by patterns, in which ? stands for one character', () => {
    expect(words({ 'a_drop*': 'deny' }, 'drop', 'drop_table', 'list')).toEqual(['deny', 'deny', undefined])
    expect(words({ '?_dro?': 'deny' }, 'drop', 'list')).toEqual(['deny', undefined])
    expect(words({ '*': 'ask', 'a_dro?': 'allow' }, 'drop')).toEqual(['ask'])
    expect(opencode({ tools: { 'a_dro?': false } })?.tools).toEqual({ deny: ['dro*'] })
  })

  test('of many stars are read in no time', () => {
    expect(words({ [`${'*a'.repeat(200)}_x`]: 'deny' }, 'x')).toEqual([undefined])
  })

  test('are written so that they say the same', () => {
    const spec = opencode({
      permission: { '*': 'ask', 'a_get*': 'allow', 'a_get_s*': 'deny', a_get_s1: 'allow' },
    })
    const { text, unwritableFields } = writeConfig(spec === undefined ? [] : [spec], { dialect: 'opencode' })
    expect(unwritableFields).toEqual([])
    const [again] = readConfig(text, { file: '/app/opencode.json' }).servers
    expect(['get', 'get_s', 'get_s1', 'x'].map((tool) => approvalFor(again?.approval ?? {}, tool))).toEqual([
      'allow',
      'deny',
      'allow',
      'ask',
    ])
  })
})

test('where a host names tools one by one, a pattern cannot be written, and a server it narrows is not', () => {
  const filtered = opencode({ tools: { 'a_drop*': false } })
  const asking = opencode({ permission: { 'a_drop*': 'ask' } })
  for (const [dialect, spec, field] of [
    ['codex', filtered, 'tools.deny'],
    ['gemini-cli', filtered, 'tools.deny'],
    ['codex', asking, 'approval.tools'],
  ] as const) {
    const { unwritableFields } = writeConfig(spec === undefined ? [] : [spec], { dialect })
    expect(unwritableFields).toContainEqual(expect.objectContaining({ field, outcome: 'refused' }))
  }
})

test('a name that lets tools through unasked is no pattern where its host knows none', () => {
  const cline = JSON.stringify({ mcpServers: { a: { command: 'a', autoApprove: ['*', 'read'] } } })
  const [spec] = readConfig(cline, { file: '/home/ada/.cline/mcp.json' }).servers
  expect(spec?.approval).toEqual({ tools: { read: 'allow' } })
})

test.each([
  [
    '/app/.gemini/settings.json',
    '{ "mcpServers": { "a": { "command": "a", "includeTools": ["get*", "list"] } } }',
  ],
  ['/app/.codex/config.toml', '[mcp_servers.a]\ncommand = "a"\nenabled_tools = ["get*", "list"]'],
])('what looks like a pattern allows nothing in %s, as in its host, and that is told', (file, text) => {
  expect(readConfig(text, { file })).toMatchObject({
    servers: [{ tools: { allow: ['list'] } }],
    issues: [{ code: 'pattern_unknown', severity: 'warning' }],
  })
})
