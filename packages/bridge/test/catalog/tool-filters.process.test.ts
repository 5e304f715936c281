import { openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type FilteredDefinition, toolFilter } from '../../src/catalog/tool-filter.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import type { BridgeEvent } from '../../src/journal/events/events.ts'
import { fixture, permissive } from '../servers/specs.ts'

function offered(filter: FilteredDefinition): readonly string[] {
  const names = ['read', 'read_all', 'write', 'wipe']
  return names.filter((name) =>
    toolFilter(filter)({
      name,
      inputSchema: { type: 'object' },
      ...(name.startsWith('read') ? { annotations: { readOnlyHint: true } } : {}),
    }),
  )
}

test('an allow list lets only what it names through, a deny list everything else, and deny wins', () => {
  expect(offered({})).toEqual(['read', 'read_all', 'write', 'wipe'])
  expect(offered({ tools: { allow: ['read*'] } })).toEqual(['read', 'read_all'])
  expect(offered({ tools: { deny: ['w*'] } })).toEqual(['read', 'read_all'])
  expect(offered({ tools: { allow: ['*'], deny: ['read'] } })).toEqual(['read_all', 'write', 'wipe'])
  expect(offered({ tools: { allow: [] } })).toEqual([])
})

test('a read-only server offers only what it annotates as reading [C21]', () => {
  expect(offered({ readOnly: true })).toEqual(['read', 'read_all'])
  expect(offered({ readOnly: true, tools: { deny: ['read'] } })).toEqual(['read_all'])
  expect(offered({ readOnly: false })).toHaveLength(4)
})

test('a changed filter takes effect although the server lists the same, and says how many it holds back', () => {
  const events: BridgeEvent[] = []
  const catalog = new Catalog(createEmit((event) => events.push(event)))
  const tools = ['a', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  catalog.show([{ name: 's', tools }])
  expect(catalog.tools.map(({ rawName }) => rawName)).toEqual(['a', 'b'])
  catalog.show([{ name: 's', tools, filter: { tools: { deny: ['a'] } } }])
  expect(catalog.tools.map(({ rawName }) => rawName)).toEqual(['b'])
  expect(events).toEqual([
    expect.objectContaining({
      code: 'tools_filtered',
      message: 'server "s": 1 of its 2 tools is left out by the filters of its definition',
    }),
  ])
})

test('a filtered tool is not listed and cannot be called by name or address', async () => {
  await using bridge = await openBridge(
    permissive([{ ...fixture('hello'), tools: { allow: ['h*'], deny: ['nothing'] } }]),
  )
  expect(bridge.tools.map(({ name }) => name)).toEqual(['hello__hello'])
  for (const identity of ['hello__repeat', 'mcp://hello/repeat', 'repeat'])
    await expect(bridge.call(identity, { text: 'x' })).rejects.toThrow(`there is no tool "${identity}"`)
  expect(bridge.tool('mcp://hello/repeat')).toBeUndefined()
})
