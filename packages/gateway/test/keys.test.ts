import { type CreateKeyResponse, type KeySummary, type KeysResponse, paths } from '@toolbridge/api'
import { afterAll, expect, test } from 'vitest'
import { readEvents } from './support/events.ts'
import { bearerOf, type Caller, createTestGateway } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { listenTestGateway } from './support/listening.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({ lockbox })
afterAll(() => gateway[Symbol.asyncDispose]())

async function createKey(caller: Caller, ...scopes: readonly string[]): Promise<CreateKeyResponse> {
  const answer = await caller.post(paths.keys, { name: 'laptop', scopes })
  expect(answer.status).toBe(200)
  return answer.json()
}

async function keysOf(caller: Caller, query: string = ''): Promise<readonly KeySummary[]> {
  const { keys }: KeysResponse = await (await caller.get(paths.keys + query)).json()
  return keys
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
}

const hostHeaders = {
  authorization: bearerOf('host'),
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** 406: the request got past the token and lacks an `accept` header. */
const statusAtMcp = async (caller: Caller): Promise<number> =>
  (await caller.post(paths.mcp, initialize)).status

test('a key is shown once, and then listed with its name, scopes, expiry and last use', async () => {
  const ada = gateway.as('ada')
  const { key, token } = await createKey(ada, 'api')
  expect(key).toMatchObject({ name: 'laptop', owner: 'ada', scopes: ['api'] })
  expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBe(90 * 24 * 60 * 60_000)
  expect(await keysOf(ada)).toEqual([key])
  expect((await gateway.with(token).get(paths.inbox)).status).toBe(200)
  expect(await keysOf(ada)).toEqual([{ ...key, lastUsedAt: expect.any(String) }])
  expect(await (await ada.get(paths.keys)).text()).not.toContain(token.slice(-43))
})

test.each(['\0', 'a\0b', '\uD800'])(
  'a key with the name %j, which cannot be stored, is refused',
  async (name) => {
    const ada = gateway.as('ada')
    const before = await keysOf(ada)
    const refused = await ada.post(paths.keys, { name, scopes: ['api'] })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'invalid_request', issues: [{ path: '/name' }] })
    expect(await keysOf(ada)).toEqual(before)
  },
)

test('a key opens what its scope names and nothing else', async () => {
  const ada = gateway.as('ada')
  const api = gateway.with((await createKey(ada, 'api')).token)
  const mcp = gateway.with((await createKey(ada, 'mcp')).token)
  const both = gateway.with((await createKey(ada, 'api', 'mcp')).token)
  expect([(await api.get(paths.inbox)).status, await statusAtMcp(api)]).toEqual([200, 401])
  expect([(await mcp.get(paths.inbox)).status, await statusAtMcp(mcp)]).toEqual([401, 406])
  expect([(await both.get(paths.inbox)).status, await statusAtMcp(both)]).toEqual([200, 406])
})

test('no key manages keys or signs out: a stolen one cannot create another', async () => {
  const { key, token } = await createKey(gateway.as('ada'), 'api', 'mcp')
  const thief = gateway.with(token)
  const answers = [
    await thief.get(paths.keys),
    await thief.post(paths.keys, { name: 'second', scopes: ['api'] }),
    await thief.delete(paths.key(key.id)),
    await thief.delete(paths.signIn),
    await thief.post(paths.signInCode, {}),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  expect((await thief.get(paths.inbox)).status).toBe(200)
})

test.each([
  ['no scope', { name: 'x', scopes: [] }],
  ['an unknown scope', { name: 'x', scopes: ['owner'] }],
  ['no name', { name: ' ', scopes: ['api'] }],
  ['no expiry', { name: 'x', scopes: ['api'], expiresInDays: 0 }],
  ['a far expiry', { name: 'x', scopes: ['api'], expiresInDays: 367 }],
])('a key with %s is refused', async (_what, body) => {
  expect((await gateway.as('ada').post(paths.keys, body)).status).toBe(422)
})

test('a revoked key is refused at the next request, and its event stream ends', async () => {
  const ada = gateway.as('ada')
  const { key, token } = await createKey(ada, 'api')
  const events = readEvents(await gateway.with(token).get(paths.events))
  await events.next('hello')
  expect((await ada.delete(paths.key(key.id))).status).toBe(200)
  expect(await events.frame()).toBeUndefined()
  const refused = await gateway.with(token).get(paths.inbox)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toEqual(await (await gateway.with('wrong').get(paths.inbox)).json())
  for (const id of [key.id, 'x', '\0', "' or true"])
    expect((await ada.delete(paths.key(id))).status).toBe(404)
})

test('a revoked key loses its MCP session, and a call that waits for an answer', async () => {
  await using listening = await listenTestGateway({
    lockbox,
    operatorServers: [inMemory('hello')],
    permissions: { mode: 'ask' },
  })
  const local = listening.gateway.as('local')
  await untilServer(local, 'hello', 'ready')
  const { key, token } = await createKey(local, 'mcp')
  await using host = await connectHost(listening.url, { token })
  const call = host.client.callTool({ name: 'hello__hello' })
  const ended = expect(call).rejects.toThrow()
  await expect.poll(async () => (await (await local.get(paths.inbox)).json()).items.length).toBe(1)
  await local.delete(paths.key(key.id))
  await ended
  await expect.poll(async () => (await (await local.get(paths.inbox)).json()).items.length).toBe(0)
  await expect(host.client.listTools()).rejects.toThrow()
  const session = { 'mcp-session-id': host.sessionId ?? '' }
  const continued = await listening.gateway
    .as('host')
    .post(
      paths.mcp,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { headers: { ...hostHeaders, ...session } },
    )
  expect(continued.status).toBe(404)
})

test('an administrator sees and revokes the keys of everyone; a member does not', async () => {
  const [ada, bob, local] = [gateway.as('ada'), gateway.as('bob'), gateway.as('local')]
  const { key } = await createKey(bob, 'api')
  expect((await ada.get(`${paths.keys}?everyone=1`)).status).toBe(403)
  expect((await ada.delete(paths.key(key.id))).status).toBe(404)
  expect((await keysOf(local)).map(({ id }) => id)).not.toContain(key.id)
  expect(await keysOf(local, '?everyone=1')).toContainEqual(key)
  expect((await local.delete(paths.key(key.id))).status).toBe(200)
  expect(await keysOf(bob)).toEqual([])
})
