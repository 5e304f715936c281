import { describe, expect, test } from 'vitest'
import { headerValue } from '../../src/revisions/modern/header-values.ts'
import { headerPlan } from '../../src/revisions/modern/tool-headers.ts'

const mark = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name })

describe('a text as the value of a header [H9]', () => {
  test.each([
    ['us-west1', 'us-west1'],
    ['two words', 'two words'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a\tb', '=?base64?YQli?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?unfinished', '=?base64?unfinished'],
    ['', '=?base64??='],
    [' ', '=?base64?IA==?='],
  ])('%j is sent as %j', (text, value) => {
    expect(headerValue(text)).toBe(value)
  })
})

test('marks in properties of properties are followed, whatever their type allows [H9]', () => {
  const plan = headerPlan({
    type: 'object',
    properties: {
      a: mark('Region'),
      b: { type: 'object', properties: { c: mark('x-Count', 'integer') } },
      'x-mcp-header': { type: 'string' },
      d: { type: 'object', default: { 'x-mcp-header': 'data' }, examples: [{ 'x-mcp-header': 7 }] },
      e: mark('Flag', 'boolean'),
    },
  })
  expect(plan).toEqual({
    arguments: [
      { header: 'mcp-param-region', path: ['a'], type: 'string' },
      { header: 'mcp-param-x-count', path: ['b', 'c'], type: 'integer' },
      { header: 'mcp-param-flag', path: ['e'], type: 'boolean' },
    ],
  })
})

test.each<[string, object]>([
  ['an empty name', { properties: { a: mark('') } }],
  ['a name with a blank', { properties: { a: mark('a b') } }],
  ['a name with a colon', { properties: { a: mark('a:b') } }],
  ['a name that is not ASCII', { properties: { a: mark('ä') } }],
  ['a name with a control character', { properties: { a: mark('a\u0007') } }],
  ['no name at all', { properties: { a: mark(null) } }],
  ['an object for a name', { properties: { a: mark({}) } }],
  ['a number', { properties: { a: mark('A', 'number') } }],
  ['several types', { properties: { a: mark('A', ['string', 'null']) } }],
  ['no type', { properties: { a: { 'x-mcp-header': 'A' } } }],
  ['the same name twice', { properties: { a: mark('A'), b: mark('A') } }],
  ['the same name in other letters', { properties: { a: mark('A'), b: mark('a') } }],
  ['the root', { ...mark('A'), properties: {} }],
  ['the items of a list', { properties: { a: { type: 'array', items: mark('A') } } }],
  ['an alternative', { properties: { a: { anyOf: [mark('A')] } } }],
  ['a condition', { if: { properties: { a: mark('A') } } }],
  ['a definition', { $defs: { a: mark('A') }, properties: { a: { $ref: '#/$defs/a' } } }],
  ['additional properties', { additionalProperties: mark('A') }],
  ['a pattern', { patternProperties: { '^a': mark('A') } }],
  ['a property below a list', { properties: { a: { items: { properties: { b: mark('A') } } } } }],
])('a mark on %s invalidates the tool [H9]', (_, schema) => {
  expect(headerPlan(schema as Record<string, unknown>)).toEqual({ problem: expect.any(String) })
})

test('a schema without end in depth is refused, not followed', () => {
  let schema: Record<string, unknown> = { type: 'string' }
  for (let depth = 0; depth < 50_000; depth++) schema = { type: 'object', properties: { a: schema } }
  expect(headerPlan(schema)).toEqual({ problem: expect.stringContaining('deeper') })
})
