import { expect, test } from 'vitest'
import { schemaProblems } from '../../src/schema/schema-problems.ts'

/** Cases by keyword: a schema, values that it accepts, and values that it rejects (JSON Schema 2020-12, validation). */
const cases: readonly (readonly [object, readonly unknown[], readonly unknown[]])[] = [
  [{ type: 'integer' }, [1, 1.0, -3], [1.5, '1', null]],
  [{ type: ['string', 'null'] }, ['', null], [0, {}, []]],
  [{ type: 'object' }, [{}], [[], null]],
  [{ enum: [1, { a: [2] }] }, [1, { a: [2] }], [2, { a: [3] }]],
  [{ const: null }, [null], [0, false]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0, 3]],
  [{ maximum: 3, exclusiveMinimum: 1 }, [3, 1.1], [1, 3.1]],
  [{ multipleOf: 0.1 }, [0.3, 1, 'x'], [0.35]],
  [{ minLength: 2, maxLength: 2 }, ['ab', '👍👍', 5], ['a', 'abc', '👍']],
  [{ pattern: '^a+$' }, ['aa', 3], ['ba']],
  [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
  [
    { uniqueItems: true },
    [[1, '1', { a: 1 }]],
    [
      [1, 1],
      [{ a: 1 }, { a: 1 }],
    ],
  ],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 2 }]],
  [{ required: ['a', 'toString'] }, [{ a: 1, toString: 1 }, 'x'], [{ a: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ properties: { a: { type: 'number' }, b: false } }, [{ a: 1 }, {}, []], [{ a: '' }, { b: 1 }]],
  [
    { properties: { a: true }, patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    [{ a: 1, x1: 2 }],
    [{ x1: '' }, { c: 1 }],
  ],
  [{ additionalProperties: { type: 'string' } }, [{ a: '' }], [{ a: 1 }]],
  [{ propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{}], [{ a: 1 }, { c: 1 }]],
  [{ items: { type: 'number' } }, [[1, 2], 'x', []], [[1, '']]],
  [{ prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [[1, 'a'], []], [['a'], [1, 2]]],
  [{ items: [{ type: 'number' }], additionalItems: false }, [[1], []], [[1, 2], ['a']]],
  [{ contains: { const: 1 }, maxContains: 2 }, [[1], [0, 1, 1], 'x'], [[], [1, 1, 1]]],
  [{ contains: { const: 1 }, minContains: 0 }, [[]], []],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1]],
  [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1]],
  [{ not: { type: 'string' } }, [1], ['a']],
  [JSON.parse('{"if":{"const":1},"then":false,"else":{"type":"string"}}'), ['a'], [1, 2]],
  [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, ['x'], [1]],
  [{ $ref: '#one', $defs: { x: { $anchor: 'one', type: 'string' } } }, ['x'], [1]],
  [
    { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { other: 1 } }],
  ],
  [{ format: 'email', title: 'a', unknown: 1 }, ['not an address'], []],
]

test.each(cases)('%j accepts and rejects what it should [S4-86]', (schema, accepted, rejected) => {
  for (const value of accepted) expect([value, schemaProblems({ ...schema }, value)]).toEqual([value, []])
  for (const value of rejected)
    expect(schemaProblems({ ...schema }, value), JSON.stringify(value)).not.toEqual([])
})

test('problems name their place, and are at most five [S4-86]', () => {
  const schema = {
    properties: { list: { items: { type: 'object', required: ['a/b'] } } },
    required: ['total'],
  }
  expect(schemaProblems(schema, { list: [{ 'a/b': 1 }, {}] })).toEqual([
    "/list/1 must have required property 'a/b'",
    "it must have required property 'total'",
  ])
  expect(schemaProblems({ items: { type: 'string' } }, [1, 2, 3, 4, 5, 6])).toHaveLength(5)
})

/** Each level asks for the next one twice. */
const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` }
    return [`l${level}`, level === 39 ? true : { allOf: [next, next] }]
  }),
)

test.each([
  [{ $ref: 'https://example.com/schema.json' }],
  [{ $ref: '#/$defs/missing' }],
  [{ $ref: '#missing' }],
  [{ $ref: '#' }],
  [{ type: 'text' }],
  [{ items: 5 }],
  [{ allOf: {} }],
  [{ unevaluatedProperties: false }],
  [{ $ref: '#/$defs/l0', $defs: doubling }],
])('a schema that cannot be used throws: %#', (schema) => {
  expect(() => schemaProblems(schema, [1])).toThrow()
})

test('a check takes no more steps than its limit, however names, choices and values multiply, advisory [F2]', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `name${index}`)
  const schemas = Object.fromEntries(names.map((name) => [name, true]))
  const items: readonly object[] = [
    { enum: names },
    { required: [...names].fill('a') },
    { properties: schemas },
    { dependentRequired: Object.fromEntries(names.map((name) => [name, []])) },
    { patternProperties: Object.fromEntries(names.map((name) => [`^${name}$`, true])) },
    { properties: schemas, additionalProperties: false },
  ]
  const values = Array.from({ length: 5_000 }, () => ({ a: 1 }))
  for (const each of items)
    expect(() => schemaProblems({ type: 'array', items: each }, values)).toThrow('too expensive to check')
})

test('100,000 items are compared with each other once, advisory [F2]', () => {
  const schema = { type: 'array', uniqueItems: true } as const
  const items = Array.from({ length: 100_000 }, (_, index) => ({ b: [index], a: { c: null } }))
  expect(schemaProblems(schema, items)).toEqual([])
  expect(schemaProblems(schema, [...items, { a: { c: null }, b: [7] }])).toEqual([
    'it must not have equal items',
  ])
  expect(schemaProblems(schema, [1, '1', [1], { 1: 1 }, null, 'null', true])).toEqual([])
})

test('5 of 100,000 problems are reported, advisory [F2]', () => {
  const schema = { type: 'array', items: { type: 'string' } } as const
  expect(schemaProblems(schema, Array<number>(100_000).fill(0))).toHaveLength(5)
})
