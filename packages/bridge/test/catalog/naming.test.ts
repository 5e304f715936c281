import { type ToolPair, nameTools } from '@toolbridge/client/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { toolUri } from '../../src/catalog/tool-uri.ts'
import type { BridgeEvent } from '../../src/journal/events/events.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { anyCharacter } from '../../../client/test/support/any-character.ts'

function names(...pairs: readonly (readonly [string, string])[]): readonly (string | undefined)[] {
  return nameTools(pairs.map(([server, tool]) => ({ server, tool }))).map(({ name }) => name)
}

/** Parts that are likely to collide once they are sanitised, cut or joined. */
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', ' ', '読', 'é', '/'), maxLength: 5 }),
  fc.string({ unit: fc.constantFrom('a', '_', '-'), minLength: 28, maxLength: 70 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
)
const pairs = fc.uniqueArray(fc.record({ server: part, tool: part }), {
  selector: ({ server, tool }) => JSON.stringify([server, tool]),
  maxLength: 30,
})

test('names are unique, short and made of characters that every model takes [S1-24] [C13]', () => {
  fc.assert(
    fc.property(pairs, (some) => {
      const given = nameTools(some).map(({ name }) => name)
      expect(new Set(given).size).toBe(some.length)
      for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_]{1,64}$/)
    }),
  )
})

test('names do not depend on the order of the tools', () => {
  const byPair = (some: readonly ToolPair[]): ReadonlyMap<string, string | undefined> => {
    const given = nameTools(some)
    return new Map(some.map((pair, index) => [JSON.stringify(pair), given[index]?.name]))
  }
  fc.assert(
    fc.property(pairs, (some) => {
      const forwards = byPair(some)
      for (const [pair, name] of byPair(some.toReversed())) expect(forwards.get(pair)).toBe(name)
    }),
  )
})

test('a name is the server and the tool, joined by two underscores', () => {
  expect(names(['files', 'read_file'], ['my-server', 'a.b'])).toEqual(['files__read_file', 'my_server__a_b'])
})

test('a name that is too long is cut and ends in a hash of the raw pair [D3] [C13]', () => {
  const [name] = names(['server', 'x'.repeat(80)])
  expect(name).toMatch(/^server__x{47}_[0-9a-f]{8}$/)
  expect(names(['other', 'y'], ['server', 'x'.repeat(80)])[1]).toBe(name)
})

test('names in other scripts get a hash of their own, whatever else there is', () => {
  const [read, write] = names(['ファイル', '読む'], ['ファイル', '書く'])
  expect(read).toMatch(/^server__tool_[0-9a-f]{8}$/)
  expect(write).toMatch(/^server__tool_[0-9a-f]{8}$/)
  expect(names(['ファイル', '読む'])).toEqual([read])
})

test('of tools that collide none keeps the plain name, and the journal says so once', () => {
  const events: BridgeEvent[] = []
  const catalog = new Catalog(createEmit((event) => events.push(event)))
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
  const servers = [{ name: 's', tools: [tool('read-file'), tool('read_file'), tool('other'), tool('other')] }]
  catalog.show(servers)
  catalog.show(servers)
  const [hashed, alsoHashed, plain, ...rest] = catalog.tools
    .map(({ name }) => name)
    .toSorted()
    .toReversed()
  expect([hashed, alsoHashed]).toEqual([
    expect.stringMatching(/^s__read_file_[0-9a-f]{8}$/),
    expect.stringMatching(/^s__read_file_[0-9a-f]{8}$/),
  ])
  expect(plain).toBe('s__other')
  expect(rest).toEqual([])
  expect(events.map((event) => (event.type === 'diagnostic' ? event.code : event.type))).toEqual([
    'tool_repeated',
    'tool_name_collision',
    'tool_name_collision',
  ])
})

test('the list of tools is one array, sorted by name, and a tool is found by name and by address', () => {
  const catalog = new Catalog(createEmit(undefined))
  const { tools } = catalog
  const definition = { name: 'say hello*', inputSchema: { type: 'object' } }
  catalog.show([
    { name: 'z', tools: [definition] },
    { name: 'a/b', tools: [definition] },
  ])
  expect(catalog.tools).toBe(tools)
  expect(tools.map(({ name, uri }) => [name, uri])).toEqual([
    ['a_b__say_hello_', 'mcp://a%2Fb/say%20hello%2A'],
    ['z__say_hello_', 'mcp://z/say%20hello%2A'],
  ])
  expect(catalog.find('z__say_hello_')).toBe(tools[1])
  expect(catalog.find(toolUri('z', 'say hello*'))).toBe(tools[1])
  catalog.show([])
  expect(tools).toEqual([])
  expect(catalog.find('z__say_hello_')).toBeUndefined()
})
