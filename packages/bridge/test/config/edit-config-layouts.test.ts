import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { DocumentFormat } from '../../src/config/documents/config-document.ts'
import { changedText } from './changed-text.ts'
import type { JsonValue } from '../../src/config/documents/json-value.ts'
import { printToml } from '../../src/config/documents/print-toml.ts'

const numRuns = process.env['TOOLBRIDGE_LONG'] === undefined ? 100 : 10_000

const key = fc.constantFrom('a', 'b', 'c', 'x.y', 'ü', 'k: v', '# k', 'with "q"', '-')
const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '#',
    '// x',
    '/* y */',
    ': ',
    '- z',
    '{',
    ']',
    'two\nlines',
    'trail ',
    ' lead',
    '',
    'true',
    '~',
  ),
  fc.integer(),
  fc.boolean(),
)
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const tables = fc.dictionary(key, value, { maxKeys: 4, minKeys: 1, noNullPrototype: true })
const entries = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) })
const choices = fc.array(fc.nat({ max: 7 }), { minLength: 40, maxLength: 40 })

function isList(plain: JsonValue | undefined): plain is readonly JsonValue[] {
  return Array.isArray(plain)
}

function isTable(plain: JsonValue | undefined): plain is Readonly<Record<string, JsonValue>> {
  return typeof plain === 'object' && plain !== null && !isList(plain)
}

/** JSON with blanks, line ends and comments wherever they may stand. */
function scattered(plain: JsonValue, chosen: readonly number[]): string {
  const blanks = ['', ' ', '\n', '\n  ', '\t', ' /* c */ ', ' // l\n', '\r\n']
  let at = 0
  const blank = (): string => blanks[chosen[at++ % chosen.length] ?? 0] ?? ''
  const joined = (items: readonly string[]): string =>
    items.join(`${blank()},${blank()}`) + (items.length > 0 && at % 3 === 0 ? `${blank()},` : '')
  const print = (each: JsonValue): string => {
    if (isList(each)) return `[${blank()}${joined(each.map(print))}${blank()}]`
    if (!isTable(each)) return JSON.stringify(each)
    const pairs = Object.entries(each).map(
      ([name, inner]) => `${JSON.stringify(name)}${blank()}:${blank()}${print(inner)}`,
    )
    return `{${blank()}${joined(pairs)}${blank()}}`
  }
  return blank() + print(plain) + blank()
}

type Path = readonly (string | number)[]

function pathsIn(plain: JsonValue, path: Path = []): readonly Path[] {
  const inner = isList(plain) ? [...plain.entries()] : isTable(plain) ? Object.entries(plain) : []
  return inner.flatMap(([step, each]) => [[...path, step], ...pathsIn(each, [...path, step])])
}

const print: Readonly<
  Record<DocumentFormat, (plain: Readonly<Record<string, JsonValue>>, chosen: readonly number[]) => string>
> = {
  json: scattered,
  yaml: (plain, [first = 0, second = 0]) =>
    stringify(plain, {
      indent: first > 3 ? 2 : 4,
      collectionStyle: second > 5 ? 'flow' : 'any',
      lineWidth: second > 3 ? 0 : 30,
    }),
  toml: (plain) => printToml(plain),
}

const commentsIn = (text: string): number => (text.match(/\/\* c \*\/|\/\/ l/g) ?? []).length

test.each<DocumentFormat>(['json', 'yaml', 'toml'])(
  'however a document in %s is laid out, anything in it is set and taken out, or it is left alone',
  (format) => {
    let refused = 0
    fc.assert(
      fc.property(tables, choices, fc.nat(), entries, (document, chosen, pick, entry) => {
        const text = print[format](document, chosen)
        const paths = pathsIn(document)
        const path = paths[pick % paths.length] ?? []
        const results = [
          changedText(text, format, { path }),
          changedText(text, format, { path, value: entry }),
          changedText(text, format, { path: ['new'], value: entry }),
          changedText(text, format, { path: ['new', 'server'], value: entry }),
        ]
        refused += results.filter((each) => each === undefined).length
        if (format === 'json')
          for (const added of results.slice(2)) expect(commentsIn(added ?? '')).toBe(commentsIn(text))
      }),
      { numRuns },
    )
    expect(refused / numRuns).toBeLessThanOrEqual(format === 'json' ? 0 : 0.1)
  },
  300_000,
)
