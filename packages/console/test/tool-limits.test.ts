import type { DefinitionReport } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { toolLimits } from '../src/servers/tool-limits.ts'

const definition: NonNullable<DefinitionReport['definition']> = {
  program: { command: 'npx', argumentCount: 2 },
  variables: { missing: [], missingBecomes: 'error', inputs: [], secrets: [] },
  tools: { readOnly: false },
  timeouts: { startMs: 30_000, callMs: 60_000 },
}

test('a definition that leaves out no tools has no limits', () => {
  expect(toolLimits({ state: 'on', reasons: [], definition })).toEqual([])
})

test('a definition says which tools it leaves out', () => {
  const tools = { allow: ['read'], deny: ['write'], readOnly: true }
  expect(toolLimits({ state: 'on', reasons: [], definition: { ...definition, tools } })).toEqual([
    'only read',
    'without write',
    'read-only tools',
  ])
})

test('a definition that is refused has no limits', () => {
  const reasons = [{ code: 'field_invalid', message: 'it has no name', fix: 'give it a name' }]
  expect(toolLimits({ state: 'refused', reasons })).toEqual([])
})
