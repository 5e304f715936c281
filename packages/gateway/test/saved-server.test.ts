import { type ConfigResponse, type Problem, paths, type SavedServerResponse } from '@toolbridge/api'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { beforeEach, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'

const lockbox = await openFileLockbox()
let gateway: TestGateway
let ada: Caller
let bob: Caller
let people = 0

beforeEach(() => {
  people += 1
  const principals = [`ada-${people}`, `bob-${people}`]
  gateway = createTestGateway({ lockbox, principals, operatorServers: [inMemory('hello')] })
  ada = gateway.as(`ada-${people}`)
  bob = gateway.as(`bob-${people}`)
  return () => gateway[Symbol.asyncDispose]()
})

/** Disabled, so that nothing starts. */
const notes = {
  url: 'https://notes.example/mcp',
  headers: { Authorization: canary('notes') },
  disabled: true,
}
const other = { command: 'npx', args: [], disabled: true }
const kept = { kept: 1 }

test('one server is added, read with references, replaced and removed; the others stay', async () => {
  expect((await put('other', { server: other })).status).toBe(200)
  expect(await (await put('a/b c', { server: notes })).json()).toMatchObject({ success: true, version: 2 })
  const text = await (await ada.get(paths.server('a/b c'))).text()
  expect(canaryIn(text)).toBeUndefined()
  const found: SavedServerResponse = JSON.parse(text)
  expect(found).toEqual({
    name: 'a/b c',
    server: { ...notes, headers: { Authorization: { kept: 2 } } },
    version: 2,
  })
  const edited = { ...found.server, timeouts: { callMs: 1_000 } }
  expect((await put('a/b c', { server: edited, version: 2 })).status).toBe(200)
  expect(await read()).toEqual({
    mcpServers: { other, 'a/b c': { ...notes, timeouts: { callMs: 1_000 } } },
    version: 3,
  })
  expect((await ada.delete(paths.server('a/b c'))).status).toBe(200)
  expect(await read()).toEqual({ mcpServers: { other }, version: 4 })
})

test('a renamed server keeps its secrets and its position', async () => {
  await put('notes', { server: notes })
  await put('other', { server: other })
  expect((await patch('notes', { name: 'renamed' })).status).toBe(200)
  const { mcpServers } = await read()
  expect(mcpServers).toEqual({ renamed: notes, other })
  expect(Object.keys(mcpServers)).toEqual(['renamed', 'other'])
})

test.each(['other', '', ' ', '__proto__'])('a server cannot be renamed to %j', async (name) => {
  await put('notes', { server: notes })
  await put('other', { server: other })
  const refused = await patch('notes', { name })
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ issues: [{ path: '/name' }] })
  expect((await read()).version).toBe(2)
})

test('a server is disabled and enabled without its definition', async () => {
  await put('notes', { server: { ...notes, disabled: false } })
  await patch('notes', { disabled: true })
  expect(await read()).toMatchObject({ mcpServers: { notes } })
  await patch('notes', { disabled: false })
  const { disabled: _disabled, ...enabled } = notes
  expect(await read()).toEqual({ mcpServers: { notes: enabled }, version: 3 })
})

test('a change that expects another version is refused with both, and changes nothing', async () => {
  await put('notes', { server: notes, version: 0 })
  const refusals = [
    await put('notes', { server: other, version: 0 }),
    await patch('notes', { disabled: false, version: 7 }),
    await ada.delete(`${paths.server('notes')}?version=7`),
  ]
  for (const refused of refusals) {
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: 'version_conflict', versions: { current: 1 } })
  }
  expect(await read()).toEqual({ mcpServers: { notes }, version: 1 })
  expect((await ada.delete(`${paths.server('notes')}?version=1`)).status).toBe(200)
  expect((await ada.delete(`${paths.server('notes')}?version=x`)).status).toBe(422)
})

test('changes of different servers at the same time are all saved [S2-91]', async () => {
  const names = ['one', 'two', 'three', 'four']
  const saves = await Promise.all(names.map((name) => put(name, { server: other })))
  expect(saves.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { mcpServers, version } = await read()
  expect(new Set(Object.keys(mcpServers))).toEqual(new Set(names))
  expect(version).toBe(4)
  const audit = await lockbox.audit.recent(`ada-${people}`, 100)
  expect(audit.filter(({ action }) => action === 'read').length).toBeLessThanOrEqual(4)
})

test('the issues of one server have their paths in the request', async () => {
  const refused = await put('notes', { server: { url: 'nowhere', headers: { A: 1 }, cwd: '/' } })
  expect(refused.status).toBe(422)
  const { issues = [] }: Problem = await refused.json()
  expect(issues.map(({ path }) => path).toSorted()).toEqual([
    '/server/cwd',
    '/server/headers/A',
    '/server/url',
  ])
  const saved = await (await put('notes', { server: { ...notes, unknown: 1 } })).json()
  expect(saved.warnings).toEqual([{ path: '/server/unknown', message: expect.any(String) }])
})

test('a secret of one server goes to no other destination without agreement', async () => {
  await put('notes', { server: notes })
  const server = { ...notes, url: 'https://evil.example/mcp', headers: { Authorization: kept } }
  const refused = await put('notes', { server })
  const { code, destinations, issues }: Problem = await refused.json()
  expect([code, issues?.[0]?.path]).toEqual(['destination_unconfirmed', '/server/headers/Authorization'])
  expect((await read()).version).toBe(1)
  expect((await put('notes', { server, confirmedDestinations: destinations })).status).toBe(200)
  const moved = await put('copy', { server: { ...notes, headers: { Authorization: kept } } })
  expect(await moved.json()).toMatchObject({ code: 'invalid_request' })
})

test('the servers of others, of the operator and those that do not exist are unknown', async () => {
  await put('notes', { server: notes })
  for (const name of ['notes', 'hello', 'nothing', 'constructor']) {
    const answers = [
      await bob.get(paths.server(name)),
      await send('PATCH', name, { disabled: false }, bob),
      await bob.delete(paths.server(name)),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'unknown_server' })
    }
  }
  expect((await send('PUT', 'hello', { server: other }, gateway.as('local'))).status).toBe(422)
  expect(await read()).toMatchObject({ mcpServers: { notes }, version: 1 })
})

test.each(['[]', '{}', '{"server":[]}', '{"server":{},"x":1}', '{"server":3}', '"x"'])(
  'the body %s is refused with a problem document',
  async (body) => {
    const refused = await ada.send('PUT', paths.server('one'), body)
    expect(refused.status).toBe(422)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
  },
)

function put(name: string, body: object): Promise<Response> {
  return send('PUT', name, body)
}

function patch(name: string, body: object): Promise<Response> {
  return send('PATCH', name, body)
}

function send(method: string, name: string, body: object, caller = ada): Promise<Response> {
  return caller.send(method, paths.server(name), body)
}

async function read(): Promise<ConfigResponse> {
  return (await ada.get(paths.config)).json()
}
