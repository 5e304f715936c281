import {
  explainConfig,
  readConfig,
  type ServerSpec,
  writeConfig,
  writtenDialects,
} from '@toolbridge/bridge/config'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../src/config/dialects/all.ts'
import type { Dialect } from '../../../src/config/dialects/dialect.ts'
import { toolbridge } from '../../../src/config/dialects/toolbridge.ts'
import { type DocumentFormat, parseDocument } from '../../../src/config/documents/config-document.ts'
import type { JsonValue } from '../../../src/config/documents/json-value.ts'
import type { DocumentNode } from '../../../src/config/documents/node.ts'
import { printToml } from '../../../src/config/documents/print-toml.ts'
import { anyCharacter } from '../../../../client/test/support/any-character.ts'

const numRuns = process.env['TOOLBRIDGE_LONG'] === undefined ? 20 : 5_000

const text = fc.oneof(
  fc.constantFrom(
    '',
    'npx',
    'https://a.test/mcp',
    'wss://a.test/',
    'stdio',
    'http',
    'sse',
    'local',
    'remote',
    'ask',
    'allow',
  ),
  fc.constantFrom(
    '${A}',
    '${env:A}',
    '${A:-b}',
    '$A',
    '{env:A}',
    '${input:a}',
    '${{ secrets.A }}',
    '\\${A}',
    '${a.b}',
    '${',
  ),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
)

const value = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('A', 'B', 'Authorization', '__proto__', 'x y'), text, { maxKeys: 3 }),
  fc.constantFrom(true, false, null, 0, 1, 60, 1500.5, -1),
  fc.dictionary(fc.constantFrom('clientId', 'client_id', 'scopes', 'default', 'tools', 'allow'), text, {
    maxKeys: 2,
  }),
)

/** An entry made of the fields that a dialect knows, and some that it does not, with values that may be anything. */
function entriesOf({ fields }: Dialect): fc.Arbitrary<Readonly<Record<string, JsonValue>>> {
  const keys = [...Object.keys(fields), 'unknown', 'allowedThings']
  const entry = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 })
  const plain = fc.oneof(
    entry,
    fc.record({ command: text, args: fc.array(text, { maxLength: 2 }) }),
    fc.record({ type: text, url: text }),
  )
  return fc.dictionary(fc.constantFrom('a', 'b', 'my server', 'ünï', '__proto__'), plain, { maxKeys: 4 })
}

/** A document of the dialect that holds the entries. */
function documentOf({ name, root }: Dialect, entries: Readonly<Record<string, JsonValue>>): JsonValue {
  if (name === 'llm-sdk')
    return Object.entries(entries).map(([server, entry]) => ({ ...(entry as object), name: server }))
  return root.key.split('.').reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), entries)
}

describe('whatever the fields of an entry hold', () => {
  test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    '%s: it is read or refused with a position',
    (name, dialect) => {
      fc.assert(
        fc.property(entriesOf(dialect), (entries) => {
          const written = JSON.stringify(documentOf(dialect, entries))
          const { issues, fields } = explainConfig(written, {
            file: 'x.json',
            dialect: name,
            platform: 'linux',
          })
          for (const { line, column, message, fix } of issues) {
            expect([line, column].every((number) => (number ?? 0) >= 1)).toBe(true)
            expect(message !== '' && fix !== '').toBe(true)
          }
          expect(fields.every(({ path, reason }) => path.startsWith('/') && reason !== '')).toBe(true)
        }),
        { numRuns },
      )
    },
  )

  const own = dialects.filter(({ name }) => writtenDialects().includes(name))
  test.each(own.map((dialect) => [dialect.name, dialect] as const))(
    '%s: what was read is written and read again without a loss',
    (name, dialect) => {
      fc.assert(
        fc.property(entriesOf(dialect), (entries) => {
          const options = { file: 'x.json', dialect: name, platform: 'linux', workspaceFolder: '/w' }
          const { servers } = readConfig(JSON.stringify(documentOf(dialect, entries)), options)
          const { unwritableFields } = writeConfig(servers, {
            dialect: name,
            platform: 'linux',
            workspaceFolder: '/w',
          })
          const unwritable = servers.filter(({ tools }) => name === 'vscode' && tools?.allow !== undefined)
          // What of VS Code's file only Copilot reads: written for VS Code it would be no limit.
          expect(unwritableFields).toMatchObject(
            unwritable.map((spec) => ({ server: spec.name, field: 'tools.allow', outcome: 'refused' })),
          )
        }),
        { numRuns },
      )
    },
  )
})

test('a conversion never widens what a server may do', () => {
  fc.assert(
    fc.property(entriesOf(toolbridge), fc.constantFrom(...writtenDialects()), (entries, dialect) => {
      const { servers } = readConfig(JSON.stringify(documentOf(toolbridge, entries)), {
        file: 'x.json',
        dialect: 'mcp-servers',
      })
      const { text: converted } = writeConfig(servers, { dialect, platform: 'linux', workspaceFolder: '/w' })
      const { servers: after } = readConfig(converted, {
        file: 'y',
        dialect,
        platform: 'linux',
        workspaceFolder: '/w',
      })
      for (const spec of after)
        expect(narrowed(spec)).toEqual(narrowed(servers.find(({ name }) => name === spec.name)))
    }),
    { numRuns },
  )
})

/** What keeps a server from doing more. */
function narrowed(spec: ServerSpec | undefined): object {
  const { enabled, tools, readOnly, approval } = spec ?? {}
  const asked = Object.entries(approval?.tools ?? {}).filter(([, word]) => word !== 'allow')
  return {
    enabled,
    tools,
    readOnly,
    default: approval?.default === 'allow' ? undefined : approval?.default,
    asked,
  }
}

describe('any text at all is read without a crash', () => {
  test.each<DocumentFormat>(['json', 'yaml', 'toml'])('%s', (format) => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (anything) => {
        expect(readConfig(anything, { file: `x.${format}` }).servers).toEqual([])
      }),
      { numRuns },
    )
  })

  test('also where aliases would make a small YAML text endless', () => {
    const lines = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`),
    ]
    expect(readConfig(lines.join('\n'), { file: 'x.yaml' }).issues).toMatchObject([{ code: 'syntax' }])
    expect(readConfig('a: &a [*a, *a]', { file: 'x.yaml' }).issues).toMatchObject([{ code: 'syntax' }])
  })
})

test('what is printed as TOML is read back as it was', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const inner = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
  )
  const table = fc.dictionary(fc.string(), fc.dictionary(fc.string(), inner, { maxKeys: 4 }), { maxKeys: 4 })
  fc.assert(
    fc.property(table, (servers) => {
      const document = parseDocument(printToml({ mcp_servers: servers }), 'x.toml', 'toml')
      if (!('root' in document)) expect.unreachable(document.message)
      expect(jsonValueOf(document.root.node)).toEqual(normalised({ mcp_servers: servers }))
    }),
    { numRuns },
  )
})

function jsonValueOf(node: DocumentNode): unknown {
  if (node.type === 'array') return (node.children ?? []).map(jsonValueOf)
  if (node.type !== 'object') return node.value
  return normalised(
    Object.fromEntries(
      (node.children ?? []).map(({ children: [key, inner] = [] }) => [
        key?.value,
        inner && jsonValueOf(inner),
      ]),
    ),
  )
}

/** Objects with the usual prototype, no negative zero, and without tables that hold nothing. */
function normalised(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given), (_key, inner: unknown) => (Object.is(inner, -0) ? 0 : inner))
}

test.each([
  ['bearer_token_env_var', { bearer_token_env_var: '${A}' }],
  ['env_http_headers', { env_http_headers: { 'X-Key': 'a b' } }],
])('a value of %s in a Codex file that cannot be the name of a variable is refused', (field, given) => {
  const entry = { url: 'https://a.example/mcp', ...given }
  const text = JSON.stringify({ mcp_servers: { a: entry } })
  const { servers, issues } = readConfig(text, { file: 'x.json', dialect: 'codex' })
  expect(servers).toEqual([])
  expect(issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(new RegExp(`${field}.*the name of an environment variable`)),
  ])
})
