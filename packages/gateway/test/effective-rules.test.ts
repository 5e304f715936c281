import type { OwnRules } from '@toolbridge/api'
import type { PermissionRules } from '@toolbridge/bridge'
import { explainPermission } from '@toolbridge/bridge/permissions'
import { expect, test } from 'vitest'
import { effectiveRules } from '../src/permissions/effective-rules.ts'
import { inMemory } from './support/specs.ts'

test.each<[PermissionRules, OwnRules, string]>([
  [{ mode: 'ask' }, {}, 'ask'],
  [{ mode: 'ask' }, { allow: ['mcp://hello/*'] }, 'allow'],
  [{ mode: 'ask' }, { mode: 'allow' }, 'allow'],
  [{ mode: 'ask' }, { mode: 'allow', ask: ['mcp://hello/*'] }, 'ask'],
  [{ mode: 'allow' }, { mode: 'ask' }, 'ask'],
  [{ mode: 'ask', allow: ['mcp://hello/*'] }, { deny: ['mcp://other/*'] }, 'allow'],
  [{ mode: 'ask', allow: ['mcp://hello/*'] }, { deny: ['mcp://hello/*'] }, 'deny'],
  [{ mode: 'yolo' }, { ask: ['mcp://hello/*'] }, 'ask'],
  [{ mode: 'allow' }, { mode: 'plan' }, 'deny'],
  // What the gateway denies or asks about stays so.
  [{ mode: 'plan' }, { mode: 'allow', allow: ['mcp://hello/*'] }, 'deny'],
  [{ mode: 'allow', deny: ['mcp://hello/*'] }, { mode: 'allow', allow: ['mcp://hello/*'] }, 'deny'],
  [{ mode: 'allow', ask: ['mcp://hello/*'] }, { mode: 'allow', allow: ['mcp://hello/*'] }, 'ask'],
  [{ mode: 'allow', restrictedBy: [{ deny: ['mcp://hello/*'] }] }, { allow: ['mcp://hello/*'] }, 'deny'],
])('with %j of the gateway, %j makes the verdict %s', async (gateway, own, expected) => {
  const { verdict } = await explainPermission(effectiveRules(gateway, own), {
    server: inMemory('hello'),
    tool: 'hello',
    arguments: { name: 'Ada' },
    annotations: {},
    principal: 'ada',
    authority: { kind: 'session' },
  })
  expect(verdict).toBe(expected)
})
