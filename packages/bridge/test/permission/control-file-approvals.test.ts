import { describe, expect, test } from 'vitest'
import { compileRules } from '../../src/permission/rules/rules.ts'
import { type CallSetup, openPermissions, person, requestCall } from './open-permissions.ts'
import { nodeServer } from '../servers/specs.ts'

describe('a call that names a control file', () => {
  const call = { path: '/p/.mcp.json', content: '{}' }
  const yes = person(() => ({ action: 'accept', decision: 'always' }))

  test.each<[string, Parameters<typeof openPermissions>[0], CallSetup]>([
    ['mode yolo', { rules: { mode: 'yolo' } }, {}],
    ['mode allow', { rules: { mode: 'allow' } }, {}],
    ['a rule', { rules: { allow: ['mcp://files/write(path=/p/.mcp.json)'] } }, {}],
    ['a definition', {}, { spec: { ...nodeServer('files', 'x.mjs'), approval: { default: 'allow' } } }],
  ])('is denied without a person, whatever %s says', async (_what, permissions, setup) => {
    await expect(requestCall(openPermissions(permissions), call, setup)).rejects.toMatchObject({
      code: 'no_answerer',
      message:
        'files__write needs an approval (a control file) and there is no answerer; only a person can allow a call that names a control file',
    })
  })

  test('is asked about every time, and no answer is good for more than one call', async () => {
    const permissions = openPermissions()
    await requestCall(permissions, {}, { approver: yes })
    await requestCall(permissions, call, { approver: yes })
    await requestCall(permissions, call, { approver: yes })
    await requestCall(permissions, {}, { approver: yes })
    const question =
      'files__write names /p/.mcp.json, a control file, which decides which programs start and what they may do. Allow this one call?'
    expect(yes.asked).toMatchObject([
      { decisions: { length: 4 } },
      { decisions: ['once'], reason: 'a control file', message: question },
      { decisions: ['once'] },
    ])
    expect(yes.asked).toHaveLength(3)
  })

  test('shows the change of its tool, too', async () => {
    const permissions = openPermissions()
    const approver = person(() => ({ action: 'accept' }))
    await requestCall(permissions, {}, { approver })
    await requestCall(permissions, call, { approver, definition: { description: 'Other' } })
    expect(approver.asked[1]).toMatchObject({
      reason: 'a control file',
      change: expect.stringContaining('+ description: Other'),
    })
  })

  test('shows at most 200 characters of the name', async () => {
    const approver = person(() => ({ action: 'accept' }))
    await requestCall(openPermissions(), { path: `/${'x'.repeat(300)}/.mcp.json` }, { approver })
    const [, shown = ''] = /names (.*), a control file/.exec(approver.asked[0]?.message ?? '') ?? []
    expect(shown).toMatch(/^\/x+…?/)
    expect(shown.length).toBeLessThanOrEqual(201)
  })

  test('is allowed once by a person who approved it only for this call', async () => {
    const approver = person(() => ({ action: 'accept' }))
    const permissions = openPermissions({ rules: { allow: ['mcp:*'] } })
    expect(await requestCall(permissions, call, { approver })).toBe('approved')
    expect(approver.asked).toHaveLength(1)
    expect(approver.asked[0]).not.toHaveProperty('change')
  })

  test('is still denied by a rule', async () => {
    const permissions = openPermissions({ rules: { deny: ['mcp:*'] } })
    await expect(requestCall(permissions, call, { approver: yes })).rejects.toMatchObject({ code: 'denied' })
  })

  test('is like any other when the operator trusts the server that says its tool only reads [C21]', async () => {
    const definition = { annotations: { readOnlyHint: true } }
    const rules = { mode: 'allow' } as const
    expect(
      await requestCall(openPermissions({ rules: { ...rules, trustAnnotations: ['files'] } }), call, {
        definition,
      }),
    ).toBe('mode allow')
    await expect(requestCall(openPermissions({ rules }), call, { definition })).rejects.toMatchObject({
      code: 'no_answerer',
    })
  })

  test('is asked about where the operator trusts the server and its tool does not say that it only reads', async () => {
    const permissions = openPermissions({ rules: { mode: 'allow', trustAnnotations: ['files'] } })
    for (const annotations of [{}, { readOnlyHint: false }, { destructiveHint: false }])
      await expect(requestCall(permissions, call, { definition: { annotations } })).rejects.toMatchObject({
        code: 'no_answerer',
      })
  })

  test('does not approve a tool that has changed by the way', async () => {
    const permissions = openPermissions({ rules: { allow: ['mcp:*'] } })
    const approver = person(() => ({ action: 'accept' }))
    const changed = { approver, definition: { description: 'Other' } }
    await requestCall(permissions, {}, { approver })
    await requestCall(permissions, call, changed)
    await requestCall(permissions, {}, changed)
    expect(approver.asked.map(({ reason }) => reason)).toEqual(['a control file', 'the tool has changed'])
  })

  test('is known by the rules and definitions in use', async () => {
    const definitions = () => [
      { ...nodeServer('a', 'a.mjs'), source: { file: '/opt/a.conf', pointer: '/a' } },
    ]
    const authority = { kind: 'local', env: { HOME: '/home/me' }, workspaceFolder: '/p' } as const
    const permissions = openPermissions({ rules: { mode: 'allow' }, definitions })
    const named = (path: string) => requestCall(permissions, { path }, { authority })
    await expect(named('/opt/a.conf')).rejects.toMatchObject({ code: 'no_answerer' })
    expect(await named('/opt/own.conf')).toBe('mode allow')
    permissions.replaceRules(compileRules({ mode: 'yolo', controlFiles: ['/opt/own.conf'] }))
    await expect(named('/opt/own.conf')).rejects.toMatchObject({ code: 'no_answerer' })
    expect(await named('/opt/other.conf')).toBe('mode yolo')
  })
})
