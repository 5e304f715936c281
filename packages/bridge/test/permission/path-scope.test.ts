import { describe, expect, test } from 'vitest'
import { ruleAgainstPath } from '../../src/permission/rules/path-scope.ts'
import { compileRules, type PermissionRules } from '../../src/permission/rules/rules.ts'

describe('a root is withheld', () => {
  const denies = (deny: PermissionRules['deny'], rest: PermissionRules = {}): boolean => {
    const user = { server: 'files', principal: 'ada', folders: ['/projects'] }
    return (
      ruleAgainstPath('file:///projects/private', user, compileRules({ ...rest, deny: deny ?? [] })) !==
      undefined
    )
  }

  test.each([
    'mcp://files/*(path=/projects/private)',
    'mcp://files/*(path=/projects/**)',
    'mcp://files/*(**=/PROJECTS/private/**)',
    'mcp://*/*(options.file=/projects/x/../private/**)',
    'mcp://files/*(path=private/**)',
    'mcp://files/*(url=file:///projects/**)',
    'mcp:files__*(path=/projects/**)',
    'mcp:*(path="/projects/private")',
    'mcp://files/*',
  ])('by a rule that denies it to every tool: %s [C30]', (rule) => {
    expect(denies([rule])).toBe(true)
  })

  test.each([
    'mcp://files/write_*(path=/projects/**)',
    'mcp://shell/*(path=/projects/**)',
    'mcp://files/*(path=/projects/private/keys/**)',
    'mcp://files/*(path=/projects/**, mode=w)',
    'mcp://files/*(branch=*)',
    'mcp://files/*(url=https://**)',
    'mcp:read*',
    'resource:files',
  ])('not by a rule that leaves it to some calls: %s [C30]', (rule) => {
    expect(denies([rule])).toBe(false)
  })

  test('not by a rule about annotations that are trusted, but by one about those that are not [C30]', () => {
    const rule = { match: 'mcp://files/*(path=/projects/**)', annotations: { destructiveHint: true } }
    expect(denies([rule], { trustAnnotations: ['files'] })).toBe(false)
    expect(denies([rule])).toBe(true)
  })

  test.each(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const)(
    'not by a rule about tools whose %s is trusted to be true or false [C30]',
    (name) => {
      const match = 'mcp://files/*(path=/projects/**)'
      for (const claim of [true, false])
        expect(denies([{ match, annotations: { [name]: claim } }], { trustAnnotations: ['*'] })).toBe(false)
    },
  )

  test('by a rule about this principal, not by one about another [C30]', () => {
    const match = 'mcp://files/*(path=/projects/**)'
    expect(denies([{ match, principal: 'a*' }])).toBe(true)
    expect(denies([{ match, principal: 'bob' }])).toBe(false)
  })

  test('not by rules that ask, and not by the mode [C30]', () => {
    expect(denies([], { mode: 'plan', ask: ['mcp://files/*(path=/projects/**)'] })).toBe(false)
  })
})
