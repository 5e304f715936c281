import type { ElicitValue } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import { createAnswerChecks, prepareAnswerCheck } from '../../src/elicitation/check-answer.ts'
import { type FormField, readForm } from '../../src/elicitation/form.ts'

function fieldsOf(properties: object, required: readonly string[] = []): readonly FormField[] {
  const form = readForm({ type: 'object', properties, required })
  if (form.kind === 'unsupported') throw new Error(form.problem)
  return form.fields
}

test('every kind of field that MCP knows is read', () => {
  const fields = fieldsOf(
    {
      text: { type: 'string', title: 'Text', description: 'Some', minLength: 1, maxLength: 5, default: 'a' },
      mail: { type: 'string', format: 'email' },
      count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
      share: { type: 'number' },
      flag: { type: 'boolean', default: false },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
      many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, default: ['a'] },
      some: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
    },
    ['text'],
  )
  expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['text', 'text', true],
    ['mail', 'text', false],
    ['count', 'integer', false],
    ['share', 'number', false],
    ['flag', 'flag', false],
    ['size', 'choice', false],
    ['colour', 'choice', false],
    ['many', 'choices', false],
    ['some', 'choices', false],
  ])
  expect(fields[0]).toMatchObject({
    title: 'Text',
    description: 'Some',
    minLength: 1,
    maxLength: 5,
    default: 'a',
  })
  expect(fields[5]).toMatchObject({
    title: 'size',
    choices: [
      { value: 's', title: 'Small' },
      { value: 'l', title: 'Large' },
    ],
  })
  expect(fields[6]).toMatchObject({
    choices: [
      { value: 'r', title: 'Red' },
      { value: 'g', title: 'g' },
    ],
  })
})

test('a field that may be null, as Python writes one that may be left out, is read as what it is otherwise', async () => {
  const orNull = (schema: object): object => ({
    anyOf: [schema, { type: 'null' }],
    default: null,
    title: 'T',
  })
  const fields = fieldsOf({
    text: orNull({ type: 'string', maxLength: 3 }),
    count: { type: ['integer', 'null'] },
    size: orNull({ type: 'string', enum: ['s', 'l'] }),
  })
  expect(fields).toEqual([
    { name: 'text', title: 'T', isRequired: false, kind: 'text', maxLength: 3 },
    { name: 'count', title: 'count', isRequired: false, kind: 'integer' },
    expect.objectContaining({ name: 'size', kind: 'choice' }),
  ])
  const check = prepareAnswerCheck(fields)
  expect(check({})).toEqual({ kind: 'valid', content: {} })
})

test.each([
  ['an object inside', { a: { type: 'object', properties: {} } }],
  ['a field without a type', { a: {} }],
  ['a field of two types', { a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } }],
  ['a field that is always null', { a: { type: ['null'] } }],
  ['a field that is no schema', { a: true }],
  ['no choice at all', { a: { type: 'string', enum: [] } }],
  ['choices of other types', { a: { type: 'string', enum: ['a', 1] } }],
  ['a dangerous name', JSON.parse('{ "__proto__": { "type": "string" } }')],
  [
    'too many fields',
    Object.fromEntries(Array.from({ length: 101 }, (_unused, index) => [`f${index}`, { type: 'string' }])),
  ],
])('a form with %s is not supported', (_what, properties) => {
  expect(readForm({ type: 'object', properties }).kind).toBe('unsupported')
})

test('the check of a form is compiled once, and kept apart from those of other forms', () => {
  const checkOf = createAnswerChecks()
  const short = checkOf(fieldsOf({ value: { type: 'string', maxLength: 1 } }))
  const long = checkOf(fieldsOf({ value: { type: 'string', maxLength: 2 } }))
  expect(checkOf(fieldsOf({ value: { type: 'string', maxLength: 1 } }))).toBe(short)
  expect([short, long].map((check) => check({ value: 'ab' }).kind)).toEqual(['invalid', 'valid'])
})

test('the checks of the last hundred forms are kept, and of none that is large', () => {
  const checkOf = createAnswerChecks()
  const form = (title: string): Parameters<typeof checkOf>[0] => fieldsOf({ [title]: { type: 'boolean' } })
  const [used, unused] = [checkOf(form('used')), checkOf(form('unused'))]
  for (let index = 0; index < 98; index += 1) checkOf(form(`other ${index}`))
  expect(checkOf(form('used'))).toBe(used)
  checkOf(form('one more'))
  expect(checkOf(form('used'))).toBe(used)
  expect(checkOf(form('unused'))).not.toBe(unused)
  const large = form('x'.repeat(10_000))
  expect(checkOf(large)).not.toBe(checkOf(large))
})

describe('an answer', () => {
  async function isValid(property: object, value: ElicitValue): Promise<boolean> {
    const check = prepareAnswerCheck(fieldsOf({ value: property }, ['value']))
    return check({ value }).kind === 'valid'
  }

  test.each<[object, ElicitValue, boolean]>([
    [{ type: 'string', format: 'email' }, 'a@b.c', true],
    [{ type: 'string', format: 'email' }, 'a b@c', false],
    [{ type: 'string', format: 'uri' }, 'https://a.test/x', true],
    [{ type: 'string', format: 'uri' }, 'not a uri', false],
    [{ type: 'string', format: 'date' }, '2024-02-29', true],
    [{ type: 'string', format: 'date' }, '2023-02-29', false],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T12:00:00Z', true],
    [{ type: 'string', format: 'date-time' }, '2024-02-29', false],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T25:00:00Z', false],
    [{ type: 'string', format: 'of its own' }, 'anything', true],
    [{ type: 'string', maxLength: 1 }, '👍', true],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'integer' }, Number.MAX_SAFE_INTEGER, true],
    [{ type: 'integer' }, Number.MAX_SAFE_INTEGER + 1, false],
    [{ type: 'integer', minimum: -1e20 }, -1e18, false],
    [{ type: 'number', minimum: 0 }, -1, false],
    [{ type: 'boolean' }, 'true', false],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'b'], true],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'a'], false],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], false],
  ])('to %j of %j is valid: %s', async (property, value, expected) => {
    expect(await isValid(property, value)).toBe(expected)
  })

  test('is completed with defaults and not changed itself', async () => {
    const check = prepareAnswerCheck(
      fieldsOf({ a: { type: 'string', default: 'x' }, b: { type: 'integer' } }),
    )
    const given = { b: 1 }
    expect(check(given)).toEqual({ kind: 'valid', content: { a: 'x', b: 1 } })
    expect(given).toEqual({ b: 1 })
  })

  test('may leave out a field whose name every object knows, and must not where it is required', async () => {
    const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty']
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const optional = prepareAnswerCheck(
      fieldsOf({ ...properties, isPrototypeOf: { type: 'string', default: 'x' } }),
    )
    expect(optional({})).toEqual({ kind: 'valid', content: { isPrototypeOf: 'x' } })
    expect(optional({ toString: 'mine' })).toMatchObject({ kind: 'valid', content: { toString: 'mine' } })
    const required = prepareAnswerCheck(fieldsOf(properties, names))
    expect(required({})).toMatchObject({
      kind: 'invalid',
      issues: names.map((name) => ({ path: `/${name}` })),
    })
  })

  test('that is wrong is named by its field and never quoted', async () => {
    const check = prepareAnswerCheck(fieldsOf({ pin: { type: 'string', maxLength: 2 } }))
    const checked = check({ pin: canary('answer') })
    expect(checked).toEqual({
      kind: 'invalid',
      issues: [{ path: '/pin', message: expect.stringMatching(/^must/) }],
    })
    expect(JSON.stringify(checked)).not.toContain('Kanarienvogel')
  })

  test('is checked without any pattern of the server, which could keep this process busy for ever', async () => {
    const pattern = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` }
    const check = prepareAnswerCheck(fieldsOf({ value: pattern }))
    expect(check({}).kind).toBe('valid')
  })
})
