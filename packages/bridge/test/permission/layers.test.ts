import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileDecision, type Decision, dependsOnArguments } from '../../src/permission/rules/decide.ts'
import { ruleAgainstPath } from '../../src/permission/rules/path-scope.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'

const tool = {
  namespace: 'mcp',
  server: 'files',
  item: 'write',
  name: 'files__write',
  names: () => new Set(['files__write']),
} as const

function decide(rules: PermissionRules, args: Readonly<Record<string, unknown>> = {}): Decision {
  return compileDecision(tool, compileRules(rules))(args, 'ada')
}

describe('rules that restrict others [S1-5]', () => {
  test.each<[PermissionRules, PermissionRules, string, string]>([
    [{ mode: 'allow' }, { mode: 'ask' }, 'ask', 'mode ask'],
    [{ mode: 'allow' }, { mode: 'ask', allow: ['mcp://files/*'] }, 'allow', 'rule allow mcp://files/*'],
    [{ mode: 'yolo' }, { mode: 'allow', ask: ['mcp:files__write'] }, 'ask', 'rule ask mcp:files__write'],
    [{ allow: ['mcp:*'] }, { mode: 'plan' }, 'deny', 'mode plan'],
    [{ mode: 'ask' }, { mode: 'yolo', allow: ['mcp:*'] }, 'ask', 'mode ask'],
    [{ deny: ['mcp:*'] }, { mode: 'yolo' }, 'deny', 'rule deny mcp:*'],
  ])('%j restricted by %j: %s', (rules, restriction, verdict, reason) => {
    expect(decide({ ...rules, restrictedBy: [restriction] })).toMatchObject({ verdict, reason })
  })

  const rule = fc.constantFrom(
    'mcp:*',
    'mcp://files/*',
    'mcp:files__write(path=/a)',
    'mcp://other/*',
    'prompt:files',
  )
  const sets: fc.Arbitrary<PermissionRules> = fc.record({
    mode: fc.constantFrom('ask', 'allow', 'yolo', 'plan'),
    allow: fc.array(rule, { maxLength: 2 }),
    ask: fc.array(rule, { maxLength: 2 }),
    deny: fc.array(rule, { maxLength: 2 }),
  })
  const calls = fc.constantFrom({}, { path: '/a' }, { path: '/b' })
  const rank = { allow: 0, ask: 1, deny: 2 }

  test('the strictest set decides, whatever the others say', () => {
    fc.assert(
      fc.property(sets, fc.array(sets, { maxLength: 3 }), calls, (rules, restrictedBy, args) => {
        const alone = [rules, ...restrictedBy].map((each) => rank[decide(each, args).verdict])
        expect(rank[decide({ ...rules, restrictedBy }, args).verdict]).toBe(Math.max(...alone))
      }),
    )
  })

  test('whether a verdict depends on the arguments is never denied wrongly', () => {
    fc.assert(
      fc.property(sets, sets, fc.array(rule, { maxLength: 1 }), (rules, restriction, approve) => {
        const all = { ...rules, restrictedBy: [restriction], approve }
        const verdicts = [{}, { path: '/a' }].map((args) => decide(all, args).verdict)
        if (verdicts[0] !== verdicts[1]) expect(dependsOnArguments(tool, compileRules(all), 'ada')).toBe(true)
      }),
    )
  })

  test('an approval holds for the questions of all sets', () => {
    const { asks } = decide({ ask: ['mcp:*'], restrictedBy: [{ ask: ['mcp://files/*'] }, { mode: 'ask' }] })
    expect(asks).toEqual(['mcp:*', 'mcp://files/*', 'mode ask'])
  })

  test('control files and withheld roots of every set count', () => {
    const rules = compileRules({
      controlFiles: ['/a/*'],
      restrictedBy: [{ controlFiles: ['/b/*'], deny: ['mcp://files/*(path=/etc/**)'] }],
    })
    expect(rules.controlFiles).toEqual(['/a/*', '/b/*'])
    const user = { server: 'files', principal: 'ada', folders: [] }
    expect(ruleAgainstPath('/etc/nginx', user, rules)?.text).toBe('mcp://files/*(path=/etc/**)')
  })
})

describe('calls that count as approved', () => {
  const approve = ['mcp://files/*(path=/a)']
  test.each<[PermissionRules, string]>([
    [{ mode: 'ask' }, 'allow'],
    [{ ask: ['mcp:*'] }, 'allow'],
    [{ mode: 'allow', restrictedBy: [{ mode: 'ask' }] }, 'allow'],
    [{ deny: ['mcp:*'] }, 'deny'],
    [{ mode: 'allow', restrictedBy: [{ mode: 'plan' }] }, 'deny'],
  ])('under %j: %s', (rules, verdict) => {
    expect(decide({ ...rules, approve }, { path: '/a' }).verdict).toBe(verdict)
    expect(decide({ ...rules, approve }, { path: '/b' }).verdict).toBe(verdict === 'allow' ? 'ask' : 'deny')
  })

  test('are those that the rule is about', () => {
    for (const rule of ['mcp://files/read', 'mcp://mail/*', 'prompt:files', 'mcp:files__read(path=/a)'])
      expect(decide({ approve: [rule] }, { path: '/a' }).verdict).toBe('ask')
  })

  test('need no answer to what a definition asks', () => {
    const context = { defined: { approval: { default: 'ask' as const } } }
    const decision = compileDecision(
      tool,
      compileRules({ mode: 'allow', approve }),
      context,
    )({ path: '/a' }, 'ada')
    expect(decision).toMatchObject({ verdict: 'allow', reason: `rule allow ${approve[0]}`, by: 'rule' })
  })
})

test('invalid sets are reported with their place; a set that restricts cannot approve', () => {
  const rules = { approve: ['x'], restrictedBy: [{ mode: 'ask', approve: ['mcp:*'], deny: [1] }, 5] }
  const paths = ['/approve/0', '/restrictedBy/0/approve', '/restrictedBy/0/deny/0', '/restrictedBy/1']
  expect(() => compileRules(JSON.parse(JSON.stringify(rules)))).toThrow(
    expect.objectContaining({ issues: paths.map((path) => expect.objectContaining({ path })) }),
  )
})
