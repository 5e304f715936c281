import { createGatewayClient, createSyncStore, type SyncStoreOptions } from '@toolbridge/react'
import { expect, test } from 'vitest'
import { memoryStorage } from './memory-storage.ts'
import { type SettingsServer, startSettingsServer } from './settings-server.ts'

const echo = { command: 'echo', args: ['one'] }
const changedEcho = { command: 'echo', args: ['two'] }
const clock = { url: 'https://clock.example/mcp' }

test('nothing is sent to the backend before a save', async () => {
  await using server = await startSettingsServer()
  const store = openStore(server, { storage: memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } }) })
  await store.loadFromBackend()
  expect(server.saved).toEqual([])
})

test('a saved secret leaves the browser: a reference to it stays', async () => {
  await using server = await startSettingsServer()
  const storage = memoryStorage()
  const store = openStore(server, { storage })
  store.setLocal({ echo: { ...echo, env: { TOKEN: 'hush' } } })
  const saved = await store.saveToBackend()
  expect(server.saved).toEqual([{ echo: { ...echo, env: { TOKEN: 'hush' } } }])
  expect(saved).toMatchObject({ status: 'ready', version: 1, hasUnsavedChanges: false })
  expect(storage.read('toolbridge.mcp')).toEqual({
    mcpServers: { echo: { ...echo, env: { TOKEN: { kept: 1 } } } },
    unsaved: [],
  })
})

test('removing the last server can be saved', async () => {
  await using server = await startSettingsServer([{ echo }])
  const store = openStore(server, {})
  await store.loadFromBackend()
  store.setLocal({})
  expect(await store.saveToBackend()).toMatchObject({ mcpServers: {}, version: 2, hasUnsavedChanges: false })
})

test('a change made while a save travels is kept and still unsaved', async () => {
  await using server = await startSettingsServer()
  const store = openStore(server, {})
  store.setLocal({ echo, clock })
  server.respond = (request, response) => {
    server.respond = undefined
    store.setLocal({ echo: changedEcho })
    server.serve(request, response)
  }
  expect(await store.saveToBackend()).toMatchObject({
    mcpServers: { echo: changedEcho },
    hasUnsavedChanges: true,
  })
  expect(server.saved).toEqual([{ echo, clock }])
})

test('a save that somebody else overtook is a conflict that shows both sides', async () => {
  await using server = await startSettingsServer([{ echo }])
  const store = openStore(server, {})
  await store.loadFromBackend()
  server.saved.push({ clock })
  store.setLocal({ echo: changedEcho })
  const snapshot = await store.saveToBackend()
  expect(snapshot).toMatchObject({
    status: 'conflict',
    mcpServers: { echo: changedEcho },
    conflict: { version: 2, mcpServers: { clock } },
    error: { kind: 'conflict', code: 'version_conflict' },
  })
  expect(server.saved).toHaveLength(2)
})

test('a conflict that ends with mine saves mine on top of theirs', async () => {
  await using server = await startSettingsServer()
  const store = await conflictedStore(server)
  expect(await store.resolveConflict('mine')).toMatchObject({ status: 'ready', version: 2, conflict: null })
  expect(server.saved).toEqual([{ echo }, { echo: changedEcho }])
})

test('a conflict that ends with theirs takes theirs and shows what it replaced', async () => {
  await using server = await startSettingsServer()
  const store = await conflictedStore(server)
  expect(await store.resolveConflict('theirs')).toMatchObject({
    status: 'ready',
    mcpServers: { echo },
    replaced: { echo: changedEcho },
    conflict: null,
  })
})

test('a save before any load never overwrites what is already there', async () => {
  await using server = await startSettingsServer([{ clock }])
  const store = openStore(server, {})
  store.setLocal({ echo })
  expect((await store.saveToBackend()).status).toBe('conflict')
  expect(server.saved).toEqual([{ clock }])
})

test('local settings migrate to an untouched backend, once [C4] [S2-88]', async () => {
  await using server = await startSettingsServer()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  const store = openStore(server, { storage, migrateLocal: true })
  expect(await store.loadFromBackend()).toMatchObject({
    status: 'ready',
    version: 1,
    hasUnsavedChanges: false,
  })
  await store.loadFromBackend()
  expect(server.saved).toEqual([{ echo }])
})

test('of two browsers that migrate at the same time, the second is told of a conflict', async () => {
  await using server = await startSettingsServer()
  const client = createGatewayClient({ baseUrl: server.url })
  const bothHaveRead = meeting(2)
  const readConfig = async () => {
    const answer = await client.readConfig()
    await bothHaveRead()
    return answer
  }
  const stores = [echo, clock].map((entry) => {
    const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { entry } } })
    return createSyncStore({ client: { ...client, readConfig }, storage, migrateLocal: true })
  })
  const outcomes = await Promise.all(stores.map((store) => store.loadFromBackend()))
  expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['conflict', 'ready'])
  expect(server.saved).toHaveLength(1)
})

/** Those who come wait until there are so many of them. */
function meeting(count: number): () => Promise<void> {
  let missing = count
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    missing -= 1
    if (missing === 0) open()
    return isOpen
  }
}

async function conflictedStore(server: SettingsServer) {
  const store = openStore(server, {})
  store.setLocal({ echo: changedEcho })
  server.saved.push({ echo })
  await store.saveToBackend()
  return store
}

function openStore(server: SettingsServer, options: Omit<SyncStoreOptions, 'client'>) {
  return createSyncStore({ client: createGatewayClient({ baseUrl: server.url }), ...options })
}
