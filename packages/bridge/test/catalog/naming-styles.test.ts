import {
  type NamingPolicy,
  type ToolPair,
  nameTools,
  namingPolicy,
  plainName,
} from '@toolbridge/client/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Catalog, mayHaveTool } from '../../src/catalog/catalog.ts'
import { namingOf } from '../../src/catalog/naming.ts'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import { dialects } from '../../src/config/dialects/all.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import type { BridgeEvent } from '../../src/journal/events/events.ts'

const runs = process.env['TOOLBRIDGE_LONG'] === undefined ? 150 : 10_000

/** Parts that are likely to collide once they are sanitised, cut or joined. */
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', '_', '-', '.', ' ', '読', 'é', '/', '😀'), maxLength: 5 }),
  fc.string({ unit: fc.constantFrom('a', '_', '-', '読', '😀'), minLength: 20, maxLength: 70 }),
  fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 8 })
    .map((codes) => String.fromCodePoint(...codes)),
  fc.string({ unit: fc.constantFrom('\uD800', '\uDC00', 'a', '\uFFFD'), maxLength: 4 }),
  fc.constantFrom('mcp://a/b', 'mcp:x', '', '__proto__', 'constructor'),
)
const pairs = fc.uniqueArray(fc.record({ server: part, tool: part }), {
  selector: ({ server, tool }) => JSON.stringify([server, tool]),
  maxLength: 25,
})
const policies = fc.record({
  separator: fc.constantFrom('-', '_', '.', '__', 'none'),
  sanitize: fc.constantFrom('kebab', 'identifier', 'namespace-only', 'none'),
  maxLength: fc.constantFrom(24, 64, 128),
  onCollision: fc.constantFrom('suffix', 'error', 'first-wins'),
})

function serversOf(some: readonly ToolPair[]): Parameters<Catalog['show']>[0] {
  const servers = new Map<string, string[]>()
  for (const { server, tool } of some) servers.set(server, [...(servers.get(server) ?? []), tool])
  return [...servers].map(([name, tools]) => ({
    name,
    tools: tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
  }))
}

function catalogOf(some: readonly ToolPair[], naming: Partial<NamingPolicy>): Catalog {
  const catalog = new Catalog(createEmit(undefined), naming)
  catalog.show(serversOf(some))
  return catalog
}

function byPair(some: readonly ToolPair[], policy: NamingPolicy): ReadonlyMap<string, string | undefined> {
  const given = nameTools(some, policy)
  return new Map(some.map(({ server, tool }, index) => [JSON.stringify([server, tool]), given[index]?.name]))
}

test('in every style, names of any Unicode text are unique, not empty and within the limit [D3] [C13]', () => {
  fc.assert(
    fc.property(pairs, policies, (some, policy) => {
      const given = nameTools(some, policy).flatMap(({ name }) => name ?? [])
      expect(new Set(given).size).toBe(given.length)
      for (const name of given) {
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(policy.maxLength)
        expect(/\p{Surrogate}/u.test(name)).toBe(false)
      }
      if (policy.onCollision === 'suffix') expect(given).toHaveLength(some.length)
    }),
    { numRuns: runs },
  )
})

test('sanitised names keep to the characters of their style', () => {
  fc.assert(
    fc.property(pairs, policies, (some, policy) => {
      const pattern =
        policy.sanitize === 'kebab'
          ? /^[a-z0-9]+(?:[-_.]+[a-z0-9]+)*$/
          : policy.sanitize === 'identifier'
            ? /^[A-Za-z0-9_.-]+$/
            : /^/
      for (const { name } of nameTools(some, policy)) if (name !== undefined) expect(name).toMatch(pattern)
    }),
    { numRuns: runs },
  )
})

test('in every style, names do not depend on the order of the tools', () => {
  fc.assert(
    fc.property(pairs, policies, fc.infiniteStream(fc.nat()), (some, policy, order) => {
      const shuffled = some
        .map((pair) => ({ pair, at: order.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ pair }) => pair)
      const forwards = byPair(some, policy)
      for (const [pair, name] of byPair(shuffled, policy)) expect(name).toBe(forwards.get(pair))
    }),
    { numRuns: runs },
  )
})

test('in every style, the table leads from name and from address back to the very pair [D4]', () => {
  fc.assert(
    fc.property(pairs, policies, (some, policy) => {
      const catalog = catalogOf(some, policy)
      for (const tool of catalog.tools) {
        expect(catalog.find(tool.name)).toBe(tool)
        expect(catalog.find(tool.uri)).toBe(tool)
        expect(tool.uri).toBe(toolUri(tool.server, tool.rawName))
        expect(mayHaveTool({ name: tool.server }, tool.name, policy)).toBe(true)
        expect(mayHaveTool({ name: tool.server }, tool.uri, policy)).toBe(true)
      }
      const uris = new Set(some.map(({ server, tool }) => toolUri(server, tool)))
      expect(uris.size).toBe(some.length)
      if (policy.onCollision === 'suffix') expect(catalog.tools).toHaveLength(some.length)
    }),
    { numRuns: runs },
  )
})

test('changing servers one at a time leads to the same table as showing them all at once', () => {
  fc.assert(
    fc.property(fc.array(pairs, { minLength: 1, maxLength: 4 }), policies, (steps, policy) => {
      const catalog = new Catalog(createEmit(undefined), policy)
      for (const some of steps) {
        const fresh = catalogOf(some, policy)
        const list = serversOf(some)
        for (let count = 0; count <= list.length; count += 1) catalog.show(list.slice(0, count))
        const shown = catalog.tools.map(({ name, uri }) => [name, uri])
        expect(shown).toEqual(fresh.tools.map(({ name, uri }) => [name, uri]))
        for (const tool of catalog.tools) expect(catalog.find(tool.name)).toBe(tool)
      }
    }),
    { numRuns: Math.ceil(runs / 3) },
  )
})

test.each([
  [{ separator: '-', sanitize: 'kebab' }, ['filesystem', 'read_file'], 'filesystem-read-file'],
  [{ separator: '-', sanitize: 'kebab' }, ['My Server!', '__Do  It__'], 'my-server-do-it'],
  [{ separator: '_', sanitize: 'namespace-only' }, ['my-server', 'read-file'], 'my_server_read-file'],
  [{ separator: '_', sanitize: 'namespace-only' }, ['file.system', 'x'], 'file_system_x'],
  [{ separator: '.', sanitize: 'none' }, ['docs', 'look up'], 'docs.look up'],
  [{ separator: 'none', sanitize: 'none' }, ['docs', 'lookup'], 'lookup'],
  [{ separator: '__', sanitize: 'namespace-only' }, ['my-server', 'get.it'], 'my_server__get.it'],
  [{ separator: '.', sanitize: 'none' }, ['ファイル', '読む'], 'ファイル.読む'],
] as const)(
  '%o names %o as %s [S0-16] [S0-17] [S0-18] [S0-19] [S0-20] [S1-7] [S1-22] [S1-25] [S3-22] [D1] [D2]',
  (naming, [server, tool], name) => {
    expect(nameTools([{ server, tool }], namingPolicy(naming))).toEqual([{ name, hasCollided: false }])
  },
)

test('a name in another script that a style cannot write carries a hash [C13]', () => {
  const [kebab] = nameTools(
    [{ server: 'ファイル', tool: '読む' }],
    namingPolicy({ separator: '-', sanitize: 'kebab' }),
  )
  expect(kebab?.name).toMatch(/^server-tool-[0-9a-f]{8}$/)
})

test('a name is never cut through a character', () => {
  const [named] = nameTools([{ server: 's', tool: '😀'.repeat(60) }], namingPolicy({ sanitize: 'none' }))
  expect(named?.name).toMatch(/^s__(😀){26}_[0-9a-f]{8}$/u)
})

test('a length without room for a hash is refused', () => {
  expect(() => namingPolicy({ maxLength: 12 })).toThrow(RangeError)
  expect(() => namingPolicy({ maxLength: Number.NaN })).toThrow(RangeError)
})

function collide(onCollision: NamingPolicy['onCollision']): {
  readonly names: readonly string[]
  readonly told: readonly string[]
} {
  const events: BridgeEvent[] = []
  const catalog = new Catalog(
    createEmit((event) => events.push(event)),
    { onCollision },
  )
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }]
  catalog.show([
    { name: 'my_server', tools },
    { name: 'my-server', tools },
  ])
  return {
    names: catalog.tools.map(({ name, server }) => `${server}: ${name}`),
    told: events.flatMap((event) => (event.type === 'diagnostic' ? [event.message] : [])),
  }
}

test('two servers with the same namespace keep all their tools under suffix [C13]', () => {
  const { names, told } = collide('suffix')
  expect(names.toSorted()).toEqual([
    expect.stringMatching(/^my-server: my_server__read_[0-9a-f]{8}$/),
    expect.stringMatching(/^my_server: my_server__read_[0-9a-f]{8}$/),
  ])
  expect(told).toHaveLength(2)
})

test('of two servers with the same namespace the first by name wins under first-wins', () => {
  const { names, told } = collide('first-wins')
  expect(names).toEqual(['my-server: my_server__read'])
  expect(told).toContain(
    'server "my_server": its tool "read" shares its name with another: it was left out; rename a server',
  )
})

test('tools that collide are not offered at all under error', () => {
  const { names, told } = collide('error')
  expect(names).toEqual([])
  expect(told).toHaveLength(2)
})

test('each server is named as its own definition says, unless one style is chosen for all', () => {
  const tools = [{ name: 'read_file', inputSchema: { type: 'object' } }]
  const servers = [
    { name: 'kebab', tools, filter: { policy: { 'naming.separator': '-', 'naming.sanitize': 'kebab' } } },
    { name: 'dotted', tools, filter: { policy: { 'naming.separator': '.', 'naming.sanitize': 'none' } } },
    { name: 'usual', tools },
  ] as const
  const own = new Catalog(createEmit(undefined))
  own.show(servers)
  expect(own.tools.map(({ name }) => name)).toEqual([
    'dotted.read_file',
    'kebab-read-file',
    'usual__read_file',
  ])
  expect(own.find('kebab-read-file')?.plainNames).toEqual(['kebab-read-file', 'kebab__read_file'])
  const chosen = new Catalog(createEmit(undefined), { separator: '_', sanitize: 'identifier' })
  chosen.show(servers)
  expect(chosen.tools.map(({ name }) => name)).toEqual([
    'dotted_read_file',
    'kebab_read_file',
    'usual_read_file',
  ])
})

test('where styles differ about collisions, each tool is treated as its own says', () => {
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }]
  const named = (name: string, onCollision: 'error' | 'suffix' | 'first-wins') =>
    ({ name, tools, filter: { policy: { 'naming.onCollision': onCollision } } }) as const
  const catalog = new Catalog(createEmit(undefined))
  catalog.show([
    named('a-b', 'error'),
    named('a.b', 'suffix'),
    named('a b', 'first-wins'),
    named('a/b', 'first-wins'),
  ])
  expect(catalog.tools.map(({ server, name }) => `${server}: ${name}`)).toEqual([
    'a b: a_b__read',
    expect.stringMatching(/^a\.b: a_b__read_[0-9a-f]{8}$/),
  ])
})

test.each([
  ['core-agent', 'a_b_read.me'],
  ['yaaf', 'a b.read.me'],
])('the names of %s are made with its own separator', (dialect, name) => {
  const preset = dialects.find((each) => each.name === dialect)?.preset
  expect(plainName({ server: 'a b', tool: 'read.me' }, namingOf(preset, {}))).toBe(name)
})

test.each([
  ['agent-apps', 'my-server-read-file'],
  ['core-agent', 'my_server_read_file'],
  ['yaaf', 'my-server.read_file'],
])('in the style of %s, the tool %s can only be of the server that it names', (dialect, tool) => {
  const { preset = {} } = dialects.find(({ name }) => name === dialect) ?? {}
  expect(mayHaveTool({ name: 'my-server', preset }, tool)).toBe(true)
  expect(mayHaveTool({ name: 'other', preset }, tool)).toBe(false)
})

test('the naming of a definition goes before that of its host, and that of the bridge before both', () => {
  const server = {
    name: 'files',
    preset: { 'naming.separator': '.' },
    policy: { 'naming.separator': '-' },
  } as const
  const names = ['files.read', 'files-read', 'files_read']
  expect(names.map((name) => mayHaveTool(server, name))).toEqual([false, true, false])
  expect(names.map((name) => mayHaveTool(server, name, { separator: '_' }))).toEqual([false, false, true])
})
