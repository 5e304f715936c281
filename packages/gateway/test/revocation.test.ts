import { type CreateKeyResponse, paths, type RemovePersonResponse } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPeople, type People } from '../src/sign-in/oidc/people.ts'
import { readEvents } from './support/events.ts'
import type { Caller, TestGateway } from './support/gateway.ts'
import { connectHost } from './support/host.ts'
import { startIssuer, type TestIssuer } from './support/issuer.ts'
import { type ListeningGateway, listenTestGateway } from './support/listening.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { sendModern } from './support/modern.ts'
import { inMemory, savedInMemory } from './support/specs.ts'
import { untilAsked, untilNothingAsked, untilServer } from './support/waiting.ts'

let lockbox: Lockbox
let issuer: TestIssuer
let listening: ListeningGateway
let gateway: TestGateway
beforeAll(async () => {
  ;[lockbox, issuer] = await Promise.all([openTestLockbox(), startIssuer()])
  const operatorServers = [inMemory('elicit')]
  listening = await listenTestGateway({ lockbox, people: openPeople(), operatorServers })
  gateway = listening.gateway
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
  await lockbox.close()
})

function openPeople(): People {
  const oidc = { issuer: issuer.url, audience: 'gateway' }
  const store = lockbox.bearerTokens
  return createPeople({ oidc, redirectUri: 'http://localhost/', store, log: () => undefined })
}

async function signedIn(id: string): Promise<Caller> {
  const { token } = await gateway.services.tokens.signIn({ id, role: 'member' })
  return gateway.with(token)
}

async function keyOf(caller: Caller, ...scopes: readonly string[]): Promise<CreateKeyResponse> {
  return (await caller.post(paths.keys, { name: 'laptop', scopes })).json()
}

const statusOf = async (caller: Caller): Promise<number> => (await caller.get(paths.inbox)).status

test('a revoked key loses its call in flight, also that of a host without a session', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'elicit', 'ready')
  const { key, token } = await keyOf(local, 'mcp')
  const params = { name: 'elicit__greet_me', arguments: {} }
  const call = sendModern(listening.url + paths.mcp, 'tools/call', params, null, `Bearer ${token}`)
  await untilAsked(local)
  await local.delete(paths.key(key.id))
  await untilNothingAsked(local)
  expect(await call).toMatchObject({ error: { message: 'the token was revoked or has expired' } })
})

test('a revoked key loses its call also in a session that another key opened, which goes on', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'elicit', 'ready')
  const [opener, caller] = [await keyOf(local, 'mcp'), await keyOf(local, 'mcp')]
  await using host = await connectHost(listening.url, { token: opener.token })
  const params = { name: 'elicit__greet_me', arguments: {} }
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
  const accept = 'application/json, text/event-stream'
  const authorization = `Bearer ${caller.token}`
  const headers = {
    accept,
    authorization,
    'content-type': 'application/json',
    'mcp-session-id': host.sessionId ?? '',
  }
  const call = gateway.with(caller.token).post(paths.mcp, message, { headers })
  await untilAsked(local)
  await local.delete(paths.key(caller.key.id))
  await untilNothingAsked(local)
  expect(await (await call).text()).toContain('the token was revoked or has expired')
  expect((await host.client.listTools()).tools.length).toBeGreaterThan(0)
})

test('signing out everywhere ends all sign-ins and streams of a person, but no key and nobody else', async () => {
  const [here, there, other] = [await signedIn('ada'), await signedIn('ada'), await signedIn('bob')]
  const { token } = await keyOf(here, 'api')
  const events = readEvents(await there.get(paths.events))
  await events.next('hello')
  expect((await here.delete(`${paths.signIn}?everywhere=1`)).status).toBe(200)
  expect(await events.frame()).toBeUndefined()
  expect([await statusOf(here), await statusOf(there)]).toEqual([401, 401])
  expect([await statusOf(gateway.with(token)), await statusOf(other)]).toEqual([200, 200])
})

const seconds = (): number => Math.floor(Date.now() / 1_000)

test('signing out everywhere refuses the tokens of the issuer so far, also those that were never used', async () => {
  const token = (sub: string, jti: string, iat?: number): Promise<string> => issuer.sign({ sub, jti, iat })
  const [used, unused, ageless] = [
    await token('grace', 'used', seconds() - 9),
    await token('grace', 'unused', seconds() - 8),
    await issuer.sign({ sub: 'grace', jti: 'ageless', iat: undefined }),
  ]
  const [later, others] = [await token('grace', 'later', seconds() + 9), await token('joan', 'others')]
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all([used, unused, ageless, later, others].map((each) => statusOf(gateway.with(each))))
  const events = readEvents(await gateway.with(used).get(paths.events))
  await events.next('hello')
  expect((await gateway.with(used).delete(`${paths.signIn}?everywhere=1`)).status).toBe(200)
  expect(await events.frame()).toBeUndefined()
  expect(await statuses()).toEqual([401, 401, 401, 200, 200])
  const restarted = openPeople()
  expect(await restarted.principalOf(unused, 'api')).toBeUndefined()
  expect(await restarted.principalOf(later, 'api')).toMatchObject({ role: 'member' })
  await restarted.close()
})

test('an administrator revokes all access of a person, and their servers stop; their settings stay', async () => {
  const id = `${issuer.url}#lin`
  const lin = await signedIn(id)
  const keys = [await keyOf(lin, 'api'), await keyOf(lin, 'mcp')]
  const token = await issuer.sign({ sub: 'lin', iat: seconds() - 5 })
  await lin.post(paths.config, { mcpServers: { mine: savedInMemory('hello') } })
  await untilServer(lin, 'mine', 'ready')
  const { bridge } = await gateway.services.owners.open(id)
  const events = readEvents(await gateway.with(token).get(paths.events))
  await events.next('hello')

  expect((await lin.delete(paths.person(id))).status).toBe(403)
  const answer = await gateway.as('local').delete(paths.person(id))
  const removed: RemovePersonResponse = await answer.json()
  expect(removed).toEqual({ keys: 2, signIns: 1 })
  expect(await events.frame()).toBeUndefined()
  expect(await statusOf(lin)).toBe(401)
  expect(await statusOf(gateway.with(token))).toBe(401)
  expect(await statusOf(gateway.with(keys[0]?.token ?? ''))).toBe(401)
  await expect(bridge.call('mine__hello', {})).rejects.toThrow()

  const again = await signedIn(id)
  await untilServer(again, 'mine', 'ready')
})

test('the access of the owner cannot be revoked, and nobody is removed by a wrong id', async () => {
  const local = gateway.as('local')
  expect((await local.delete(paths.person('local'))).status).toBe(403)
  const answer = await local.delete(paths.person(`${issuer.url}#nobody`))
  expect(await answer.json()).toEqual({ keys: 0, signIns: 0 })
})

test.each([
  ['a NUL', 'ada\0'],
  ['more than 512 bytes', 'a'.repeat(513)],
])('an id with %s is that of nobody', async (_what, id) => {
  const answer = await gateway.as('local').delete(paths.person(id))
  expect([answer.status, (await answer.json()).code]).toEqual([422, 'invalid_request'])
})
