import { createSyncStore, type GatewayClient, type SettingsStorage, type SyncStore } from '@toolbridge/react'
import { expect, test } from 'vitest'
import { type Person, useGateway } from './gateway.ts'
import { memoryStorage } from './memory-storage.ts'

// Disabled, so that the gateway starts nothing.
const echo = { command: 'echo', args: ['--verbose'], disabled: true }
const changedEcho = { command: 'echo', args: ['--debug'], disabled: true }
const clock = { url: 'https://clock.example/mcp', disabled: true }
const changedClock = { url: 'https://clock.example/v2', disabled: true }

const newPerson = useGateway()

test('changes of two tabs that have not heard of each other are both kept and saved [S2-65]', async () => {
  const person = newPerson()
  await person.save({ echo, clock })
  const [left, right] = await openTabs(person)
  left.setLocal({ echo: changedEcho, clock })
  right.setLocal({ echo, clock, added: clock })
  expect(right.getSnapshot().mcpServers).toEqual({ echo: changedEcho, clock, added: clock })
  left.setLocal({ echo: changedEcho })
  expect(await right.saveToBackend()).toMatchObject({ status: 'ready', version: 2 })
  expect((await person.saved()).mcpServers).toEqual({ echo: changedEcho, added: clock })
})

test('a tab saves on top of the version that another tab saved [S2-65] [S2-91]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const [left, right] = await openTabs(person)
  left.setLocal({ echo: changedEcho })
  await left.saveToBackend()
  right.setLocal({ echo, clock })
  expect(await right.saveToBackend()).toMatchObject({ status: 'ready', version: 3, hasUnsavedChanges: false })
  expect((await person.saved()).mcpServers).toEqual({ echo: changedEcho, clock })
})

test('a save that another tab overtook is no conflict [S2-91]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const storage = memoryStorage()
  const [left] = await openTabs(person, storage)
  const saveConfig: GatewayClient['saveConfig'] = async (...request) => {
    await left.saveToBackend()
    return person.client.saveConfig(...request)
  }
  const right = createSyncStore({ client: { ...person.client, saveConfig }, storage })
  right.setLocal({ echo, clock })
  expect(await right.saveToBackend()).toMatchObject({
    status: 'ready',
    version: 2,
    hasUnsavedChanges: false,
    conflict: null,
    error: null,
  })
  expect(await person.saved()).toEqual({ mcpServers: { echo, clock }, version: 2 })
})

test('a tab that opens leaves the unsaved changes of another [S2-65]', async () => {
  const person = newPerson()
  await person.save({ echo, clock })
  const storage = memoryStorage()
  const [first] = await openTabs(person, storage)
  first.setLocal({ echo: changedEcho })
  const [second] = await openTabs(person, storage)
  expect(second.getSnapshot()).toEqual(
    expect.objectContaining({ mcpServers: { echo: changedEcho }, hasUnsavedChanges: true }),
  )
  expect(await first.loadFromBackend()).toEqual(
    expect.objectContaining({ mcpServers: { echo: changedEcho }, replaced: {} }),
  )
})

test('a server that two tabs changed at once is shown as replaced in the later one [S2-65]', async () => {
  const person = newPerson()
  await person.save({ clock })
  const [left, right] = await openTabs(person)
  left.setLocal({ clock: changedClock })
  right.setLocal({ clock: { ...clock, disabled: false } })
  expect(right.getSnapshot()).toEqual(
    expect.objectContaining({
      mcpServers: { clock: { ...clock, disabled: false } },
      replaced: { clock: changedClock },
    }),
  )
})

test('settings that could not be stored stay in the tab, and are stored with the next change', async () => {
  const person = newPerson()
  const storage = memoryStorage()
  let isFull = true
  const limited: SettingsStorage = {
    getItem: storage.getItem,
    setItem(key, text) {
      if (isFull) throw new DOMException('the quota has been exceeded', 'QuotaExceededError')
      storage.setItem(key, text)
    },
  }
  const store = createSyncStore({ client: person.client, storage: limited })
  store.setLocal({ echo })
  expect(store.getSnapshot()).toEqual(
    expect.objectContaining({
      mcpServers: { echo },
      error: expect.objectContaining({ code: 'local_not_written' }),
    }),
  )
  isFull = false
  store.setLocal({ echo, clock })
  expect(store.getSnapshot().error).toBeNull()
  expect(storage.read('toolbridge.mcp')).toEqual(expect.objectContaining({ mcpServers: { echo, clock } }))
})

/** Opens two tabs that share a storage. Without storage events, as in the moment before one arrives. */
async function openTabs(person: Person, storage = memoryStorage()): Promise<[SyncStore, SyncStore]> {
  const [left, right] = [storage, storage].map((each) =>
    createSyncStore({ client: person.client, storage: each }),
  )
  if (left === undefined || right === undefined) throw new Error('there are two')
  await left.loadFromBackend()
  await right.loadFromBackend()
  return [left, right]
}
