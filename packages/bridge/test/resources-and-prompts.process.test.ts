import { type Bridge, type BridgeEvent, openBridge } from '@toolbridge/bridge'
import { afterEach, expect, test } from 'vitest'
import { inMemory } from './servers/in-memory.ts'
import { fixture, permissive, plainServer } from './servers/specs.ts'

let bridge: Bridge
const events: BridgeEvent[] = []
afterEach(() => bridge.close())

async function open(...servers: Parameters<typeof permissive>[0] & readonly unknown[]): Promise<void> {
  events.length = 0
  bridge = await openBridge({ ...permissive(servers), journal: (event) => events.push(event) })
}

function changes(type: BridgeEvent['type']): readonly number[] {
  return events.flatMap((event) => (event.type === type && 'count' in event ? [event.count] : []))
}

test('resources, templates and prompts of all servers are lists, by server', async () => {
  await open(plainServer('b'), plainServer('a'), inMemory('hello'))
  const resources = await bridge.resources.list()
  expect(resources.map(({ server, definition }) => `${server} ${definition.uri}`)).toEqual([
    'a memo://a',
    'a memo://b',
    'b memo://a',
    'b memo://b',
  ])
  expect(await bridge.resources.templates()).toMatchObject([{ server: 'a' }, { server: 'b' }])
  expect((await bridge.prompts.list()).map(({ server, definition }) => [server, definition.name])).toEqual([
    ['a', 'review'],
    ['b', 'review'],
  ])
})

test('reading, getting and completing reach the server that is named', async () => {
  await open(plainServer('a'), plainServer('b'))
  expect(await bridge.resources.read('b', 'memo://a')).toMatchObject({
    contents: [{ text: 'b has memo://a' }],
  })
  expect(await bridge.prompts.get('a', 'review')).toMatchObject({
    messages: [{ content: { text: 'a says review' } }],
  })
  const argument = { name: 'title', value: 'em' }
  expect(
    await bridge.prompts.complete('a', { ref: { type: 'ref/prompt', name: 'review' }, argument }),
  ).toMatchObject({ values: ['em!'] })
  await expect(bridge.resources.read('nobody', 'memo://a')).rejects.toThrow('there is no server "nobody"')
})

test('lists that change are read again into the same arrays, once somebody wanted them', async () => {
  await open(plainServer('a'))
  const { tools } = bridge
  const prompts = await bridge.prompts.list()
  expect(changes('resources.changed')).toEqual([])
  await bridge.call('a__grow')
  await expect.poll(() => [tools.length, prompts.length]).toEqual([5, 2])
  expect(bridge.tools).toBe(tools)
  expect(await bridge.prompts.list()).toBe(prompts)
  expect([changes('tools.changed'), changes('prompts.changed')]).toEqual([
    [4, 5],
    [1, 2],
  ])
  expect(changes('resources.changed')).toEqual([])
  expect(await bridge.resources.list()).toHaveLength(3)
})

test('a server whose list cannot be read is left out and named', async () => {
  await open(plainServer('a', { LISTS_FAIL: 'yes' }), plainServer('b'))
  expect((await bridge.resources.list()).map(({ server }) => server)).toEqual(['b', 'b'])
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'diagnostic', code: 'list_unread', server: 'a' }),
  )
})

test.each(['modern', 'legacy'])('a change is told by a server of the %s era', async (era) => {
  await open(fixture('modern', 'changing', '--era', era))
  expect(bridge.status()[0]?.protocolVersion).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25')
  await bridge.call('changing__touch')
  await expect.poll(() => changes('tools.changed').length).toBe(2)
})

test('a server may have more resources than a function takes arguments', async () => {
  await open(plainServer('a', { MANY: '150000' }))
  const resources = await bridge.resources.list()
  expect(resources).toHaveLength(150_002)
  expect(resources[0]).toMatchObject({ server: 'a', definition: { uri: 'memo://0' } })
})
