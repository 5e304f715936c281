import { openBridge, type PermissionRules, type ServerSpec } from '@toolbridge/bridge'
import { localAuthority } from '@toolbridge/bridge/config'
import { explainPermission, type PermissionExplanation } from '@toolbridge/bridge/permissions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const hello = inMemory('hello')
const authority = localAuthority()
const server = inMemory('hello', 'files')

function explain(
  rules: PermissionRules,
  call: Partial<Parameters<typeof explainPermission>[1]> = {},
): Promise<PermissionExplanation> {
  return explainPermission(rules, { server, tool: 'write', principal: 'ada', authority, ...call })
}

/** Steps as `set kind text: match because`, with an arrow before the one that decides. */
function shown({ steps }: PermissionExplanation): readonly string[] {
  return steps.map(({ set, kind, text, match, because = '', decides }) =>
    `${decides ? '→ ' : ''}${set} ${kind} ${text}: ${match} ${because}`.trimEnd(),
  )
}

describe('an explanation of a decision [S1-26]', () => {
  test('has each rule in the order of precedence, with the reason why it does not match', async () => {
    const rules: PermissionRules = {
      mode: 'ask',
      allow: ['mcp:files_write', { match: 'mcp://files/*', annotations: { readOnlyHint: true } }],
      ask: ['mcp://files/write(path=/tmp/*)', { match: 'mcp:*', principal: 'ci-*' }],
      deny: ['prompt:files', 'mcp://files/read', 'mcp:*(path=/etc/**)'],
      approve: ['mcp://files/write'],
      restrictedBy: [{ mode: 'yolo', ask: ['mcp:*'] }],
    }
    const explained = await explain(rules, { annotations: {}, arguments: { path: '/tmp/a' } })
    expect(explained).toMatchObject({
      name: 'files__write',
      verdict: 'allow',
      reason: 'rule allow mcp://files/write',
    })
    expect(shown(explained)).toEqual([
      '0 deny prompt:files: no namespace',
      '0 deny mcp://files/read: no tool',
      '0 deny mcp:*(path=/etc/**): no arguments',
      '0 ask mcp://files/write(path=/tmp/*): yes',
      '0 ask mcp:* {"principal":"ci-*"}: no principal',
      '0 allow mcp:files_write: no name-style',
      '0 allow mcp://files/* {"annotations":{"readOnlyHint":true}}: no annotations',
      '0 mode mode ask: yes',
      '1 ask mcp:*: no mode',
      '1 mode mode yolo: yes',
      '→ 0 approve mcp://files/write: yes',
    ])
  })

  test('shows conditions as open where the arguments are unknown', async () => {
    const explained = await explain({ mode: 'allow', deny: ['mcp://files/write(path=/etc/**)'] })
    expect(explained).toMatchObject({ verdict: 'depends', needsAnnotations: false })
    expect(shown(explained)).toEqual([
      '0 deny mcp://files/write(path=/etc/**): depends',
      '0 mode mode allow: yes',
    ])
  })

  test.each<[PermissionRules, Pick<ServerSpec, 'approval' | 'readOnly'>, boolean]>([
    [
      { allow: [{ match: 'mcp:*', annotations: { readOnlyHint: true } }], trustAnnotations: ['files'] },
      {},
      true,
    ],
    [{ allow: [{ match: 'mcp:*', annotations: { readOnlyHint: true } }] }, {}, false],
    [{ deny: ['mcp:*'] }, { approval: { default: 'writes' } }, false],
    [{ mode: 'allow' }, { approval: { default: 'writes' } }, true],
    [{ mode: 'allow' }, { readOnly: true }, true],
  ])('%j and %j need annotations: %j', async (rules, more, needed) => {
    expect(await explain(rules, { server: { ...server, ...more } })).toMatchObject({
      needsAnnotations: needed,
    })
    expect((await explain(rules, { annotations: {} })).needsAnnotations).toBe(false)
  })

  test('knows tools that the definition does not offer, and control files', async () => {
    const filtered = await explain({ mode: 'yolo' }, { server: { ...server, tools: { deny: ['write'] } } })
    expect(filtered).toMatchObject({
      verdict: 'deny',
      reason: 'the definition of files does not offer the tool',
    })
    const args = { path: '/p/.toolbridge/mcp.json' }
    expect(await explain({ mode: 'yolo' }, { arguments: args })).toMatchObject({
      verdict: 'ask',
      reason: 'a control file',
      controlFile: '/p/.toolbridge/mcp.json',
    })
  })

  const rule = fc.constantFrom('mcp:*', 'mcp://hello/*', 'mcp:hello__hello(name=Ada)', 'mcp://other/*')
  const lists = {
    allow: fc.array(rule, { maxLength: 2 }),
    ask: fc.array(rule, { maxLength: 2 }),
    deny: fc.array(rule, { maxLength: 2 }),
  }
  const sets: fc.Arbitrary<PermissionRules> = fc.record({
    mode: fc.constantFrom('ask', 'allow', 'yolo', 'plan'),
    ...lists,
  })
  const all = fc.record({
    rules: sets,
    restrictedBy: fc.array(sets, { maxLength: 2 }),
    approve: fc.array(rule, { maxLength: 1 }),
  })

  test('agrees with the bridge, and exactly one step decides', async () => {
    await fc.assert(
      fc.asyncProperty(all, fc.constantFrom('Ada', 'Bob'), async ({ rules, ...more }, name) => {
        const permissions = { ...rules, ...more }
        await using bridge = await openBridge({ ...permissive([hello]), permissions })
        const decided = await bridge.permissionFor('hello__hello', { name })
        const call = { server: hello, tool: 'hello', arguments: { name }, principal: 'local', authority }
        const { verdict, reason, steps } = await explainPermission(permissions, call)
        expect({ verdict, reason }).toEqual(decided)
        expect(steps.filter(({ decides }) => decides)).toHaveLength(1)
      }),
      { numRuns: 30 },
    )
  })
})
