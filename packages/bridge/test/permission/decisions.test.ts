import { describe, expect, test } from 'vitest'
import type { Origin } from '../../src/origin.ts'
import { ConversationGrants } from '../../src/permission/approvals/conversation-grants.ts'
import {
  compileDecision,
  type DefinedApproval,
  dependsOnArguments,
} from '../../src/permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'
import { nodeServer } from '../servers/specs.ts'
import { alice, openPermissions, person } from './open-permissions.ts'

const tool: Subject = {
  namespace: 'mcp',
  server: 'files',
  item: 'read',
  name: 'files__read',
  names: () => new Set(['files__read', 'files_read']),
}
const resource: Subject = { namespace: 'resource', server: 'files', item: 'file:///a' }
const sampling: Subject = { namespace: 'sampling', server: 'files', item: 'message' }

function decided(subject: Subject, rules: PermissionRules, defined: DefinedApproval = {}, args: object = {}) {
  return compileDecision(subject, compileRules(rules), { defined })({ ...args }, 'ada')
}

describe('a decision says what decided, and which rules asked', () => {
  test.each<[string, PermissionRules, object]>([
    ['mode ask', {}, { verdict: 'ask', by: 'mode', asks: ['mode ask'] }],
    ['mode allow', { mode: 'allow' }, { verdict: 'allow', by: 'mode', asks: [] }],
    ['mode yolo', { mode: 'yolo' }, { verdict: 'allow', by: 'mode', asks: [] }],
    ['mode plan', { mode: 'plan', allow: ['mcp:*'] }, { verdict: 'deny', by: 'mode', asks: [] }],
    ['rule allow mcp:*', { allow: ['mcp:*'] }, { verdict: 'allow', by: 'rule', asks: [] }],
    ['rule deny mcp:*', { deny: ['mcp:*'], ask: ['mcp:*'] }, { verdict: 'deny', by: 'rule', asks: [] }],
    [
      'rule ask mcp:*',
      { ask: ['mcp:files__*', 'mcp:*', 'mcp:other'], allow: ['mcp:*'] },
      { verdict: 'ask', by: 'rule', asks: ['mcp:*', 'mcp:files__*'] },
    ],
    [
      'rule deny mcp:* {"principal":"a*"}',
      { deny: [{ match: 'mcp:*', principal: 'a*' }] },
      { verdict: 'deny', by: 'rule', asks: [] },
    ],
    [
      'mode ask; the rule allow mcp:files_read uses another naming style: use the address mcp://<server>/<tool>',
      { allow: ['mcp:files_read'] },
      { verdict: 'ask', by: 'mode', asks: ['mode ask'] },
    ],
    ['mode ask', { allow: ['mcp:mail_send'], deny: ['mcp:mail__*'] }, { verdict: 'ask' }],
    ['mode ask', { allow: ['prompt:files'] }, { verdict: 'ask' }],
  ])('%s', (reason, rules, expected) => {
    expect(decided(tool, rules)).toMatchObject({ reason, ...expected })
  })

  test.each<[string, PermissionRules, DefinedApproval, object]>([
    [
      'the definition of files says ask',
      {},
      { approval: { default: 'ask' } },
      { verdict: 'ask', by: 'definition', asks: ['the definition of files says ask'] },
    ],
    [
      'the definition of files says allow',
      {},
      { approval: { default: 'allow' } },
      { verdict: 'allow', by: 'definition', asks: [] },
    ],
    [
      'the definition of files says ask',
      { allow: ['mcp:*'] },
      { approval: { default: 'ask' } },
      { verdict: 'ask' },
    ],
    ['the definition of files says ask', {}, { approval: { default: 'writes' } }, { verdict: 'ask' }],
    [
      'the definition of files says deny',
      { ask: ['mcp:*'], allow: ['mcp:*'] },
      { readOnly: true },
      { verdict: 'deny', by: 'definition', asks: [] },
    ],
    ['rule deny mcp:*', { deny: ['mcp:*'] }, { readOnly: true }, { verdict: 'deny', by: 'rule' }],
    ['mode ask', {}, { readOnly: false }, { verdict: 'ask', by: 'mode' }],
    [
      'rule ask mcp:*',
      { ask: ['mcp:*'] },
      { approval: { default: 'ask' } },
      { asks: ['mcp:*', 'the definition of files says ask'] },
    ],
    ['rule allow mcp:*', { allow: ['mcp:*'] }, { approval: { default: 'allow' } }, { by: 'rule' }],
    ['mode yolo', { mode: 'yolo' }, { approval: { default: 'ask' } }, { verdict: 'allow', by: 'mode' }],
    ['the definition of files says deny', { mode: 'yolo' }, { readOnly: true }, { verdict: 'deny' }],
  ])('%s, under %j and %j', (reason, rules, defined, expected) => {
    expect(decided(tool, rules, defined)).toMatchObject({ reason, ...expected })
  })

  test('a tool that only reads, as it says, is no write to its definition', () => {
    const reading = { ...tool, annotations: { readOnlyHint: true } }
    expect(decided(reading, {}, { approval: { default: 'writes' } }).verdict).toBe('allow')
    expect(decided(reading, {}, { readOnly: true }).by).toBe('mode')
    expect(decided({ ...tool, annotations: { readOnlyHint: false } }, {}, { readOnly: true }).verdict).toBe(
      'deny',
    )
  })

  test('reads and questions are allowed unless a rule says otherwise, also in mode plan', () => {
    const usual = { verdict: 'allow', reason: 'no rule denies it', by: 'mode', asks: [] }
    expect(decided(resource, {})).toEqual(usual)
    expect(decided(resource, { mode: 'plan' })).toEqual(usual)
    expect(decided({ ...resource, namespace: 'prompt' }, {})).toEqual(usual)
    expect(decided({ ...resource, namespace: 'elicitation', item: 'form' }, {})).toEqual(usual)
    expect(decided(resource, { deny: ['resource:files'] }).verdict).toBe('deny')
    expect(decided(resource, { deny: ['prompt:files', 'mcp://files/*'] }).verdict).toBe('allow')
    expect(decided(resource, {}, { readOnly: true }).verdict).toBe('allow')
    expect(decided(sampling, {}).verdict).toBe('ask')
    expect(decided(sampling, { mode: 'plan' }).verdict).toBe('deny')
  })

  test('a resource is denied however its URI is written', () => {
    const rules = { deny: ['resource://files/file:///etc/**'] }
    for (const item of [
      'file:///etc/passwd',
      'file:///tmp/../etc/passwd',
      'FILE:///%65tc/passwd',
      'file:/etc/x',
    ])
      expect(decided({ ...resource, item }, rules).verdict).toBe('deny')
    for (const item of ['file:///tmp/etc/passwd', 'note:///etc/passwd'])
      expect(decided({ ...resource, item }, rules).verdict).toBe('allow')
  })

  test('rules about arguments and principals are decided call by call', () => {
    const rules: PermissionRules = {
      mode: 'allow',
      deny: ['mcp:files__read(path=/etc/**)'],
      ask: [{ match: 'mcp:*', principal: 'bob' }],
    }
    const decide = compileDecision(tool, compileRules(rules))
    expect(decide({ path: '/etc/passwd' }, 'ada').verdict).toBe('deny')
    expect(decide({ path: '/tmp' }, 'ada').verdict).toBe('allow')
    expect(decide({ path: '/tmp' }, 'bob').verdict).toBe('ask')
    const always = compileDecision(tool, compileRules({ ...rules, deny: [...(rules.deny ?? []), 'mcp:*'] }))
    expect(always({}, 'ada')).toBe(always({ path: '/x' }, 'bob'))
    expect(always({}, 'ada').reason).toBe('rule deny mcp:*')
  })
})

test.each<[boolean, PermissionRules, string]>([
  [false, {}, 'ada'],
  [false, { deny: ['mcp:*'] }, 'ada'],
  [true, { mode: 'allow', deny: ['mcp:*(a=1)'] }, 'ada'],
  [true, { mode: 'allow', ask: ['mcp:*(a=1)'] }, 'ada'],
  [true, { mode: 'ask', allow: ['mcp:*(a=1)'] }, 'ada'],
  [false, { mode: 'allow', allow: ['mcp:*(a=1)'] }, 'ada'],
  [false, { mode: 'allow', deny: [{ match: 'mcp:*', principal: 'bob', arguments: { a: 1 } }] }, 'ada'],
  [true, { mode: 'allow', deny: [{ match: 'mcp:*', principal: 'bob', arguments: { a: 1 } }] }, 'bob'],
])('%s: the verdict of %j depends on the arguments of %s', (expected, rules, principal) => {
  expect(dependsOnArguments(tool, compileRules(rules), principal)).toBe(expected)
})

describe('a resource, a prompt or the model', () => {
  const { signal } = new AbortController()
  const request = { args: {}, origin: alice, approver: undefined, signal }

  test('is used where it is allowed, and refused by name where it is denied', async () => {
    const permissions = openPermissions({ rules: { deny: ['resource:secrets'] } })
    expect(await permissions.permitAbout(resource, request)).toBe('no rule denies it')
    await expect(permissions.permitAbout({ ...resource, server: 'secrets' }, request)).rejects.toMatchObject({
      code: 'denied',
      message: 'a resource of server "secrets" may not be used: rule deny resource:secrets',
    })
  })

  test('is asked about once or for the conversation, with its address', async () => {
    const permissions = openPermissions({ rules: { ask: ['resource:files'] } })
    const approver = person(() => ({ action: 'accept', decision: 'session' }))
    expect(await permissions.permitAbout(resource, { ...request, approver })).toBe('approved')
    expect(await permissions.permitAbout(resource, { ...request, approver })).toBe('approved')
    expect(approver.asked).toMatchObject([
      {
        message: 'Allow resource://files/file:///a?',
        reason: 'rule ask resource:files',
        tool: 'resource://files/file:///a',
        server: 'files',
        decisions: ['once', 'session'],
      },
    ])
    const others = [
      { ...request, args: { a: 1 } },
      { ...request, origin: { ...alice, conversation: 'two' } },
    ]
    for (const other of others) await permissions.permitAbout(resource, { ...other, approver })
    await permissions.permitAbout({ ...resource, item: 'file:///b' }, { ...request, approver })
    expect(approver.asked).toHaveLength(4)
    permissions.forget(alice)
    await permissions.permitAbout(resource, { ...request, approver })
    expect(approver.asked).toHaveLength(5)
  })

  test('is asked about again after once, and for another definition of its server', async () => {
    let spec = nodeServer('files', 'x.mjs')
    const permissions = openPermissions({
      rules: { ask: ['resource:files'] },
      definitions: () => [nodeServer('a', 'a'), spec],
    })
    const once = person(() => ({ action: 'accept' }))
    for (const _round of [1, 2]) await permissions.permitAbout(resource, { ...request, approver: once })
    expect(once.asked).toHaveLength(2)
    const session = person(() => ({ action: 'accept', decision: 'session' }))
    for (const _round of [1, 2]) await permissions.permitAbout(resource, { ...request, approver: session })
    expect(session.asked).toHaveLength(1)
    spec = nodeServer('files', 'y.mjs')
    await permissions.permitAbout(resource, { ...request, approver: session })
    expect(session.asked).toHaveLength(2)
  })

  test('needs a person, and the refusal says what to do', async () => {
    const permissions = openPermissions()
    await expect(permissions.permitAbout(sampling, request)).rejects.toMatchObject({
      code: 'no_answerer',
      message:
        'sampling://files/message needs an approval (mode ask) and there is no answerer; allow it by a rule or give an answerer',
    })
  })

  test('a server may ask a person unless a rule denies it', () => {
    const permissions = openPermissions({ rules: { deny: ['elicitation://files/form'] } })
    expect(permissions.mayAsk('files', 'form', alice)).toBe(false)
    expect(permissions.mayAsk('files', 'url', alice)).toBe(true)
    expect(permissions.mayAsk('mail', 'form', alice)).toBe(true)
  })
})

describe('what is kept in memory has a limit', () => {
  test('of a thousand grants per conversation and ten thousand conversations, the oldest first', () => {
    const grants = new ConversationGrants()
    const conversation = (index: number): Origin => ({ principal: 'ada', conversation: `${index}` })
    for (let index = 0; index < 1_000; index++) grants.add(alice, `${index}`)
    expect(grants.has(alice, '0')).toBe(true)
    grants.add(alice, 'more')
    expect([grants.has(alice, '0'), grants.has(alice, '1'), grants.has(alice, 'more')]).toEqual([
      false,
      true,
      true,
    ])
    expect(grants.has({ ...alice, conversation: 'other' }, '1')).toBe(false)
    for (let index = 0; index < 9_999; index++) grants.add(conversation(index), 'x')
    expect(grants.has(alice, '1')).toBe(true)
    grants.add(conversation(9_999), 'x')
    expect(grants.has(alice, '1')).toBe(false)
    expect(grants.has(conversation(0), 'x')).toBe(true)
  })
})
