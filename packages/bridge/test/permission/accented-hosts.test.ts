import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileDecision } from '../../src/permission/rules/decide.ts'
import { compileRules } from '../../src/permission/rules/rules.ts'
import type { Subject } from '../../src/permission/rules/subject.ts'

// As Node starts programs; the tests are started with a higher budget, with which little of their code is compiled.
beforeAll(() => setFlagsFromString('--interrupt-budget=135168'))
afterAll(() => setFlagsFromString('--interrupt-budget=1000000'))

const tool: Subject = {
  namespace: 'mcp',
  server: 'web',
  item: 'fetch',
  name: 'web__fetch',
  names: () => new Set(['web__fetch']),
}

test('a rule about a host with an accent also holds once the code that reads it is compiled', () => {
  const rules = compileRules({ deny: ['mcp://*/*(url=https://xn--mnchen-3ya.example/**)'] })
  const decide = compileDecision(tool, rules, { defined: {} })
  const verdicts = Array.from(
    { length: 10_000 },
    () => decide({ url: 'https://user@münchen.example/x' }, 'ada').verdict,
  )
  expect(new Set(verdicts)).toEqual(new Set(['deny']))
})
