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

function readSettings(permissions: unknown): PermissionsReading {
  return read(JSON.stringify({ permissions }), 'config.json')
}

describe("a pattern of core-agent's settings", () => {
  test.each<[unknown, unknown]>([
    ['mcp:fs_read', 'mcp:fs_read'],
    ['mcp:fs_read *', 'mcp:fs_read'],
    ['mcp: fs_read  ** ', 'mcp:fs_read'],
    ['*:fs_*', 'mcp:fs_*'],
    ['*', 'mcp:*'],
    ['mcp://files/read', 'mcp://files/read'],
    ['*://files/read', '*://files/read'],
    ['resource:files', 'resource:files'],
    ['prompt:files', 'prompt:files'],
    ['sampling:files', 'sampling:files'],
    ['elicitation:files', 'elicitation:files'],
    [{ match: 'mcp:a' }, { match: 'mcp:a' }],
  ])('%j is the rule %j', (pattern, rule) => {
    const { rules, issues } = readSettings({ deny: [pattern] })
    if (String(rule).startsWith('*:'))
      expect(issues[0]?.message).toContain(`"${String(rule)}" is not a permission pattern`)
    else expect({ rules, issues }).toEqual({ rules: { mode: 'ask', deny: [rule] }, issues: [] })
  })

  test.each(['bash:*', 'bash:git *', 'fs_read x', 'mcp:fs_read x*', 'mcps:a', 'a mcp:b'])(
    '%j is about its own tools',
    (pattern) => {
      const { rules, issues } = readSettings({ deny: [pattern] })
      expect(rules).toEqual({ mode: 'ask', deny: [] })
      expect(issues).toMatchObject([
        {
          code: 'permissions_invalid',
          severity: 'warning',
          message: `"${pattern}" is about a tool of core-agent itself and concerns no MCP server`,
          fix: 'nothing to do',
          path: '/permissions/deny/0',
        },
      ])
    },
  )

  test.each(['mcp:a {*', 'mcp:a *x*', 'mcp:a ?x', 'mcp:a [x', '* {*\n*'])(
    '%j tests arguments as text',
    (pattern) => {
      const { rules, issues } = readSettings({ deny: ['mcp:b', pattern] })
      expect(rules).toEqual({})
      expect(issues).toMatchObject([
        {
          severity: 'error',
          message: `"${pattern}" tests the arguments as text, which is not supported`,
          fix: 'name the argument, such as mcp://files/write(path=/etc/**)',
          path: '/permissions/deny/1',
        },
      ])
    },
  )
})

describe("a mode of core-agent's settings", () => {
  test.each<[object, string, string | undefined, string | undefined]>([
    [{ mode: 'yolo' }, 'yolo', undefined, undefined],
    [{ mode: 'ask' }, 'ask', undefined, undefined],
    [{ mode: 'yolo', plan_mode: 'off', require_plan_artifact: false }, 'yolo', undefined, undefined],
    [{ mode: 'plan', plan_mode: 'required' }, 'plan', undefined, undefined],
    [
      { mode: 'allow' },
      'ask',
      'core-agent allows only listed tools in mode "allow"; here the others are asked about, as in mode "ask"',
      'write "mode": "ask" to say so',
    ],
    [
      { mode: 'acceptEdits' },
      'ask',
      'mode "acceptEdits" is about the file tools of core-agent; MCP tools are asked about, as in mode "ask"',
      'write "mode": "ask" to say so',
    ],
    [
      { mode: 'yolo', plan_mode: true },
      'ask',
      '"plan_mode" has no equal here, so mode "yolo" becomes "ask"',
      'remove it to use mode "yolo"',
    ],
    [
      { mode: 'yolo', require_plan_artifact: 'required' },
      'ask',
      '"require_plan_artifact" has no equal here, so mode "yolo" becomes "ask"',
      'remove it to use mode "yolo"',
    ],
  ])('%j is mode %s', (permissions, mode, message, fix) => {
    const { rules, issues } = readSettings({
      ...permissions,
      builtin_allow_extras: [],
      use_builtin_allow: true,
    })
    expect(rules).toEqual({ mode })
    const warning = { severity: 'warning', code: 'permissions_invalid', message, fix }
    expect(issues).toMatchObject(message === undefined ? [] : [warning])
  })

  test.each([
    ['toString', '"toString"'],
    [5, '(not a string)'],
  ])('%j is unknown', (mode, shown) => {
    const { rules, issues } = readSettings({ mode })
    expect(rules).toEqual({})
    expect(issues).toMatchObject([{ message: `unknown permission mode ${shown}`, path: '/permissions/mode' }])
  })
})

test('rules have the positions of their patterns, also behind one that is left out', () => {
  const text = '{"permissions": {\n"allow": ["bash:*",\n"mcp:a"],\n"mode": "ask" } }'
  const { form, rules, positions } = readPermissions(text, { file: 'config.json' })
  expect({ form, rules }).toEqual({ form: 'core-agent', rules: { mode: 'ask', allow: ['mcp:a'] } })
  expect(positions).toEqual({
    mode: { line: 4, column: 9 },
    allow: [{ line: 3, column: 1 }],
    ask: [],
    deny: [],
  })
})

test('a file without rules has no positions', () => {
  const none = { mode: undefined, allow: [], ask: [], deny: [] }
  const positions = (text: string, file = 'x.json') => {
    const { form, positions: found, rules } = readPermissions(text, { file })
    return { form, positions: found, rules }
  }
  expect(positions('{')).toEqual({ form: 'toolbridge', positions: none, rules: {} })
  expect(positions('{}')).toEqual({ form: 'toolbridge', positions: none, rules: {} })
  expect(positions('{ "mode": "no", "allow": ["mcp:a"] }')).toEqual({
    form: 'toolbridge',
    positions: none,
    rules: {},
  })
  expect(positions('{}', '/p/.agents/config.json')).toEqual({
    form: 'core-agent',
    positions: none,
    rules: {},
  })
  expect(positions('{}', '/p/config.json').form).toBe('toolbridge')
  expect(positions('{}', '/p/.agents/mcp.permissions.json').form).toBe('toolbridge')
})

test('an issue has the place of the closest value that is in the file', () => {
  const text = [
    '{ "deny": ["mcp:a",',
    '  { "match": "mcp:b", "arguments": {',
    '    "x/y": {} } },',
    '  { "arguments": { "a": 1 } }],',
    '  "controlFiles": ["a",',
    '    1],',
    '  "ask": ["mcp:a"],',
    '  "ask": [] }',
  ].join('\n')
  const { issues } = readPermissions(text, { file: 'x.json' })
  expect(issues.map(({ path, line, column, fix }) => [path, line, column, fix.slice(0, 16)])).toEqual([
    ['/ask', 8, 10, 'put both in one '],
    ['/deny/1/arguments/x~1y', 3, 12, 'write { "/path":'],
    ['/deny/2', 4, 3, 'add "match": "mc'],
    ['/controlFiles/1', 6, 5, 'write names in q'],
  ])
})
