import { createGatewayClient, createSyncStore, LocalSettingsError } from '@toolbridge/react'
import { expect, test } from 'vitest'
import { useGateway } from './gateway.ts'
import { memoryStorage } from './memory-storage.ts'
import { send, startStubServer } from './stub-server.ts'

// Disabled, so that the gateway starts nothing.
const echo = { command: 'echo', args: ['--verbose'], disabled: true }
const changedEcho = { command: 'echo', args: ['--debug'], disabled: true }
const clock = { url: 'https://clock.example/mcp', disabled: true }

const newPerson = useGateway()

test('an empty backend leaves local settings as they are [d.6-6] [S2-86]', async () => {
  const { client } = newPerson()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  const store = createSyncStore({ client, storage })
  expect(await store.loadFromBackend()).toEqual(
    expect.objectContaining({
      status: 'ready',
      mcpServers: { echo },
      hasUnsavedChanges: true,
    }),
  )
  expect(storage.read('toolbridge.mcp')).toEqual(
    expect.objectContaining({ mcpServers: { echo }, unsaved: ['echo'] }),
  )
})

test('a backend that was emptied elsewhere leaves local settings as they are', async () => {
  const person = newPerson()
  await person.save({ echo })
  await person.save({})
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo }, unsaved: [], version: 1 } })
  const store = createSyncStore({ client: person.client, storage, migrateLocal: true })
  expect(await store.loadFromBackend()).toEqual(expect.objectContaining({ mcpServers: { echo }, version: 2 }))
  expect(await person.saved()).toEqual({ mcpServers: {}, version: 2 })
})

test('the backend wins for each server it has, and local ones it never had stay [S2-83]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: changedEcho, clock } } })
  const snapshot = await createSyncStore({ client: person.client, storage }).loadFromBackend()
  expect(snapshot.mcpServers).toEqual({ echo, clock })
  expect(snapshot.hasUnsavedChanges).toBe(true)
})

test('a local change that lost against the backend is shown until the next change [S2-65]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: changedEcho } } })
  const store = createSyncStore({ client: person.client, storage })
  expect((await store.loadFromBackend()).replaced).toEqual({ echo: changedEcho })
  expect((await store.loadFromBackend()).replaced).toEqual({ echo: changedEcho })
  expect(createSyncStore({ client: person.client, storage }).getSnapshot().replaced).toEqual({
    echo: changedEcho,
  })
  store.setLocal({ echo })
  expect(store.getSnapshot().replaced).toEqual({})
})

test('an unsaved change stays as long as nobody else saves [S2-65]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const store = createSyncStore({ client: person.client })
  await store.loadFromBackend()
  store.setLocal({ echo: changedEcho })
  expect(await store.loadFromBackend()).toEqual(
    expect.objectContaining({
      mcpServers: { echo: changedEcho },
      hasUnsavedChanges: true,
      replaced: {},
    }),
  )
  await person.save({ echo, clock })
  expect(await store.loadFromBackend()).toEqual(
    expect.objectContaining({
      mcpServers: { echo, clock },
      hasUnsavedChanges: false,
      replaced: { echo: changedEcho },
    }),
  )
})

test('a server that was removed elsewhere goes away here too', async () => {
  const person = newPerson()
  await person.save({ echo, clock })
  const store = createSyncStore({ client: person.client, storage: memoryStorage() })
  await store.loadFromBackend()
  await person.save({ clock })
  expect((await store.loadFromBackend()).mcpServers).toEqual({ clock })
})

test('a server that was removed here does not come back with a load, and a save removes it there [S2-65]', async () => {
  const person = newPerson()
  await person.save({ echo, clock })
  const storage = memoryStorage()
  const store = createSyncStore({ client: person.client, storage })
  await store.loadFromBackend()
  store.setLocal({ clock })
  expect(await store.loadFromBackend()).toEqual(
    expect.objectContaining({ mcpServers: { clock }, hasUnsavedChanges: true }),
  )
  await person.save({ echo, clock, another: clock })
  const later = createSyncStore({ client: person.client, storage })
  expect((await later.loadFromBackend()).mcpServers).toEqual({ clock, another: clock })
  expect(await later.saveToBackend()).toMatchObject({ status: 'ready', hasUnsavedChanges: false })
  expect((await person.saved()).mcpServers).toEqual({ clock, another: clock })
})

test.each([
  ['as it is', { mcpServers: { echo } }],
  ['in the form of zustand', { state: { config: { mcpServers: { echo } } }, version: 0 }],
])(
  'settings under mcp_servers_config, %s, are the first local settings, and stay there [S2-13] [S2-86]',
  async (_, old) => {
    const { client } = newPerson()
    const storage = memoryStorage({ mcp_servers_config: old })
    const store = createSyncStore({ client, storage })
    expect(store.getSnapshot()).toEqual(
      expect.objectContaining({ mcpServers: { echo }, hasUnsavedChanges: true, version: 0 }),
    )
    await store.loadFromBackend()
    store.setLocal({ clock })
    expect(createSyncStore({ client, storage }).getSnapshot().mcpServers).toEqual({ clock })
    expect(storage.read('mcp_servers_config')).toEqual(old)
  },
)

test('when the backend cannot be reached, local settings still work and the error says so [S2-85]', async () => {
  const server = await startStubServer()
  await server[Symbol.asyncDispose]()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  const client = createGatewayClient({ baseUrl: server.url })
  const snapshot = await createSyncStore({ client, storage }).loadFromBackend()
  expect(snapshot).toEqual(
    expect.objectContaining({
      status: 'failed',
      mcpServers: { echo },
      error: expect.objectContaining({ kind: 'unreachable' }),
    }),
  )
})

test('stored settings that cannot be read are reported and left alone until new ones are set', async () => {
  const person = newPerson()
  await person.save({ clock })
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: { command: 7 } } } })
  const store = createSyncStore({ client: person.client, storage })
  const loaded = await store.loadFromBackend()
  expect(loaded.error).toBeInstanceOf(LocalSettingsError)
  expect(loaded.mcpServers).toEqual({ clock })
  expect(storage.read('toolbridge.mcp')).toEqual({ mcpServers: { echo: { command: 7 } } })
  store.setLocal({ clock, echo })
  expect(storage.read('toolbridge.mcp')).toEqual(
    expect.objectContaining({ mcpServers: { clock, echo }, unsaved: ['echo'] }),
  )
  expect(store.getSnapshot().error).toBeNull()
})

test('an aborted load changes nothing', async () => {
  await using server = await startStubServer()
  const arrived = new Promise<void>((resolve) => {
    server.respond = () => resolve()
  })
  const controller = new AbortController()
  const store = createSyncStore({ client: createGatewayClient({ baseUrl: server.url }) })
  const loading = store.loadFromBackend({ signal: controller.signal })
  await arrived
  controller.abort()
  expect(await loading).toEqual(expect.objectContaining({ status: 'idle', mcpServers: {}, error: null }))
})

test('each change is told to those who subscribed, until they leave', async () => {
  const person = newPerson()
  await person.save({ echo })
  const store = createSyncStore({ client: person.client })
  const seen: string[] = []
  const leave = store.subscribe(() => seen.push(store.getSnapshot().status))
  await store.loadFromBackend()
  leave()
  await store.loadFromBackend()
  expect(seen).toEqual(['loading', 'ready'])
})

test('an answer that is no problem document is still an error with its status', async () => {
  await using server = await startStubServer()
  server.respond = (_request, response) => send(response, 500, {})
  const client = createGatewayClient({ baseUrl: server.url })
  const { error } = await createSyncStore({ client }).loadFromBackend()
  expect(error?.message).toBe('the gateway answered with status 500')
})
