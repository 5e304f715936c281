import { expect, test } from 'vitest'
import { answerIssues } from '../src/answer-check.ts'

const form = (properties: object, ...required: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
})

test.each([
  ['an address', { type: 'string', format: 'email' }, 'ada@example.org', 'ada'],
  ['a day', { type: 'string', format: 'date' }, '2026-02-28', '2026-02-30'],
  ['a titled choice', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'a', 'A'],
  ['several choices', { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a'], ['a', 'b']],
  ['several titled choices', { type: 'array', items: { anyOf: [{ const: 'a' }] } }, ['a'], ['b']],
  ['a whole number', { type: 'integer', minimum: 1 }, 1, 0],
  ['a flag', { type: 'boolean' }, false, 'false'],
])('%s is told from what is none', (_, field, good, bad) => {
  expect(answerIssues(form({ field }), { field: good })).toEqual([])
  expect(answerIssues(form({ field }), { field: bad })).toEqual([
    { path: expect.stringMatching(/^\/field\b/), message: expect.any(String) },
  ])
})

test('keywords that a form may not have are not followed', () => {
  const slow = { type: 'string', pattern: '^(a+)+$', $ref: 'https://evil.example/schema' }
  expect(answerIssues(form({ slow }), { slow: `${'a'.repeat(40)}!` })).toEqual([])
})

test('an issue does not quote the answer', () => {
  const issues = answerIssues(form({ field: { type: 'string', enum: ['a'] } }), { field: 'SECRET' })
  expect(JSON.stringify(issues)).not.toContain('SECRET')
})
