import type { DefinitionReport } from '@toolbridge/api'
import { expect, test } from 'vitest'
import { definitionFacts } from '../src/servers/definition-facts.ts'

const definition: NonNullable<DefinitionReport['definition']> = {
  program: { command: 'npx', argumentCount: 2 },
  variables: { missing: [], missingBecomes: 'error', inputs: [], secrets: [] },
  tools: { readOnly: false },
  timeouts: { startMs: 30_000, callMs: 60_000 },
}

test('a definition that starts is its program and its timeouts', () => {
  expect(definitionFacts({ state: 'on', reasons: [], definition })).toEqual([
    'npx with 2 arguments',
    '30.0 s to start, 1 min 0 s per call',
  ])
})

test('a definition that does not start says why first, and which variables and tools it lacks', () => {
  const { program: _program, ...rest } = definition
  const report: DefinitionReport = {
    state: 'failing',
    reasons: [{ code: 'not_for_session', message: 'it uses a variable', fix: 'paste the value' }],
    definition: {
      ...rest,
      url: 'https://a.example/mcp',
      variables: { ...rest.variables, missing: ['TOKEN'] },
      tools: { allow: ['read'], deny: ['write'], readOnly: true },
    },
  }
  expect(definitionFacts(report).slice(0, -1)).toEqual([
    'it uses a variable',
    'https://a.example/mcp',
    'not set: TOKEN',
    'only read',
    'without write',
    'read-only tools',
  ])
})

test('a definition that is refused is only its reasons', () => {
  const reasons = [{ code: 'field_invalid', message: 'it has no name', fix: 'give it a name' }]
  expect(definitionFacts({ state: 'refused', reasons })).toEqual(['it has no name'])
})
