import { expect, test } from 'vitest'
import { CallArguments } from '../../src/permission/rules/call-arguments.ts'
import type { DefinedApproval } from '../../src/permission/rules/decide.ts'
import { explainRules } from '../../src/permission/rules/explain-rules.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'

const tool: Subject = {
  namespace: 'mcp',
  server: 'files',
  item: 'write',
  name: 'files__write',
  names: () => new Set(['files__write', 'files_write']),
}
const resource: Subject = { namespace: 'resource', server: 'files', item: 'file:///a' }

interface Call {
  readonly subject?: Subject
  readonly defined?: DefinedApproval
  readonly args?: Readonly<Record<string, unknown>>
}

/** Steps as `set kind index text: match because`, with an arrow before the one that decides. */
function steps(
  rules: PermissionRules,
  { subject = tool, defined = {}, args = {} }: Call = {},
): readonly string[] {
  const context = { principal: 'ada', call: new CallArguments(args, ['/p']), defined, folders: ['/p'] }
  return explainRules(subject, compileRules(rules), context).steps.map(
    ({ set, kind, index = '-', text, match, because = '', decides }) =>
      `${decides ? '→ ' : ''}${set} ${kind} ${index} ${text}: ${match} ${because}`.trimEnd(),
  )
}

test.each<[PermissionRules, Call, readonly string[]]>([
  [{}, {}, ['→ 0 mode - mode ask: yes']],
  [{ mode: 'allow' }, { subject: resource }, ['→ 0 mode - mode allow: yes']],
  [
    { deny: ['resource:other', 'resource:files'] },
    { subject: resource },
    ['0 deny 0 resource:other: no tool', '→ 0 deny 1 resource:files: yes', '0 mode - mode ask: yes'],
  ],
  [
    { deny: ['mcp:z', 'mcp:*'], ask: ['mcp:*'], allow: ['mcp:*'] },
    {},
    [
      '0 deny 0 mcp:z: no tool',
      '→ 0 deny 1 mcp:*: yes',
      '0 ask 0 mcp:*: yes',
      '0 allow 0 mcp:*: yes',
      '0 mode - mode ask: yes',
    ],
  ],
  [
    { ask: ['mcp:x'], allow: ['mcp:*'] },
    { defined: { approval: { default: 'ask' } } },
    [
      '0 ask 0 mcp:x: no tool',
      '→ 0 definition - the definition of files says ask: yes',
      '0 allow 0 mcp:*: yes',
      '0 mode - mode ask: yes',
    ],
  ],
  [
    { allow: ['mcp:x'] },
    { defined: { approval: { default: 'allow' } } },
    [
      '0 allow 0 mcp:x: no tool',
      '→ 0 definition - the definition of files says allow: yes',
      '0 mode - mode ask: yes',
    ],
  ],
  [
    { mode: 'plan', deny: ['mcp:x'], ask: ['mcp:*'], allow: ['mcp:*'] },
    { defined: { approval: { default: 'deny' } } },
    [
      '0 deny 0 mcp:x: no tool',
      '0 definition - the definition of files says deny: no mode',
      '0 ask 0 mcp:*: no mode',
      '0 allow 0 mcp:*: no mode',
      '→ 0 mode - mode plan: yes',
    ],
  ],
  [
    { mode: 'yolo', ask: ['mcp:*'], allow: ['mcp:*'] },
    {},
    ['0 ask 0 mcp:*: no mode', '→ 0 allow 0 mcp:*: yes', '0 mode - mode yolo: yes'],
  ],
  [
    { mode: 'ask', restrictedBy: [{ mode: 'ask' }] },
    {},
    ['→ 0 mode - mode ask: yes', '1 mode - mode ask: yes'],
  ],
  [
    { mode: 'allow', restrictedBy: [{ allow: ['mcp:*'], ask: ['mcp:*'] }] },
    {},
    ['0 mode - mode allow: yes', '→ 1 ask 0 mcp:*: yes', '1 allow 0 mcp:*: yes', '1 mode - mode ask: yes'],
  ],
  [
    { allow: ['mcp:*'], approve: ['mcp:*'] },
    {},
    ['→ 0 allow 0 mcp:*: yes', '0 mode - mode ask: yes', '0 approve 0 mcp:*: yes'],
  ],
  [
    { approve: ['mcp:x', 'mcp:*(a=1)'] },
    { args: { a: 1 } },
    ['0 mode - mode ask: yes', '0 approve 0 mcp:x: no tool', '→ 0 approve 1 mcp:*(a=1): yes'],
  ],
  [{ approve: ['mcp:*(a=1)'] }, {}, ['→ 0 mode - mode ask: yes', '0 approve 0 mcp:*(a=1): no arguments']],
  [
    { allow: ['mcp:files_write'] },
    {},
    ['0 allow 0 mcp:files_write: no name-style', '→ 0 mode - mode ask: yes'],
  ],
  [
    { mode: 'allow', deny: ['mcp:*(path=secret)', 'mcp:*(path=/p/secret)'] },
    { args: { path: 'secret' } },
    ['0 deny 0 mcp:*(path=secret): yes', '→ 0 deny 1 mcp:*(path=/p/secret): yes', '0 mode - mode allow: yes'],
  ],
])('under %j, for %j, the steps are %j', (rules, call, expected) => {
  expect(steps(rules, call)).toEqual(expected)
})

test('the rule that decides is among those that match, also where the arguments are unknown', () => {
  const rules = compileRules({ mode: 'allow', deny: ['mcp:*(a=1)'] })
  const { decision, steps: found } = explainRules(tool, rules, { principal: 'ada', call: undefined })
  expect(decision).toMatchObject({ verdict: 'allow', reason: 'mode allow' })
  expect(found).toEqual([
    { set: 0, kind: 'deny', index: 0, text: 'mcp:*(a=1)', match: 'depends', decides: false },
    { set: 0, kind: 'mode', text: 'mode allow', match: 'yes', decides: true },
  ])
})
