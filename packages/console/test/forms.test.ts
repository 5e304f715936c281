import { expect, test } from 'vitest'
import { emptyDraft, readDraft } from '../src/forms/draft.ts'
import { fieldsOf } from '../src/forms/schema.ts'

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: ['string', 'null'] }, 'text'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, 'choice'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'json'],
  [{ type: 'number' }, 'number'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'boolean' }, 'switch'],
  [{ enum: ['a', 1, null] }, 'choice'],
  [{ oneOf: [{ const: 'a', title: 'A' }] }, 'choice'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
  [{ type: 'array', items: { type: 'string' } }, 'json'],
  [{ type: 'object' }, 'json'],
  [{ $ref: '#/$defs/x' }, 'json'],
  [true, 'json'],
])('%j gets a control of kind %s', (schema, kind) => {
  expect(fieldsOf({ properties: { field: schema } })[0]?.kind).toBe(kind)
})

test.each([[{}], [{ properties: null }], [{ properties: [], required: 'all' }]])(
  '%j is a form without fields',
  (schema) => {
    expect(fieldsOf(schema)).toEqual([])
  },
)

test('a form that nobody touched sends its defaults and leaves the rest out', () => {
  const fields = fieldsOf({
    properties: {
      name: { type: 'string' },
      count: { type: 'integer', default: 2 },
      size: { enum: ['s', 'l'], default: 'l' },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
      loud: { type: 'boolean' },
      agreed: { type: 'boolean' },
      extra: { default: { deep: [1] } },
    },
    required: ['agreed'],
  })
  expect(readDraft(fields, emptyDraft(fields))).toEqual({
    kind: 'values',
    values: { count: 2, size: 'l', tags: ['b'], agreed: false, extra: { deep: [1] } },
  })
})

test('a choice sends the value behind its label, whatever its type', () => {
  const fields = fieldsOf({ properties: { level: { enum: [1, null], enumNames: ['One', 'None'] } } })
  expect(readDraft(fields, { level: '1' })).toEqual({ kind: 'values', values: { level: null } })
})

test.each([
  [{ type: 'string', minLength: 3 }, 'ab', 'Enter at least 3 characters.'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 characters.'],
  [{ type: 'string', format: 'email' }, 'ada', 'Enter an email address.'],
  [{ type: 'string', format: 'uri' }, 'example', 'Enter a full URL, such as https://example.com.'],
  [{ type: 'number' }, 'many', 'Enter a number.'],
  [{ type: 'integer' }, '1.5', 'Enter a whole number.'],
  [{ type: 'number', minimum: 2 }, '1', 'Enter 2 or more.'],
  [{ type: 'number', maximum: 2 }, '3', 'Enter 2 or less.'],
])('%j refuses %j', (schema, text, error) => {
  const fields = fieldsOf({ properties: { field: schema } })
  expect(readDraft(fields, { field: text })).toEqual({ kind: 'errors', errors: { field: error } })
})

test('a field may have a name that every object knows', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: { constructor: { type: 'boolean' }, toString: { type: 'string' } },
  })
  expect(readDraft(fields, emptyDraft(fields))).toEqual({ kind: 'values', values: {} })
  const required = fieldsOf({ properties: { valueOf: { type: 'boolean' } }, required: ['valueOf'] })
  expect(readDraft(required, {})).toMatchObject({ kind: 'errors', errors: { valueOf: 'This is required.' } })
})
