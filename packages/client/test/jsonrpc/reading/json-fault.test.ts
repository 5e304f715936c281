import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault } from '../../../src/jsonrpc/reading/json-fault.ts'
import { messageFields } from '../../../src/jsonrpc/reading/message-fields.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'

const document = fc.jsonValue({ maxDepth: 5 })

/** Any text for a JSON string: with escapes that need not be there. */
function spelled(key: string): string {
  const units = Array.from({ length: key.length }, (_, index) => key.charCodeAt(index))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

test(
  'a document that names every key once may be read, with any white space, advisory [D1]',
  () => {
    fc.assert(
      fc.property(document, fc.constantFrom('', ' ', '\t', 4), (value, space) => {
        const text = JSON.stringify(value, null, space)
        fc.pre(!text.includes('__proto__'))
        expect(jsonFault(text)).toBeUndefined()
      }),
      inputs(300),
    )
  },
  GENERATED_TIMEOUT_MS,
)

test(
  'a key that is repeated at any depth is found, however it is spelled and whatever is around it, advisory [D1]',
  () => {
    const around = fc.array(fc.tuple(fc.string(), document), { maxLength: 12 })
    const depths = fc.integer({ min: 0, max: 20 })
    fc.assert(
      fc.property(fc.string(), around, depths, fc.boolean(), (key, others, depth, isArray) => {
        fc.pre(key !== '__proto__' && key !== '__proto_')
        const names = new Set([key, `${key}.`, '__proto__'])
        const members = others.filter(([name]) => !names.has(name) && names.add(name))
        const written = members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        fc.pre(written.every((text) => !text.includes('__proto__')))
        const [before, after] = isArray ? ['[1,', ']'] : ['{"x":', '}']
        const object = (second: string): string =>
          `${before.repeat(depth)}{${[`${JSON.stringify(key)}:1`, ...written, `${second}:2`].join(',')}}${after.repeat(depth)}`
        expect(jsonFault(object(JSON.stringify(key)))?.message).toContain('twice in one object')
        expect(jsonFault(object(spelled(key)))?.message).toContain('twice in one object')
        expect(jsonFault(object(JSON.stringify(`${key}.`)))).toBeUndefined()
      }),
      inputs(300),
    )
  },
  GENERATED_TIMEOUT_MS,
)

test('keys that differ in a half of a character only are the same to programs that cannot represent it, advisory [D1]', () => {
  expect(jsonFault('{"\\ud800":1,"\\udc00":2}')?.message).toContain('twice')
  expect(jsonFault('{"\\ud83d\\ude00":1,"\\ud83d\\ude01":2}')).toBeUndefined()
})

test('the same key in two objects is no repetition, advisory [D1]', () => {
  expect(jsonFault('[{"a":1},{"a":{"a":[{"a":2}]}},"\\"a\\":1,\\"a\\":2"]')).toBeUndefined()
})

const positions: readonly [position: string, field: string, text: (key: string) => string][] = [
  ['the message', 'method', (key) => `{"jsonrpc":"2.0",${key}:"x"}`],
  ['the message', 'id', (key) => `{"jsonrpc":"2.0",${key}:1}`],
  ['a message of a batch', 'params', (key) => `[{"method":"x"},{"method":"x",${key}:{}}]`],
  ['the parameters', 'name', (key) => `{"method":"tools/call","params":{"name":"a",${key}:"b"}}`],
  ['the parameters', 'arguments', (key) => `{"params":{${key}:{}},"method":"tools/call"}`],
  ['the parameters', '_meta', (key) => `{"method":"x","params":{${key}:{}}}`],
  ['the parameters', 'inputResponses', (key) => `{"method":"x","params":{${key}:{}}}`],
  ['the parameters', 'requestState', (key) => `{"method":"x","params":{${key}:""}}`],
  ['the parameters', 'uri', (key) => `{"method":"resources/read","params":{${key}:""}}`],
  ['_meta', 'progressToken', (key) => `{"method":"x","params":{"_meta":{${key}:1}}}`],
  [
    '_meta',
    'io.modelcontextprotocol/protocolVersion',
    (key) => `{"method":"x","params":{"_meta":{${key}:1}}}`,
  ],
  ['a reference', 'name', (key) => `{"method":"x","params":{"ref":{"type":"ref/prompt",${key}:"x"}}}`],
  ['the identity of a client', 'version', (key) => `{"method":"x","params":{"clientInfo":{${key}:"1"}}}`],
  ['an answer', 'action', (key) => `{"id":1,"result":{${key}:"accept"}}`],
  [
    'an answer in a request',
    'action',
    (key) => `{"method":"x","params":{"inputResponses":{"q":{${key}:"accept"}}}}`,
  ],
]

/** Spellings that readers take for the field: other cases, also of Unicode, with escapes. */
function misspellings(field: string): readonly string[] {
  const [first = '', ...rest] = field
  return [
    field.toUpperCase(),
    `${first.toUpperCase()}${rest.join('')}`,
    field.replace('s', 'ſ'),
    field.replace('k', '\u212a'),
    field.replace('i', 'ı'),
  ].filter((each) => each !== field)
}

test.each(positions)(
  'in %s, a key that differs from "%s" in case only is refused and named, advisory [D1]',
  (_, field, text) => {
    expect(jsonFault(text(JSON.stringify(field)), { known: messageFields })?.message ?? '').toMatch(
      text('"x"').includes(`"${field}"`) ? /twice|^$/ : /^$/,
    )
    const spellings = misspellings(field)
    expect(spellings).not.toEqual([])
    for (const key of spellings)
      for (const written of [JSON.stringify(key), spelled(key)]) {
        const message = jsonFault(text(written), { known: messageFields })?.message
        expect([key, message]).toEqual([key, expect.stringContaining(`in case only; write "${field}"`)])
        expect(message).toContain(JSON.stringify(key))
      }
  },
)

test.each([
  '{"method":"tools/call","params":{"name":"a","arguments":{"Name":1,"name":2,"Method":3,"PARAMS":{"ID":1,"id":2}}}}',
  '{"id":1,"result":{"action":"accept","content":{"Action":1,"action":2}}}',
  '{"method":"x","params":{"_meta":{"com.example/Name":1,"com.example/name":2}}}',
  '{"method":"x","params":{"inputResponses":{"Name":{"action":"decline"},"name":{"action":"decline"}}}}',
])('what is not the protocol’s may have keys that differ in case: %s, advisory [D1]', (text) => {
  expect(jsonFault(text, { known: messageFields })).toBeUndefined()
})

const many: Readonly<Record<string, (count: number) => string>> = {
  numbers: (count) => `[${'0,'.repeat(count)}0]`,
  'empty arrays': (count) => `[${'[],'.repeat(count)}0]`,
  'empty objects': (count) => `[${'{},'.repeat(count)}0]`,
  members: (count) => `[${'{"a":0},'.repeat(count)}0]`,
  'nested members': (count) => `[${'{"a":{"b":[]}},'.repeat(count)}0]`,
}

test.each(Object.keys(many))(
  'more than 100,000 %s are refused before anything is parsed, advisory [F2]',
  (what) => {
    const text = (count: number): string => many[what]?.(count) ?? ''
    expect(jsonFault(text(16_000))).toBeUndefined()
    expect(jsonFault(text(100_000))?.message).toBe(
      'the request has more than 100,000 values; send fewer at a time, or all as one text',
    )
  },
)

test('an object with more than 10,000 members is refused, advisory [F2]', () => {
  const text = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`
  expect(jsonFault(text(10_000))).toBeUndefined()
  expect(jsonFault(text(10_001))?.message).toContain('more than 10,000 members in one object')
})

test('a text of megabytes is no reason to refuse, whatever is in it, advisory [F2]', () => {
  for (const part of ['x', '"', '\\', '[{', ',', '\n', '\\"', '😀']) {
    const text = JSON.stringify({ arguments: { text: part.repeat(2_000_000 / part.length) } })
    expect(jsonFault(text, { known: messageFields })).toBeUndefined()
  }
})

test.each(['{"method":"', '{"id":"', '{"params":{"name":"', '{"params":{"clientInfo":{"version":"'])(
  'a name of megabytes is refused, because errors would quote it: %s…, advisory [F2]',
  (start) => {
    const fault = jsonFault(`${start}${'x'.repeat(2_000_000)}`, { known: messageFields })
    expect(fault?.message).toBe('a name in the request is too long; shorten it')
  },
)

test('the message of a fault is short, whatever the key is, advisory [F2]', () => {
  for (const key of ['x'.repeat(60_000), '\u001b[2J\n\u202e'.repeat(5_000), '\u{e0001}'.repeat(9_000)]) {
    const fault = jsonFault(`{${JSON.stringify(key)}:1,${JSON.stringify(key)}:2}`)
    expect(fault?.message.length).toBeLessThan(200)
    expect(fault?.message).not.toMatch(/[\p{Cc}\u202e]/u)
  }
})

test('a text that is nested 2,000,000 levels deep is refused without recursion, advisory [F2]', () => {
  for (const part of ['[', '{"a":'])
    expect(jsonFault(part.repeat(2_000_000))?.message).toBe('the request is nested deeper than 256 levels')
})

test(
  'any text at all is looked at without an exception, advisory [F2]',
  () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', '"a"', '\\u', '0', 'true')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          expect(jsonFault(text, { known: messageFields })?.message ?? '').toEqual(expect.any(String))
        },
      ),
      inputs(500),
    )
  },
  GENERATED_TIMEOUT_MS,
)
