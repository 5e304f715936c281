import { createSyncStore, type GatewayClient, GatewayError } from '@toolbridge/react'
import { canary } from '@toolbridge/testkit/secrets'
import { expect, test } from 'vitest'
import { type Person, useGateway } from './gateway.ts'
import { memoryStorage } from './memory-storage.ts'

// Disabled, so that the gateway starts nothing.
const echo = { command: 'echo', args: ['--verbose'], disabled: true }
const changedEcho = { command: 'echo', args: ['--debug'], disabled: true }
const clock = { url: 'https://clock.example/mcp', disabled: true }

const newPerson = useGateway()

test('nothing is sent to the backend before a save [S2-84] [S2-86]', async () => {
  const person = newPerson()
  const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { echo } } })
  await createSyncStore({ client: person.client, storage }).loadFromBackend()
  expect(await person.saved()).toEqual({ mcpServers: {} })
})

test('a saved secret leaves the browser: a reference to it stays [S2-87]', async () => {
  const person = newPerson()
  const storage = memoryStorage()
  const store = createSyncStore({ client: person.client, storage })
  const secret = { ...echo, env: { TOKEN: canary('environment') } }
  store.setLocal({ echo: secret })
  expect(await store.saveToBackend()).toMatchObject({
    status: 'ready',
    version: 1,
    hasUnsavedChanges: false,
    warnings: [],
  })
  expect(await person.saved()).toEqual({ mcpServers: { echo: secret }, version: 1 })
  expect(storage.read('toolbridge.mcp')).toEqual({
    mcpServers: { echo: { ...echo, env: { TOKEN: { kept: 1 } } } },
    unsaved: [],
    removed: [],
    version: 1,
    replaced: {},
  })
  store.setLocal({ ...store.getSnapshot().mcpServers, clock })
  expect(await store.saveToBackend()).toMatchObject({ status: 'ready', version: 2 })
  expect((await person.saved()).mcpServers).toEqual({ echo: secret, clock })
})

test('a save that would send a secret elsewhere fails with both destinations, and succeeds once they are confirmed', async () => {
  const person = newPerson()
  const store = createSyncStore({ client: person.client })
  const headers = { Authorization: canary('header') }
  store.setLocal({ clock: { ...clock, headers } })
  await store.saveToBackend()
  const { clock: saved } = store.getSnapshot().mcpServers
  store.setLocal({ clock: { ...saved, url: 'https://other.example/mcp' } })
  const { status, error } = await store.saveToBackend()
  expect([status, (await person.saved()).version]).toEqual(['failed', 1])
  const confirmedDestinations = error instanceof GatewayError ? error.destinations : []
  expect(confirmedDestinations).toMatchObject([
    { from: 'https://clock.example', to: 'https://other.example' },
  ])
  expect(await store.saveToBackend({ confirmedDestinations })).toMatchObject({ status: 'ready', version: 2 })
  expect((await person.saved()).mcpServers['clock']).toMatchObject({
    url: 'https://other.example/mcp',
    headers,
  })
})

test('a conflict is resolved with local settings whose new destination is confirmed', async () => {
  const person = newPerson()
  const store = createSyncStore({ client: person.client })
  const headers = { Authorization: canary('conflict') }
  store.setLocal({ clock: { ...clock, headers } })
  await store.saveToBackend()
  const { clock: saved } = store.getSnapshot().mcpServers
  store.setLocal({ clock: { ...saved, url: 'https://other.example/mcp' } })
  await person.save({ clock: { ...clock, headers }, echo })
  const { error } = await store.saveToBackend()
  const confirmedDestinations = error instanceof GatewayError ? error.destinations : []
  expect(await store.saveToBackend({ confirmedDestinations })).toMatchObject({ status: 'conflict' })
  expect(await store.resolveConflict('mine')).toMatchObject({ status: 'failed', version: 1 })
  const resolved = await store.resolveConflict('mine', { confirmedDestinations })
  expect(resolved).toMatchObject({ status: 'ready', conflict: null, version: 3 })
  const { mcpServers } = await person.saved()
  expect(mcpServers).toMatchObject({ clock: { url: 'https://other.example/mcp', headers } })
})

test('fields that a save drops are reported until the next save [S2-65]', async () => {
  const { client } = newPerson()
  const store = createSyncStore({ client })
  store.setLocal({ echo: { ...echo, timeout: 5, required: true } as typeof echo })
  const { warnings, mcpServers } = await store.saveToBackend()
  expect(warnings.map(({ path }) => path).toSorted()).toEqual([
    '/mcpServers/echo/required',
    '/mcpServers/echo/timeout',
  ])
  expect(mcpServers).toEqual({ echo })
  expect((await store.loadFromBackend()).warnings).toEqual(warnings)
  expect((await store.saveToBackend()).warnings).toEqual([])
})

test('removing the last server can be saved', async () => {
  const person = newPerson()
  await person.save({ echo })
  const store = createSyncStore({ client: person.client })
  await store.loadFromBackend()
  store.setLocal({})
  expect(await store.saveToBackend()).toEqual(
    expect.objectContaining({ mcpServers: {}, version: 2, hasUnsavedChanges: false }),
  )
  expect((await person.saved()).mcpServers).toEqual({})
})

test('a change made while a save travels is kept and still unsaved', async () => {
  const person = newPerson()
  const client = beforeSaving(person.client, () => store.setLocal({ echo: changedEcho }))
  const store = createSyncStore({ client })
  store.setLocal({ echo, clock })
  expect(await store.saveToBackend()).toEqual(
    expect.objectContaining({
      mcpServers: { echo: changedEcho },
      hasUnsavedChanges: true,
    }),
  )
  expect((await person.saved()).mcpServers).toEqual({ echo, clock })
  expect(await store.saveToBackend()).toMatchObject({ version: 2, hasUnsavedChanges: false })
  expect((await person.saved()).mcpServers).toEqual({ echo: changedEcho })
})

test('a save whose result cannot be read is not sent as a conflict with itself', async () => {
  const person = newPerson()
  const readConfig: GatewayClient['readConfig'] = () => Promise.reject(new Error('the line is cut'))
  const client = { ...person.client, readConfig }
  const store = createSyncStore({ client })
  store.setLocal({ echo })
  expect(await store.saveToBackend()).toMatchObject({
    status: 'failed',
    version: 1,
    hasUnsavedChanges: false,
  })
  client.readConfig = (options) => person.client.readConfig(options)
  store.setLocal({ clock })
  expect(await store.saveToBackend()).toMatchObject({ status: 'ready', version: 2 })
})

test('a save that somebody else overtook is a conflict that shows both sides [S2-91]', async () => {
  const person = newPerson()
  await person.save({ echo })
  const store = createSyncStore({ client: person.client })
  await store.loadFromBackend()
  await person.save({ clock })
  store.setLocal({ echo: changedEcho })
  expect(await store.saveToBackend()).toEqual(
    expect.objectContaining({
      status: 'conflict',
      mcpServers: { echo: changedEcho },
      conflict: { version: 2, mcpServers: { clock } },
      error: expect.objectContaining({ kind: 'conflict', code: 'version_conflict' }),
    }),
  )
  expect(await person.saved()).toEqual({ mcpServers: { clock }, version: 2 })
})

test('a conflict that ends with mine saves mine on top of theirs', async () => {
  const person = newPerson()
  const store = await conflictedStore(person)
  expect(await store.resolveConflict('mine')).toMatchObject({ status: 'ready', version: 2, conflict: null })
  expect(await person.saved()).toEqual({ mcpServers: { echo: changedEcho }, version: 2 })
})

test('a conflict that ends with theirs takes theirs and shows what it replaced', async () => {
  const store = await conflictedStore(newPerson())
  expect(await store.resolveConflict('theirs')).toEqual(
    expect.objectContaining({
      status: 'ready',
      mcpServers: { echo },
      replaced: { echo: changedEcho },
      conflict: null,
    }),
  )
})

test('a conflict that ends with theirs brings back what was removed here', async () => {
  const person = newPerson()
  await person.save({ echo, clock })
  const store = createSyncStore({ client: person.client })
  await store.loadFromBackend()
  store.setLocal({ clock })
  await person.save({ echo: changedEcho, clock })
  expect((await store.saveToBackend()).status).toBe('conflict')
  expect(await store.resolveConflict('theirs')).toEqual(
    expect.objectContaining({
      mcpServers: { echo: changedEcho, clock },
      hasUnsavedChanges: false,
    }),
  )
})

test('settings of a gateway that lost its versions can be saved again', async () => {
  const person = newPerson()
  const secret = { ...echo, env: { TOKEN: canary('environment') } }
  const stored = { mcpServers: { echo: secret }, unsaved: ['echo'], removed: [], version: 7, replaced: {} }
  const store = createSyncStore({
    client: person.client,
    storage: memoryStorage({ 'toolbridge.mcp': stored }),
  })
  expect(await store.saveToBackend()).toEqual(
    expect.objectContaining({ conflict: { version: 0, mcpServers: {} } }),
  )
  expect(await store.resolveConflict('mine')).toEqual(
    expect.objectContaining({
      status: 'ready',
      version: 1,
      hasUnsavedChanges: false,
      replaced: {},
    }),
  )
  expect(await person.saved()).toEqual({ mcpServers: { echo: secret }, version: 1 })
})

test('a save before any load never overwrites what is already there', async () => {
  const person = newPerson()
  await person.save({ clock })
  const store = createSyncStore({ client: person.client })
  store.setLocal({ echo })
  expect((await store.saveToBackend()).status).toBe('conflict')
  expect((await person.saved()).mcpServers).toEqual({ clock })
})

test('local settings migrate to an untouched backend, once [C4] [S2-88]', async () => {
  const person = newPerson()
  const storage = memoryStorage({ mcp_servers_config: { mcpServers: { echo } } })
  const store = createSyncStore({ client: person.client, storage, migrateLocal: true })
  expect(await store.loadFromBackend()).toMatchObject({
    status: 'ready',
    version: 1,
    hasUnsavedChanges: false,
  })
  await store.loadFromBackend()
  expect(await person.saved()).toEqual({ mcpServers: { echo }, version: 1 })
})

test('of two browsers that migrate at the same time, the second is told of a conflict', async () => {
  const person = newPerson()
  const bothHaveRead = meeting(2)
  const readConfig = async () => {
    const answer = await person.client.readConfig()
    await bothHaveRead()
    return answer
  }
  const stores = [echo, clock].map((entry) => {
    const storage = memoryStorage({ 'toolbridge.mcp': { mcpServers: { entry } } })
    return createSyncStore({ client: { ...person.client, readConfig }, storage, migrateLocal: true })
  })
  const outcomes = await Promise.all(stores.map((store) => store.loadFromBackend()))
  expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['conflict', 'ready'])
  expect((await person.saved()).version).toBe(1)
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

/** Does something once, after a save was decided and before it is sent. */
function beforeSaving(client: GatewayClient, doOnce: () => void): GatewayClient {
  let isDone = false
  return {
    ...client,
    saveConfig(request, options) {
      if (!isDone) doOnce()
      isDone = true
      return client.saveConfig(request, options)
    },
  }
}

async function conflictedStore(person: Person) {
  const store = createSyncStore({ client: person.client })
  store.setLocal({ echo: changedEcho })
  await person.save({ echo })
  await store.saveToBackend()
  return store
}

test('autosave sends the changes of a moment as one save', async () => {
  const person = newPerson()
  let saves = 0
  const client: Person['client'] = {
    ...person.client,
    saveConfig: (...request) => {
      saves += 1
      return person.client.saveConfig(...request)
    },
  }
  const store = createSyncStore({ client, autosaveMs: 20 })
  const isSaved = new Promise<void>((resolve) =>
    store.subscribe(() => {
      const { status, version } = store.getSnapshot()
      if (status === 'ready' && version > 0) resolve()
    }),
  )
  store.setLocal({ echo })
  store.setLocal({ echo: changedEcho })
  store.setLocal({ echo: changedEcho, clock })
  await isSaved
  expect(saves).toBe(1)
  expect(await person.saved()).toEqual({ mcpServers: { echo: changedEcho, clock }, version: 1 })
})

test('undo takes back one edit after another and leaves what others saved', async () => {
  const person = newPerson()
  const store = createSyncStore({ client: person.client })
  store.setLocal({ echo })
  store.setLocal({ echo: changedEcho })
  await person.save({ clock })
  await store.loadFromBackend()
  expect(store.getSnapshot()).toMatchObject({ canUndo: true, mcpServers: { echo: changedEcho, clock } })
  store.undo()
  expect(store.getSnapshot()).toMatchObject({ canUndo: true, mcpServers: { echo, clock } })
  store.undo()
  expect(store.getSnapshot().mcpServers).toEqual({ clock })
  expect(store.getSnapshot().canUndo).toBe(false)
  store.undo()
  expect(store.getSnapshot().mcpServers).toEqual({ clock })
})

test('a removed server comes back with its secrets, also after the removal was saved', async () => {
  const person = newPerson()
  const store = createSyncStore({ client: person.client })
  const secret = { ...echo, env: { TOKEN: canary('removed') } }
  store.setLocal({ echo: secret, clock })
  await store.saveToBackend()
  store.setLocal({ clock })
  await store.saveToBackend()
  expect(await person.saved()).toMatchObject({ mcpServers: { clock } })
  store.undo()
  expect(await store.saveToBackend()).toMatchObject({ status: 'ready', version: 3 })
  expect((await person.saved()).mcpServers).toEqual({ echo: secret, clock })
})
