import {
  createGatewayClient,
  createSyncStore,
  LocalSettingsError,
  type SyncStoreOptions,
} from '@toolbridge/react'
import { expect, test } from 'vitest'
import { memoryStorage } from './memory-storage.ts'
import { type SettingsServer, send, startSettingsServer } from './settings-server.ts'

const echo = { command: 'echo', args: ['one'] }
const changedEcho = { command: 'echo', args: ['two'] }
const clock = { url: 'https://clock.example/mcp' }

test('an empty backend leaves local settings as they are [d.6-6] [S2-86]', async () => {
  await using server = await startSettingsServer()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  const store = openStore(server, { storage })
  expect(await store.loadFromBackend()).toMatchObject({
    status: 'ready',
    mcpServers: { echo },
    hasUnsavedChanges: true,
  })
  expect(storage.read('toolbridge.mcp')).toEqual({ mcpServers: { echo }, unsaved: ['echo'] })
})

test('a backend that was emptied elsewhere leaves local settings as they are', async () => {
  await using server = await startSettingsServer([{ echo }, {}])
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo }, unsaved: [] } })
  const store = openStore(server, { storage, migrateLocal: true })
  expect(await store.loadFromBackend()).toMatchObject({ mcpServers: { echo }, version: 2 })
  expect(server.saved).toHaveLength(2)
})

test('the backend wins for each server it has, and local ones it never had stay [S2-83]', async () => {
  await using server = await startSettingsServer([{ echo }])
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: changedEcho, clock } } })
  const snapshot = await openStore(server, { storage }).loadFromBackend()
  expect(snapshot.mcpServers).toEqual({ echo, clock })
  expect(snapshot.hasUnsavedChanges).toBe(true)
})

test('a local change that lost against the backend is shown', async () => {
  await using server = await startSettingsServer([{ echo }])
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: changedEcho } } })
  expect((await openStore(server, { storage }).loadFromBackend()).replaced).toEqual({ echo: changedEcho })
})

test('a server that was removed elsewhere goes away here too', async () => {
  await using server = await startSettingsServer([{ echo, clock }])
  const store = openStore(server, { storage: memoryStorage() })
  await store.loadFromBackend()
  server.saved.push({ clock })
  expect((await store.loadFromBackend()).mcpServers).toEqual({ clock })
})

test('when the backend cannot be reached, local settings still work and the error says so', async () => {
  const server = await startSettingsServer()
  await server[Symbol.asyncDispose]()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  const snapshot = await openStore(server, { storage }).loadFromBackend()
  expect(snapshot).toMatchObject({ status: 'failed', mcpServers: { echo }, error: { kind: 'unreachable' } })
})

test('stored settings that cannot be read are reported and left alone until new ones are set', async () => {
  await using server = await startSettingsServer([{ clock }])
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo: { command: 7 } } } })
  const store = openStore(server, { storage })
  const loaded = await store.loadFromBackend()
  expect(loaded.error).toBeInstanceOf(LocalSettingsError)
  expect(loaded.mcpServers).toEqual({ clock })
  expect(storage.read('toolbridge.mcp')).toEqual({ mcpServers: { echo: { command: 7 } } })
  store.setLocal({ clock, echo })
  expect(storage.read('toolbridge.mcp')).toEqual({ mcpServers: { clock, echo }, unsaved: ['echo'] })
  expect(store.getSnapshot().error).toBeNull()
})

test('an aborted load changes nothing', async () => {
  await using server = await startSettingsServer([{ echo }])
  const arrived = new Promise<void>((resolve) => {
    server.respond = () => resolve()
  })
  const controller = new AbortController()
  const store = openStore(server, {})
  const loading = store.loadFromBackend({ signal: controller.signal })
  await arrived
  controller.abort()
  expect(await loading).toMatchObject({ status: 'idle', mcpServers: {}, error: null })
})

test('each change is told to those who subscribed, until they leave', async () => {
  await using server = await startSettingsServer([{ echo }])
  const store = openStore(server, {})
  const seen: string[] = []
  const leave = store.subscribe(() => seen.push(store.getSnapshot().status))
  await store.loadFromBackend()
  leave()
  await store.loadFromBackend()
  expect(seen).toEqual(['loading', 'ready'])
})

test('an answer that is no problem document is still an error with its status', async () => {
  await using server = await startSettingsServer()
  server.respond = (_request, response) => send(response, 500, {})
  const { error } = await openStore(server, {}).loadFromBackend()
  expect(error?.message).toBe('the gateway answered with status 500')
})

function openStore(server: SettingsServer, options: Omit<SyncStoreOptions, 'client'>) {
  return createSyncStore({ client: createGatewayClient({ baseUrl: server.url }), ...options })
}
