import type { Authority, PermissionRules, ServerSpec } from '@toolbridge/bridge'
import { explainPermission, type PermissionExplanation } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'
import { nodeServer } from '../servers/specs.ts'

const authority: Authority = { kind: 'local', env: { HOME: '/home/me' }, workspaceFolder: '/p' }
const server = nodeServer('files', 'x.mjs')

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
    expect(explained).toMatchObject({
      verdict: 'depends',
      reason: 'a rule tests the arguments',
      needsAnnotations: false,
    })
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

  test.each(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const)(
    'needs annotations where a rule tests %s, whichever it is',
    async (name) => {
      for (const claim of [true, false]) {
        const deny = [{ match: 'mcp:*', annotations: { [name]: claim } }]
        const rules: PermissionRules = { mode: 'allow', deny, trustAnnotations: ['*'] }
        expect((await explain(rules)).needsAnnotations).toBe(true)
        expect(await explain(rules, { annotations: { [name]: claim } })).toMatchObject({
          verdict: 'deny',
          needsAnnotations: false,
        })
      }
    },
  )

  test('reads relative paths from the folders of the server, and ends with its signal', async () => {
    const rules: PermissionRules = { mode: 'allow', deny: ['mcp:*(path=/srv/x/**)'] }
    const call = { server: { ...server, cwd: '/srv/x' }, arguments: { path: 'a' } }
    expect((await explain(rules, call)).verdict).toBe('deny')
    expect((await explain(rules, { ...call, authority: { kind: 'session' } })).verdict).toBe('allow')
    expect((await explain(rules, { ...call, server })).verdict).toBe('allow')
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
    expect(await explain({ deny: ['mcp:*'] }, { arguments: args })).toMatchObject({
      verdict: 'deny',
      reason: 'rule deny mcp:*',
      controlFile: '/p/.toolbridge/mcp.json',
    })
    const own = { arguments: { path: '/opt/servers.conf' } }
    const elsewhere = { ...server, source: { ...server.source, file: '/opt/servers.conf' } }
    expect(await explain({ mode: 'yolo' }, own)).not.toHaveProperty('controlFile')
    expect(await explain({ mode: 'yolo' }, { ...own, server: elsewhere })).toMatchObject({ verdict: 'ask' })
  })

  test('has no step that decides where none did', async () => {
    const rules: PermissionRules = { mode: 'allow', deny: ['mcp:*(path=/etc/**)'] }
    const filtered = { ...server, tools: { deny: ['write'] } }
    for (const explained of [await explain(rules), await explain(rules, { server: filtered, arguments: {} })])
      expect(explained.steps.filter(({ decides }) => decides)).toEqual([])
  })

  test('has the name of the definition, or the one given', async () => {
    expect(await explain({})).toMatchObject({ name: 'files__write', verdict: 'ask' })
    const rules: PermissionRules = { allow: ['mcp:my_write'] }
    expect(await explain(rules, { name: 'my_write' })).toMatchObject({ name: 'my_write', verdict: 'allow' })
    const policy = { 'naming.separator': '.' } as const
    expect((await explain({}, { server: { ...server, policy } })).name).toBe('files.write')
  })
})
