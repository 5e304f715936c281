import { type Bridge, openBridge } from '@toolbridge/bridge'
import { memoryPinStore, type PinStore } from '@toolbridge/bridge/permissions'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

async function open(pins: PinStore): Promise<Bridge> {
  return openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', allow: ['mcp://hello/*'] },
    pins,
  })
}

/** A store in which what was approved differs from what the tools are. */
function outdated(): PinStore {
  const store = memoryPinStore()
  return {
    ...store,
    get: async (key) => {
      const pin = await store.get(key)
      return pin && { hash: 'another', definition: { ...pin.definition, description: 'as approved' } }
    },
  }
}

const commons = { tool: 'hello__hello', server: 'hello', rawName: 'hello' }

test('only pinned tools are listed, and none after their pin was removed', async () => {
  await using bridge = await open(memoryPinStore())
  expect(await bridge.pins.list()).toEqual([])
  await bridge.call('hello__hello')
  expect(await bridge.pins.list()).toEqual([{ ...commons, state: 'unchanged' }])
  expect(await bridge.pins.remove('hello__hello')).toBe(true)
  expect(await bridge.pins.remove('hello__hello')).toBe(false)
  expect(await bridge.pins.list()).toEqual([])
})

test('a call after the removal of a pin compares and pins the tool again', async () => {
  const pins = memoryPinStore()
  await using bridge = await open(pins)
  await bridge.call('hello__hello')
  await bridge.pins.remove('hello__hello')
  await bridge.call('hello__hello')
  expect(await bridge.pins.list()).toEqual([{ ...commons, state: 'unchanged' }])
})

test('a tool is pinned for one principal and not for another', async () => {
  await using bridge = await open(memoryPinStore())
  const origin = { principal: 'bob', conversation: 'one' }
  expect(await bridge.pins.accept('hello__hello')).toBe(true)
  expect(await bridge.pins.list({ origin })).toEqual([])
  expect(await bridge.pins.list()).toHaveLength(1)
})

test('a changed tool has a difference', async () => {
  await using bridge = await open(outdated())
  await bridge.pins.accept('hello__hello')
  const [pin] = await bridge.pins.list()
  expect(pin).toMatchObject({ ...commons, state: 'changed' })
  expect(pin?.change).toContain('- description: as approved')
})

test('a pin that cannot be read is listed as such', async () => {
  const broken: PinStore = { ...memoryPinStore(), get: () => Promise.reject(new Error('damaged')) }
  await using bridge = await open(broken)
  expect(await bridge.pins.list()).toContainEqual({ ...commons, state: 'unreadable' })
})

test('an unknown tool is neither accepted nor removed', async () => {
  await using bridge = await open(memoryPinStore())
  expect([await bridge.pins.accept('nothing'), await bridge.pins.remove('nothing')]).toEqual([false, false])
})
