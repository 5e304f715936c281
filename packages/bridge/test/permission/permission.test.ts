import { ConfigError, openBridge } from '@toolbridge/bridge'
import { checkPermissions } from '@toolbridge/bridge/permissions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BridgeTool, Catalog } from '../../src/catalog/catalog.ts'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { compileDecision } from '../../src/permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import { toolSubject } from '../../src/permission/rules/subject.ts'

function toolsOf(server: string, ...names: readonly string[]): readonly BridgeTool[] {
  const catalog = new Catalog(createEmit(undefined))
  catalog.show([{ name: server, tools: names.map((name) => ({ name, inputSchema: {} })) }])
  return catalog.tools
}

function decided(tool: BridgeTool, rules: PermissionRules): string {
  return compileDecision(toolSubject(tool), compileRules(rules))({}, 'somebody').verdict
}

function verdict(rules: PermissionRules, server = 'files', tool = 'read-file'): string {
  const [found] = toolsOf(server, tool)
  return found === undefined ? 'no tool' : decided(found, rules)
}

const name = 'mcp:files__read_file'
const address = 'mcp://files/read-file'

describe('the verdict', () => {
  test.each<[string, PermissionRules]>([
    ['ask', { mode: 'ask' }],
    ['allow', { mode: 'allow' }],
    ['allow', { mode: 'yolo' }],
    ['allow', { mode: 'ask', allow: [name] }],
    ['allow', { mode: 'ask', allow: [address] }],
    ['ask', { mode: 'allow', ask: [name] }],
    ['ask', { mode: 'allow', allow: [address], ask: [name] }],
    ['allow', { mode: 'yolo', ask: [name] }],
    ['deny', { mode: 'allow', deny: [name] }],
    ['deny', { mode: 'yolo', deny: [address] }],
    ['deny', { mode: 'ask', allow: [name], ask: [name], deny: [name] }],
    ['ask', { mode: 'ask', allow: ['mcp:files__read', 'mcp://files/read', 'mcp://file/read-file'] }],
    ['allow', { mode: 'ask', allow: ['mcp:files__*'] }],
    ['allow', { mode: 'ask', allow: ['mcp:*'] }],
    ['allow', { mode: 'ask', allow: ['mcp://*/read*'] }],
    ['allow', { mode: 'ask', allow: ['mcp://f*s/*-*e'] }],
    ['ask', { mode: 'ask', allow: ['mcp://files/*read-file-*'] }],
  ])('is %s under %j [S1-29] [S1-31] [D33]', (expected, rules) => {
    expect(verdict(rules)).toBe(expected)
  })
})

test('an exact rule allows exactly that tool [S1-27] [S1-28]', () => {
  const rules: PermissionRules = { mode: 'ask', allow: ['mcp:files__read', 'mcp://files/read'] }
  expect(verdict(rules, 'files', 'read')).toBe('allow')
  expect(verdict(rules, 'files', 'read_v2')).toBe('ask')
  expect(verdict(rules, 'files2', 'read')).toBe('ask')
})

test('the address of a tool is a rule for it and for nothing else, whatever its names hold', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', '*', '/', '%', '2', 'A', ' ', 'é', '(', ')', '=', ','),
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(part, part, part, part, (server, tool, otherServer, otherTool) => {
      const rules: PermissionRules = { mode: 'ask', allow: [toolUri(server, tool)] }
      expect(verdict(rules, server, tool)).toBe('allow')
      const isSame = server === otherServer && tool === otherTool
      expect(verdict(rules, otherServer, otherTool)).toBe(isSame ? 'allow' : 'ask')
    }),
  )
})

test('a server cannot shake off a deny or ask rule by listing a second tool whose name collides', () => {
  const tools = toolsOf('files', 'delete_all', 'delete-all')
  expect(tools.every((tool) => tool.name !== 'files__delete_all')).toBe(true)
  for (const tool of tools) {
    expect(decided(tool, { mode: 'yolo', deny: ['mcp:files__delete_all'] })).toBe('deny')
    expect(decided(tool, { mode: 'allow', ask: ['mcp:files__delete_all'] })).toBe('ask')
    expect(decided(tool, { mode: 'ask', allow: ['mcp:files__delete_all'] })).toBe('ask')
  }
})

test.each([
  '',
  'files__read',
  'bash:*',
  'mcp:',
  'mcp://files',
  'mcp://files/',
  'mcp:///x',
  'mcp:(a=1)',
  'mcp:x(',
  'mcp:x)(',
  'mcp:x()',
  'mcp:x(a)',
  'mcp:x(a=)',
  'mcp:x(=1)',
  'mcp:x(a=1,)',
  'mcp:x(a=1)y',
  'mcp:x(a="1)',
  'mcp:x(a="1"2)',
  'sampling:',
  'sampling:files(a=1)',
  'resource://files/x(a=1)',
  'elicitation://files/forms',
  'sampling://files/create',
  'mcp:files/read_file',
  'mcp:/files/read_file',
  'mcp:files__{read,write}',
  'mcp:files__rea?',
  'mcp:files__[rw]*',
  'mcp://files/{read,write}_file',
  'mcp://files/rea?',
  'mcp://[ab]/x',
  'prompt://files/{a}',
  'mcp:x(path=C:\\Windows\\**)',
  'mcp:x(path=C:\\**)',
  'mcp:x(path=\\\\host\\share\\*)',
])('a text that is no pattern is refused at once, with its place and what to write: %j', (pattern) => {
  const error = thrownBy(() => compileRules({ mode: 'ask', deny: ['mcp:x', pattern] }))
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toMatchObject({ issues: [{ path: '/deny/1', fix: expect.stringContaining('write mcp:') }] })
})

test('patterns about questions and sampling are those that can hold', () => {
  const deny = [
    'elicitation://files/form',
    'elicitation://*/u*',
    'elicitation:files',
    'sampling://files/message',
  ]
  expect(() => compileRules({ deny: [...deny, 'sampling:*'] })).not.toThrow()
})

describe('rules that say no mode ask', () => {
  test.each<PermissionRules>([{}, { allow: ['mcp:other__*'] }, JSON.parse('{ "deny": [] }')])(
    '%j',
    (rules) => {
      expect(verdict(rules)).toBe('ask')
    },
  )
})

describe('rules that are not understood let nothing through', () => {
  test.each([
    [{ mode: 'deny' }, '/mode'],
    [{ mode: 'Ask' }, '/mode'],
    [{ mode: null }, '/mode'],
    [{ mode: 'allow', denny: ['mcp:*'] }, '/denny'],
    [{ mode: 'allow', deny: 'mcp:*' }, '/deny'],
    [{ mode: 'allow', deny: { 0: 'mcp:*' } }, '/deny'],
    [{ mode: 'allow', deny: ['mcp:*', 7] }, '/deny/1'],
    [{ allow: [{}] }, '/allow/0'],
    [{ allow: [{ match: 'x' }] }, '/allow/0/match'],
    [{ allow: [{ match: 'mcp:x', argument: {} }] }, '/allow/0/argument'],
    [{ deny: [{ match: 'mcp:x', arguments: { a: {} } }] }, '/deny/0/arguments/a'],
    [{ deny: [{ match: 'mcp:x', arguments: { a: [] } }] }, '/deny/0/arguments/a'],
    [{ deny: [{ match: 'mcp:x', arguments: { 'a/b': { glob: 'x' } } }] }, '/deny/0/arguments/a~1b'],
    [{ deny: [{ match: 'mcp:x', arguments: ['a'] }] }, '/deny/0/arguments'],
    [{ deny: [{ match: 'mcp:x', arguments: { a: ['b', 'C:\\Windows\\**'] } }] }, '/deny/0/arguments/a'],
    [{ ask: [{ match: 'mcp:x', annotations: { readOnly: true } }] }, '/ask/0/annotations/readOnly'],
    [{ ask: [{ match: 'mcp:x', annotations: { readOnlyHint: 'yes' } }] }, '/ask/0/annotations/readOnlyHint'],
    [{ ask: [{ match: 'mcp:x', principal: 7 }] }, '/ask/0/principal'],
    [{ ask: ['elicitation:files'] }, '/ask/0'],
    [{ deny: [{ match: 'resource:files', arguments: { a: 1 } }] }, '/deny/0/arguments'],
    [{ deny: [{ match: 'prompt:files', annotations: { readOnlyHint: true } }] }, '/deny/0/annotations'],
    [{ trustAnnotations: 'files' }, '/trustAnnotations'],
    [{ trustAnnotations: [''] }, '/trustAnnotations/0'],
    [{ controlFiles: [1] }, '/controlFiles/0'],
    [[], ''],
    ['allow', ''],
    [null, ''],
  ])('%j', (rules, path) => {
    const issue = { code: 'permissions_invalid', severity: 'error', path }
    const refused = { code: 'config_invalid', issues: [issue] }
    expect(thrownBy(() => checkPermissions(rules))).toMatchObject(refused)
    expect(thrownBy(() => compileRules(JSON.parse(JSON.stringify(rules))))).toMatchObject(refused)
  })

  test('and every issue is told at once', async () => {
    const permissions = JSON.parse('{ "mode": "no", "deny": ["files"], "x": 1 }') as PermissionRules
    const opening = openBridge({ servers: [], authority: { kind: 'session' }, permissions })
    await expect(opening).rejects.toMatchObject({ name: 'ConfigError', issues: { length: 3 } })
  })
})

function thrownBy(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
