import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocumentFormat } from '../../src/config/documents/config-document.ts'
import { changedText } from './changed-text.ts'
import type { JsonValue } from '../../src/config/documents/json-value.ts'

const numRuns = process.env['TOOLBRIDGE_LONG'] === undefined ? 50 : 10_000

/** How somebody likes to lay a text out. */
interface Layout {
  readonly indentation: string
  readonly lineEnd: string
  readonly mark: string
  readonly isSpacious: boolean
  readonly hasTrailingComma: boolean
  readonly comments: readonly boolean[]
}

const layouts: fc.Arbitrary<Layout> = fc.record({
  indentation: fc.constantFrom('  ', '    ', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  isSpacious: fc.boolean(),
  hasTrailingComma: fc.boolean(),
  comments: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
})

const names = fc.uniqueArray(fc.constantFrom('files', 'my-server', 'ünï', 'a', 'x.y', 'with space'), {
  minLength: 1,
  maxLength: 4,
})

interface Written {
  readonly text: string
  readonly path: readonly string[]
  readonly names: readonly string[]
}

const comment = (layout: Layout, index: number, text: string): string =>
  layout.comments[index % layout.comments.length] === true ? text : ''

function json(layout: Layout, servers: readonly string[]): string {
  const { indentation: tab, hasTrailingComma } = layout
  const entries = servers.flatMap((name, index) => {
    const comma = index < servers.length - 1 || hasTrailingComma ? ',' : ''
    const above = comment(layout, index, `${tab}${tab}// above ${index}`)
    const beside = comment(layout, index + 1, ` // beside ${index}`)
    const key = `${tab}${tab}${JSON.stringify(name)}: `
    const lines = layout.isSpacious
      ? [`${key}{`, `${tab}${tab}${tab}"command": "run" /* inside */`, `${tab}${tab}}${comma}${beside}`]
      : [`${key}{ "command": "run", "args": [] }${comma}${beside}`]
    return above === '' ? lines : [above, ...lines]
  })
  const below = comment(layout, 5, `${tab}${tab}/* below */`)
  return [
    '{',
    `${tab}"mcpServers": {`,
    ...entries,
    ...(below === '' ? [] : [below]),
    `${tab}}`,
    '}',
    '',
  ].join('\n')
}

function yaml(layout: Layout, servers: readonly string[]): string {
  const tab = layout.indentation === '\t' ? '   ' : layout.indentation
  const entries = servers.flatMap((name, index) => {
    const above = comment(layout, index, `${tab}${tab}# above ${index}`)
    const beside = comment(layout, index + 1, ` # beside ${index}`)
    const lines = layout.isSpacious
      ? [`${tab}${tab}${JSON.stringify(name)}:`, `${tab}${tab}${tab}command: run${beside}`]
      : [`${tab}${tab}${JSON.stringify(name)}: { command: run, args: [] }${beside}`]
    return above === '' ? lines : [above, ...lines]
  })
  const below = comment(layout, 5, `# below`)
  return ['# top', 'metadata:', `${tab}mcp:`, ...entries, below, 'other: 1', ''].join('\n')
}

function toml(layout: Layout, servers: readonly string[]): string {
  const entries = servers.flatMap((name, index) => {
    const above = comment(layout, index, `# above ${index}`)
    const beside = comment(layout, index + 1, ` # beside ${index}`)
    const key = /^[\w-]+$/.test(name) && !/[^\x20-\x7E]/.test(name) ? name : JSON.stringify(name)
    const inner = layout.isSpacious ? [`[mcp_servers.${key}.env]${beside}`, 'A = "b"'] : ['env = { A = "b" }']
    return [
      '',
      ...(above === '' ? [] : [above]),
      `[mcp_servers.${key}]${beside}`,
      `command = "run"${beside}`,
      ...inner,
    ]
  })
  return ['# top', 'model = "m"', ...entries, '', comment(layout, 5, '# below'), '[other]', 'x = 1', ''].join(
    '\n',
  )
}

const writers: Readonly<Record<DocumentFormat, (layout: Layout, servers: readonly string[]) => string>> = {
  json,
  yaml,
  toml,
}

const paths: Readonly<Record<DocumentFormat, readonly string[]>> = {
  json: ['mcpServers'],
  yaml: ['metadata', 'mcp'],
  toml: ['mcp_servers'],
}

function documents(format: DocumentFormat): fc.Arbitrary<Written> {
  return fc.tuple(layouts, names).map(([layout, servers]) => ({
    text: layout.mark + writers[format](layout, servers).replaceAll('\n', layout.lineEnd),
    path: paths[format],
    names: servers,
  }))
}

const entry: fc.Arbitrary<JsonValue> = fc.record(
  {
    command: fc.string({ unit: 'grapheme', minLength: 1 }),
    args: fc.array(fc.constantFrom('-y', 'a b', '# no comment', '// neither', '"', ': ', '- x', '')),
    env: fc.dictionary(fc.constantFrom('A', 'B', 'x y'), fc.string(), { maxKeys: 2 }),
    enabled: fc.boolean(),
  },
  { requiredKeys: ['command'] },
)

const commentsIn = (text: string): readonly string[] =>
  text.match(/(?:#|\/\/|\/\*) (?:above|beside|below|top)(?: \d)?/g) ?? []

describe.each<DocumentFormat>(['json', 'yaml', 'toml'])('%s', (format) => {
  test('an added entry is all that is added, every comment stays, and taking it out leaves the text as it was, to the byte', () => {
    fc.assert(
      fc.property(documents(format), entry, ({ text, path }, value) => {
        const added = changedText(text, format, { path: [...path, 'new'], value }) ?? ''
        expect(changedText(added, format, { path: [...path, 'new'] })).toBe(text)
        expect(isKeptIn(text, added)).toBe(true)
        expect(added.includes('\r\n')).toBe(text.includes('\r\n'))
        expect(/(?<!\r)\n/.test(added)).toBe(/(?<!\r)\n/.test(text))
        expect(commentsIn(added)).toEqual(commentsIn(text))
      }),
      { numRuns },
    )
  })

  test('what is taken out is all that goes, and comments outside of it stay', () => {
    fc.assert(
      fc.property(documents(format), fc.nat(), ({ text, path, names: servers }, pick) => {
        const name = servers[pick % servers.length] ?? ''
        const removed = changedText(text, format, { path: [...path, name] })
        expect(removed).toBeDefined()
        expect(isKeptIn(removed ?? '', text) || servers.length === 1).toBe(true)
        const inside = format === 'toml' ? /beside/ : /^$/
        const outer = (all: readonly string[]): readonly string[] => all.filter((each) => !inside.test(each))
        expect(outer(commentsIn(removed ?? ''))).toEqual(outer(commentsIn(text)))
      }),
      { numRuns },
    )
  })

  test('a field that is set, and set back, leaves the text as it was', () => {
    fc.assert(
      fc.property(documents(format), fc.nat(), ({ text, path, names: servers }, pick) => {
        const field = [...path, servers[pick % servers.length] ?? '', 'enabled']
        const off = changedText(text, format, { path: field, value: false })
        const on = changedText(off ?? '', format, { path: field, value: true })
        expect(changedText(on ?? '', format, { path: field })).toBe(text)
        expect(isKeptIn(text, on ?? '')).toBe(true)
      }),
      { numRuns },
    )
  })

  test('a replaced entry changes between its own first and last character', () => {
    fc.assert(
      fc.property(documents(format), entry, fc.nat(), ({ text, path, names: servers }, value, pick) => {
        const name = servers[pick % servers.length] ?? ''
        const replaced = changedText(text, format, { path: [...path, name], value })
        expect(replaced).toBeDefined()
        const above = (all: readonly string[]): readonly string[] =>
          all.filter((each) => !/beside/.test(each))
        expect(above(commentsIn(replaced ?? ''))).toEqual(above(commentsIn(text)))
      }),
      { numRuns },
    )
  })
})

/** Whether a text is another one with pieces left out. */
function isKeptIn(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at]) at += 1
  return at === part.length
}

test('text that ends in a space of another script is kept in YAML', () => {
  const text = 'mcp:\n  files: { command: run }\n'
  const added = changedText(text, 'yaml', { path: ['mcp', 'new'], value: { command: '\u1680' } })
  expect(added).toContain('\u1680')
  expect(changedText(added ?? '', 'yaml', { path: ['mcp', 'new'] })).toBe(text)
})
