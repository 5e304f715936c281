import { openBridge } from '@toolbridge/bridge'
import {
  permissionFilesBeside,
  type PermissionsReading,
  readPermissions,
} from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

function read(text: string, file = 'permissions.json'): PermissionsReading {
  return readPermissions(text, { file })
}

/** Issues as `line:column severity message`. */
function issuesIn(text: string, file?: string): readonly string[] {
  return read(text, file).issues.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  )
}

test('rules in a file are read with their positions, also with comments and a schema', () => {
  const text = [
    '{ // ours',
    '  "$schema": "./permissions.schema.json",',
    '  "mode": "ask",',
    '  "allow": ["mcp://files/read_*",',
    '            { "match": "mcp:git__log" }],',
    '  "deny": ["mcp://files/write_file(path=/etc/**)",],',
    '}',
  ].join('\n')
  expect(read(text)).toEqual({
    file: 'permissions.json',
    form: 'toolbridge',
    rules: {
      mode: 'ask',
      allow: ['mcp://files/read_*', { match: 'mcp:git__log' }],
      deny: ['mcp://files/write_file(path=/etc/**)'],
    },
    positions: {
      mode: { line: 3, column: 11 },
      allow: [
        { line: 4, column: 13 },
        { line: 5, column: 13 },
      ],
      ask: [],
      deny: [{ line: 6, column: 12 }],
    },
    issues: [],
  })
})

describe('a file that is not understood has no rules, and every problem has its line', () => {
  test.each([
    ['{', ['1:2 error not valid JSON at line 1, column 2: expected a comma or a closing brace']],
    ['[]', ['1:1 error the permission rules must be an object']],
    ['{ "denny": [] }', ['1:12 error unknown field "denny" in permission rules']],
    [
      '{ "deny": ["mcp:a"],\n "deny": [] }',
      ['2:10 error "deny" appears twice, and only one of them would count'],
    ],
    ['{ "approve": ["mcp:a"] }', ['1:14 error unknown field "approve" in permission rules']],
    ['{ "restrictedBy": [] }', ['1:19 error unknown field "restrictedBy" in permission rules']],
    ['{ "mode": "yoloo" }', ['1:11 error unknown permission mode "yoloo"']],
    [
      '{ "allow": ["mcp:a",\n  "mpc:b"], "deny": [{ "match": "mcp:a",\n "when": 1 }] }',
      [
        '2:3 error "mpc:b" is not a permission pattern: it does not start with a namespace',
        '3:10 error unknown field "when" in a permission rule',
      ],
    ],
  ])('%s', (text, issues) => {
    expect(issuesIn(text)).toEqual(issues)
    expect(read(text).rules).toEqual({})
  })

  test('with a suggestion', () => {
    const { issues } = read('{ "denny": [], "mode": "alow", "ask": ["mpc:b"] }')
    expect(issues.map(({ fix }) => fix)).toEqual([
      expect.stringMatching(/^did you mean "deny"\? use "mode"/),
      expect.stringMatching(/^did you mean "allow"\? use "ask"/),
      expect.stringMatching(/^did you mean "mcp:"\? write mcp:/),
    ])
  })
})

describe("core-agent's settings are read in its own form", () => {
  test('an allow entry below "permissions", in which everything else is asked about [S1-27]', () => {
    const { form, rules, issues } = read('{"permissions": {"allow": ["mcp:filesystem_read_file"]}}')
    expect({ form, rules, issues }).toEqual({
      form: 'core-agent',
      rules: { mode: 'ask', allow: ['mcp:filesystem_read_file'] },
      issues: [],
    })
  })

  test('mode yolo allows a call without a question [S1-31]', async () => {
    const { rules } = read('{"version": 1, "permissions": {"mode": "yolo"}}')
    await using bridge = await openBridge({ ...permissive([inMemory('hello')]), permissions: rules })
    expect(await bridge.permissionFor('hello__hello', {})).toEqual({ verdict: 'allow', reason: 'mode yolo' })
  })

  test('patterns of its own tools are left out, those of any tool hold for MCP tools [S1-29]', () => {
    const text = JSON.stringify({
      permissions: {
        mode: 'ask',
        allow: ['bash:git *', 'mcp:fs_read *', 'read_file:/home/**', 'git status*'],
        deny: ['*', 'mcp:fs_*', 'rm -rf*', '*:x'],
      },
    })
    const { rules, positions } = read(text)
    expect(rules).toEqual({ mode: 'ask', allow: ['mcp:fs_read'], deny: ['mcp:*', 'mcp:fs_*', 'mcp:x'] })
    expect(positions.deny.map(({ column }) => text.slice(column - 1, column + 3))).toEqual([
      '"*",',
      '"mcp',
      '"*:x',
    ])
    expect(issuesIn(text).map((issue) => issue.replace(/^\S+ /, ''))).toEqual(
      ['bash:git *', 'read_file:/home/**', 'git status*', 'rm -rf*'].map(
        (pattern) => `warning "${pattern}" is about a tool of core-agent itself and concerns no MCP server`,
      ),
    )
  })

  test.each([
    [{ mode: 'allow' }, 'ask', 'core-agent allows only listed tools in mode "allow"'],
    [{ mode: 'acceptEdits' }, 'ask', 'mode "acceptEdits" is about the file tools of core-agent'],
    [{ mode: 'yolo', plan_mode: 'required' }, 'ask', '"plan_mode" has no equal here'],
    [{ mode: 'plan', require_plan_artifact: true }, 'plan', undefined],
    [{ use_builtin_allow: false, approval_timeout: '10m' }, 'ask', undefined],
  ])('%j becomes mode %s, never a wider one', (permissions, mode, warning) => {
    const { rules, issues } = read(JSON.stringify({ permissions }))
    expect(rules).toEqual({ mode })
    expect(issues.map(({ message }) => message)).toEqual(
      warning === undefined ? [] : [expect.stringContaining(warning)],
    )
  })

  test.each([
    ['{"permissions": {"mode": "auto"}}', '1:26 error unknown permission mode "auto"'],
    ['{"permissions": {"sandbox": true}}', '1:29 error unknown field "sandbox" in permission rules'],
    ['{"permissions": {"deny": "mcp:a"}}', '1:26 error "deny" must be a list'],
    ['{"permissions": []}', '1:17 error the permission rules must be an object'],
    [
      '{"permissions": {"deny": ["mcp:fs_write {*etc*"]}}',
      '1:27 error "mcp:fs_write {*etc*" tests the arguments as text, which is not supported',
    ],
  ])('%s is refused', (text, issue) => {
    expect(issuesIn(text)).toEqual([issue])
    expect(read(text).rules).toEqual({})
  })

  test('its settings without permissions have no rules', () => {
    expect(read('{"version": 1, "model": {}}', '/p/.agents/config.json')).toMatchObject({
      rules: {},
      issues: [],
    })
  })
})

test.each([
  ['/p/.toolbridge/mcp.json', ['/p/.toolbridge/permissions.json']],
  ['/p/.mcp.json', ['/p/.mcp.permissions.json']],
  ['/p/config.toml', ['/p/config.permissions.json']],
  ['/p/.agents/mcp.json', ['/p/.agents/mcp.permissions.json', '/p/.agents/config.json']],
])('the rules beside %s are searched at %j', (file, paths) => {
  expect(permissionFilesBeside(file)).toEqual(paths)
})
