import { readConfig } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../src/config/dialects/all.ts'
import type { JsonValue } from '../../../src/config/documents/json-value.ts'
import { defaultFacts } from '../../../src/config/spec/host-facts.ts'

test('the five projects and the hosts have a dialect, and each says where its files are', () => {
  expect(dialects).toHaveLength(1 + 5 + 22)
  expect(dialects.filter(({ locations }) => locations.length === 0).map(({ name }) => name)).toEqual([
    'llm-sdk',
  ])
  expect(new Set(dialects.map(({ name }) => name)).size).toBe(dialects.length)
})

test('locations are relative to a project or the home folder, or absolute', () => {
  const locations = dialects.flatMap((dialect) => dialect.locations)
  expect(locations.filter(({ scope, path }) => scope === 'project' && /^[~/%]/.test(path))).toEqual([])
  expect(locations.filter(({ scope, path }) => scope === 'user' && !/^(?:~|%APPDATA%)\//.test(path))).toEqual(
    [],
  )
  expect(
    locations.filter(({ scope, path }) => scope === 'managed' && !/^(?:\/|[A-Z]:\/)/.test(path)),
  ).toEqual([])
})

test('the policy about variables says what the tables of syntaxes do', () => {
  for (const { name, facts, variables } of dialects) {
    const fields = facts['vars.fields'] ?? 'all'
    const specFields = Object.keys(variables).toSorted()
    if (fields === 'none') expect(specFields, name).toEqual([])
    else if (fields === 'all') expect(specFields, name).toContain('everything')
    else expect(specFields, name).toEqual([...fields].toSorted())
  }
})

// llm-sdk has no key: the document is the list of servers.
const keyed = dialects.filter(({ name }) => name !== 'llm-sdk')

test.each(keyed.map((dialect) => [dialect.name, dialect] as const))(
  '%s: the policy about keys names the one that contains the servers [D6]',
  (_name, { facts, root }) => {
    expect(facts['config.roots'] ?? defaultFacts['config.roots']).toContain(root.key)
  },
)

describe('servers in a value of the wrong type are reported', () => {
  const values: readonly JsonValue[] = [5, 'text', [{ x: 1 }], { a: { x: 1 } }]
  test.each(keyed.map((dialect) => [dialect.name, dialect] as const))('%s', (name, { root }) => {
    for (const value of values) {
      const { servers, issues } = readConfig(JSON.stringify(under(root.key, value)), {
        file: '/project/servers.json',
        dialect: name,
      })
      expect(servers).toEqual([])
      expect(issues, `no issue for ${JSON.stringify(value)}`).not.toEqual([])
    }
  })
})

test.each(keyed.map((dialect) => [dialect.name, dialect] as const))(
  '%s: servers under its key and under another one are ambiguous',
  (_name, { root }) => {
    const other = root.key === 'mcpServers' ? 'servers' : 'mcpServers'
    const document = { ...under(root.key, { a: { command: 'a' } }), [other]: { b: { command: 'b' } } }
    const { issues } = readConfig(JSON.stringify(document), { file: '/project/servers.json' })
    expect(
      issues.map(({ code }) => code),
      `"${root.key}" is missing in config/read/server-roots.ts`,
    ).toEqual(['root_ambiguous'])
  },
)

/** A document with a value at a path of keys. */
function under(path: string, value: JsonValue): Readonly<Record<string, JsonValue>> {
  const [key = '', ...keys] = path.split('.')
  return { [key]: keys.reduceRight((inner, part): JsonValue => ({ [part]: inner }), value) }
}
