import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonObject } from '../../src/jsonrpc/json.ts'
import { headerValue } from '../../src/revisions/modern/header-values.ts'
import { headerPlan, mirroredHeaders } from '../../src/revisions/modern/tool-headers.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../support/generated.ts'
import { anyCharacter } from '../support/any-character.ts'

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.string().map((inner) => `=?base64?${inner}?=`),
  fc.constantFrom('', ' ', ' a', 'a ', '\t', 'a\tb', 'a\r\nx: y', '=?base64?', '?=', '=?BASE64?YQ==?='),
)

test(
  'every text comes back from its header, which holds nothing but visible ASCII [H9]',
  () =>
    fc.assert(
      fc.property(text, (value) => {
        const header = headerValue(value)
        expect(header).toMatch(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
        expect(decoded(header)).toBe(value)
      }),
      inputs(500),
    ),
  GENERATED_TIMEOUT_MS,
)

const primitive = fc.oneof(
  fc.record({ type: fc.constant('string'), value: text }),
  fc.record({ type: fc.constant('integer'), value: fc.maxSafeInteger() }),
  fc.record({ type: fc.constant('boolean'), value: fc.boolean() }),
)
const propertyName = fc.oneof(
  fc.string(),
  fc.constantFrom('properties', 'x-mcp-header', '__proto__', 'default', '$defs'),
)
const marked = fc.uniqueArray(
  fc.record({
    path: fc.array(propertyName, { minLength: 1, maxLength: 3 }),
    argument: primitive,
    isGiven: fc.boolean(),
  }),
  // A property is either an argument or a place for others, so no path begins with another.
  { selector: ({ path }) => path[0], maxLength: 5 },
)

test(
  'marked arguments come back from their headers, wherever they are, and others have none [H9]',
  () =>
    fc.assert(
      fc.property(marked, (places) => {
        const schema = places.reduce(
          (whole, place, index) => withProperty(whole, place.path, index, place.argument.type),
          {},
        )
        const given = places.filter(({ isGiven }) => isGiven)
        const values = given.reduce<object>(
          (whole, { path, argument }) => withValue(whole, path, argument.value),
          {},
        )
        const plan = headerPlan(schema)
        const headers = mirroredHeaders(plan.arguments ?? expect.unreachable(), values)
        const expected = places.flatMap(({ isGiven, argument }, index) =>
          isGiven ? [[`mcp-param-mark-${index}`, String(argument.value)]] : [],
        )
        expect(Object.entries(headers).map(([name, value]) => [name, decoded(value)])).toEqual(
          expect.arrayContaining(expected),
        )
        expect(Object.keys(headers)).toHaveLength(expected.length)
      }),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

test(
  'any schema is either followed or said to be impossible to follow [H9]',
  () =>
    fc.assert(
      fc.property(
        fc.dictionary(propertyName, fc.jsonValue({ maxDepth: 4 })),
        fc.jsonValue(),
        (schema, values) => {
          const plan = headerPlan(schema)
          if (plan.arguments === undefined) expect(plan.problem).not.toBe('')
          else mirroredHeaders(plan.arguments, values)
        },
      ),
      inputs(300),
    ),
  GENERATED_TIMEOUT_MS,
)

/** What the specification tells servers to do. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

type Place = Readonly<Record<string, unknown>>

function withProperty(
  schema: Place,
  [name = '', ...rest]: readonly string[],
  index: number,
  type: string,
): Place {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const inner =
    rest.length === 0 ? { type, 'x-mcp-header': `Mark-${index}` } : withProperty({}, rest, index, type)
  return { ...schema, properties: own(properties, name, inner) }
}

function withValue(values: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  return own(values, name, rest.length === 0 ? value : withValue({}, rest, value))
}

/** Also for the name `__proto__`, which an assignment would take for something else. */
function own(object: object, name: string, value: unknown): Place {
  return Object.fromEntries([...Object.entries(object), [name, value]])
}
