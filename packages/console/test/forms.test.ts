import { expect, test } from 'vitest'
import { joined } from '../src/forms/controls.tsx'
import { draftOfValues, emptyDraft } from '../src/forms/draft.ts'
import { readDraft, readValid } from '../src/forms/read-draft.ts'
import { fieldsOf } from '../src/forms/schema.ts'
import { withoutSecrets } from '../src/forms/without-secrets.ts'

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: ['string', 'null'] }, 'text'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, 'choice'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'variant'],
  [{ type: ['string', 'integer'] }, 'variant'],
  [{ const: 'a' }, 'constant'],
  [{ type: 'number' }, 'number'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'boolean' }, 'switch'],
  [{ enum: ['a', 1, null] }, 'choice'],
  [{ oneOf: [{ const: 'a', title: 'A' }] }, 'choice'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
  [{ type: 'array', items: { type: 'string' } }, 'list'],
  [{ type: 'array' }, 'json'],
  [{ type: 'object', properties: { a: {} } }, 'group'],
  [{ properties: { a: {} } }, 'group'],
  [{ allOf: [{ properties: { a: {} } }, { description: 'b' }] }, 'group'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'map'],
  [{ type: 'object', additionalProperties: true }, 'json'],
  [{ type: 'string', format: 'constructor' }, 'text'],
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

test('what the schema marks as secret is not filled in again, however deep it is', () => {
  const fields = fieldsOf({
    properties: {
      user: { type: 'string' },
      pin: { type: 'string', writeOnly: true },
      account: { properties: { key: { type: 'string', format: 'password' }, id: { type: 'number' } } },
      keys: { type: 'array', items: { type: 'string', format: 'password' } },
      hosts: { type: 'array', items: { properties: { token: { type: 'string', writeOnly: true } } } },
      named: {
        type: 'object',
        additionalProperties: { properties: { token: { type: 'string', writeOnly: true } } },
      },
    },
  })
  const sent = {
    user: 'ada',
    pin: '1234',
    account: { key: 'k', id: 1 },
    keys: ['k'],
    hosts: [{ token: 't' }],
    named: { one: { token: 't' } },
    constructor: 'unknown',
  }
  expect(withoutSecrets(fields, sent)).toEqual({
    user: 'ada',
    account: { id: 1 },
    keys: [],
    hosts: [{}],
    named: { one: {} },
    constructor: 'unknown',
  })
})

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

const order = {
  type: 'object',
  $defs: {
    line: {
      type: 'object',
      properties: { sku: { type: 'string' }, count: { type: 'integer' } },
      required: ['sku'],
    },
  },
  properties: {
    customer: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' }, minItems: 1 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    payment: {
      oneOf: [
        {
          type: 'object',
          properties: { by: { const: 'card' }, digits: { type: 'string' } },
          required: ['by', 'digits'],
        },
        { type: 'object', properties: { by: { const: 'invoice' } }, required: ['by'] },
      ],
    },
    at: { type: 'string', format: 'date-time' },
  },
  required: ['customer', 'lines'],
}

test('values of a nested schema survive the form', () => {
  const fields = fieldsOf(order)
  const values = {
    customer: { name: 'Ada' },
    lines: [{ sku: 'a', count: 2 }, { sku: 'b' }],
    labels: { gift: 'yes' },
    payment: { by: 'card', digits: '1234' },
    at: '2026-11-16T10:20:30.000Z',
  }
  expect(readDraft(fields, draftOfValues(fields, values))).toEqual({ kind: 'values', values })
  const invoice = { ...values, payment: { by: 'invoice' } }
  expect(readDraft(fields, draftOfValues(fields, invoice))).toEqual({ kind: 'values', values: invoice })
})

test('a nested form starts with what is required and reports each error where it is', () => {
  const fields = fieldsOf(order)
  const draft = emptyDraft(fields)
  expect(draft).toMatchObject({ customer: { fields: { name: '' } }, lines: { items: [{ key: 0 }] } })
  expect(readDraft(fields, draft)).toEqual({
    kind: 'errors',
    errors: { 'customer/name': 'This is required.', 'lines/0/sku': 'This is required.' },
  })
  const labels = [
    { key: 0, name: 'a', value: '1' },
    { key: 1, name: 'a', value: '2' },
    { key: 2, name: '', value: '3' },
  ]
  const wrong = { customer: { fields: { name: 'Ada' } }, lines: { items: [] }, labels: { items: labels } }
  expect(readDraft(fields, wrong)).toEqual({
    kind: 'errors',
    errors: {
      lines: 'Add at least 1.',
      'labels/1': 'This name is used already.',
      'labels/2': 'Enter a name.',
    },
  })
})

test('an option of a variant is named by its constant, its title or its kind', () => {
  const [payment] = fieldsOf({ properties: { payment: order.properties.payment } })
  expect(payment).toMatchObject({ kind: 'variant', options: [{ label: 'card' }, { label: 'invoice' }] })
  const [mixed] = fieldsOf({
    properties: { id: { anyOf: [{ type: 'string', title: 'Name' }, { type: 'integer' }] } },
  })
  expect(mixed).toMatchObject({ options: [{ label: 'Name' }, { label: 'Number (2)' }] })
})

test('a schema that contains itself ends in JSON', () => {
  const tree = {
    $defs: {
      node: { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } } },
    },
    properties: { root: { $ref: '#/$defs/node' } },
  }
  let [field] = fieldsOf(tree)
  let depth = 0
  while (field?.kind === 'group') {
    field = field.fields[1]
    depth += 1
  }
  expect(field?.kind).toBe('json')
  expect(depth).toBe(7)
  expect(fieldsOf({ properties: { a: { $ref: '#/properties/a' } } })).toMatchObject([{ kind: 'json' }])
})

test('a schema of very many fields is cut off, not followed', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`p${index}`, { $ref: '#/$defs/wide' }]),
  )
  const fields = fieldsOf({ $defs: { wide: { type: 'object', properties } }, properties })
  expect(countOf(fields)).toBeLessThan(2_000)
})

test('lists in lists start with one item each, however many their schema demands', () => {
  const list = { type: 'array', minItems: 20, items: { $ref: '#/$defs/list' } }
  const fields = fieldsOf({ $defs: { list }, properties: { field: list }, required: ['field'] })
  expect(JSON.stringify(emptyDraft(fields)).match(/"key"/g)).toHaveLength(7)
})

function countOf(fields: ReturnType<typeof fieldsOf>): number {
  return fields.reduce((count, field) => count + 1 + (field.kind === 'group' ? countOf(field.fields) : 0), 0)
}

test('what is valid of an unfinished form becomes JSON', () => {
  const fields = fieldsOf({ properties: { count: { type: 'integer' }, name: { type: 'string' } } })
  expect(readValid(fields, { count: 'many', name: 'Ada' })).toEqual({ name: 'Ada' })
  const list = fieldsOf({ properties: { names: { type: 'array', items: { type: 'string' } } } })
  const items = ['', 'Ada'].map((value, key) => ({ key, name: '', value }))
  expect(readValid(list, { names: { items } })).toEqual({ names: ['Ada'] })
})

test.each([
  ['How many', 'How many. A number.'],
  ['How many?', 'How many? A number.'],
  ['How many (1-10)', 'How many (1-10). A number.'],
  ['How many (at most ten.)', 'How many (at most ten.) A number.'],
  [undefined, 'A number.'],
])('%j and what the form adds are sentences', (description, text) => {
  expect(joined(description, 'A number.')).toBe(text)
})
