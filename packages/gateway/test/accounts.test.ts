import { type CredentialsResponse, paths, type ServerAccount } from '@toolbridge/api'
import { allowInsecureHttp, allowLoopback, memoryAuthStore } from '@toolbridge/client/auth'
import type { Lockbox } from '@toolbridge/lockbox'
import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  createTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { remoteServer } from './support/specs.ts'
import { questionsOf, textOf, untilAsked, untilServer } from './support/waiting.ts'

/** Nobody listens there: the tests hand in the URL that the browser is sent to. */
const signInCallback = 'http://127.0.0.1:9/oauth-callback'

const needsSignIn = {
  failedToolkits: [{ name: 'far', error: expect.stringContaining('sign in to it in the console') }],
}

let lockbox: Lockbox
let fixture: AuthorizationFixture
beforeAll(async () => {
  ;[lockbox, fixture] = await Promise.all([openTestLockbox(), startAuthorizationFixture()])
})
afterAll(async () => {
  await fixture.close()
  await lockbox.close()
})

function openGateway(options: Partial<TestGatewayOptions> = {}): TestGateway {
  const guard = { [allowLoopback]: true, [allowInsecureHttp]: true } as const
  const principals = ['ada', 'bob', 'cleo', 'dora', 'emil', 'fred']
  return createTestGateway({ lockbox, guard, signInCallback, principals, ...options })
}

async function save(caller: Caller): Promise<void> {
  await caller.post(paths.config, { mcpServers: { far: { url: fixture.resource } } })
  await untilServer(caller, 'far', 'unauthorized', 'ready')
}

/** Begins a sign-in and returns the URL that the browser is sent back to. */
async function signInOf(caller: Caller, name: string, server = 'far'): Promise<string> {
  const { url } = await (await caller.post(paths.serverSignIn(server), {})).json()
  return String(await visit(url, { name }))
}

async function invoke(caller: Caller): Promise<unknown> {
  const nodes = [{ id: 'one', kind: 'tool', tool: 'mcp://far/hello' }]
  return (await caller.post(paths.invoke, { workflowId: 'w', nodes })).json()
}

test('a person signs in to a server; the account is theirs, is encrypted, and outlives the gateway', async () => {
  {
    await using gateway = openGateway()
    const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
    await Promise.all([save(ada), save(bob)])
    const url = await signInOf(ada, 'ada')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:9\/oauth-callback\?/)
    expect(await (await ada.post(paths.oauthCallback, { url })).json()).toEqual({ server: 'far' })
    await untilServer(ada, 'far', 'ready')
    expect(await textOf(await ada.post(paths.call, { tool: 'mcp://far/hello' }))).toBe('Hello, world!')
    await untilServer(bob, 'far', 'unauthorized')
  }
  await using gateway = openGateway()
  await untilServer(gateway.as('ada'), 'far', 'ready')
  await untilServer(gateway.as('bob'), 'far', 'unauthorized')
})

test('a server can be signed in to in the console if it asks for it, by the local owner as by anybody', async () => {
  await using gateway = openGateway()
  const far = { url: fixture.resource }
  const keyed = { ...far, headers: { Authorization: 'Bearer wrong' } }
  for (const name of ['emil', 'local']) {
    const caller = gateway.as(name)
    await caller.post(paths.config, { mcpServers: { far, keyed } })
    const refused = [
      await untilServer(caller, 'far', 'unauthorized'),
      await untilServer(caller, 'keyed', 'unauthorized'),
    ]
    expect(refused.map(({ canSignIn }) => canSignIn)).toEqual([true, undefined])
  }
})

test('the operator’s servers have the accounts of the given store, and saved servers none of them', async () => {
  const accounts = memoryAuthStore()
  const operatorServers = [remoteServer('far', fixture.resource)]
  {
    await using gateway = openGateway({ accounts, operatorServers })
    const local = gateway.as('local')
    await local.post(paths.config, { mcpServers: { saved: { url: fixture.resource } } })
    await untilServer(local, 'far', 'unauthorized')
    const url = await signInOf(local, 'operator')
    expect(await (await local.post(paths.oauthCallback, { url })).json()).toEqual({ server: 'far' })
    await untilServer(local, 'far', 'ready')
    await untilServer(local, 'saved', 'unauthorized')
    expect(await accounts.knownServer(fixture.resource, 'local')).toMatchObject({ issuer: fixture.issuer })
    expect(await lockbox.credentials('local').knownServer(fixture.resource, 'local')).toBeUndefined()
  }
  await using gateway = openGateway({ accounts, operatorServers })
  const local = gateway.as('local')
  await untilServer(local, 'far', 'ready')
  await local.post(paths.oauthCallback, { url: await signInOf(local, 'owner', 'saved') })
  await untilServer(local, 'saved', 'ready')
  const { accounts: listed }: CredentialsResponse = await (await local.get(paths.credentials)).json()
  expect(listed.map(({ servers }) => servers)).toEqual([['saved']])
  expect((await local.delete(paths.serverSignIn('far'))).status).toBe(200)
  await untilServer(local, 'far', 'unauthorized')
  await untilServer(local, 'saved', 'ready')
  await local.delete(paths.serverSignIn('saved'))
})

test('an account of anybody else is never in the store of the operator, whatever the server is called', async () => {
  const accounts = memoryAuthStore()
  await using gateway = openGateway({ accounts, operatorServers: [remoteServer('far', fixture.resource)] })
  const fred = gateway.as('fred')
  await save(fred)
  await fred.post(paths.oauthCallback, { url: await signInOf(fred, 'fred') })
  await untilServer(fred, 'far', 'ready')
  const known = { issuer: fixture.issuer }
  expect(await lockbox.credentials('fred').knownServer(fixture.resource, 'fred')).toMatchObject(known)
  expect(await accounts.knownServer(fixture.resource, 'fred')).toBeUndefined()
})

test.each(['local', 'ada'])(
  'a call that needs more rights asks %s to sign in, in the inbox',
  async (name) => {
    await using careful = await startAuthorizationFixture({ stepUp: true })
    await using gateway = openGateway()
    const caller = gateway.as(name)
    await caller.post(paths.config, { mcpServers: { far: { url: careful.resource } } })
    await untilServer(caller, 'far', 'unauthorized')
    await caller.post(paths.oauthCallback, { url: await signInOf(caller, name) })
    await untilServer(caller, 'far', 'ready')
    const call = caller.post(paths.call, { tool: 'mcp://far/hello' })
    const asked = await untilAsked(caller)
    if (asked.kind !== 'consent') throw new Error(`asked for ${asked.kind}`)
    expect(asked).toMatchObject({ server: 'far', page: { host: new URL(careful.issuer).host } })
    expect(await questionsOf(gateway.as('bob'))).toEqual([])
    await caller.post(paths.answer(asked.id), { action: 'accept' })
    const url = String(await visit(asked.page.url, { name }))
    expect((await caller.post(paths.oauthCallback, { url })).status).toBe(200)
    expect(await textOf(await call)).toBe('Hello, world!')
  },
)

test('workflows use the accounts of the person who invokes them, and of nobody else', async () => {
  await using gateway = openGateway()
  const [dora, emil] = [gateway.as('dora'), gateway.as('emil')]
  await Promise.all([save(dora), save(emil)])
  expect(await invoke(dora)).toMatchObject(needsSignIn)
  await dora.post(paths.oauthCallback, { url: await signInOf(dora, 'dora') })
  expect(await invoke(dora)).toMatchObject({ nodes: [{ status: 'ok' }] })
  expect(await invoke(emil)).toMatchObject(needsSignIn)
})

test('a sign-in is finished by the person who began it, once, and by nobody who follows a link', async () => {
  await using gateway = openGateway()
  const [ada, bob] = [gateway.as('ada'), gateway.as('bob')]
  await Promise.all([save(ada), save(bob)])
  const url = await signInOf(bob, 'bob')
  for (const caller of [ada, gateway.as('local')]) {
    const refused = await caller.post(paths.oauthCallback, { url })
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ code: 'unknown_sign_in' })
  }
  expect((await bob.post(paths.oauthCallback, { url })).status).toBe(200)
  await untilServer(bob, 'far', 'ready')
  expect((await bob.post(paths.oauthCallback, { url })).status).toBe(404)
  expect((await bob.post(paths.oauthCallback, { url: 'nowhere' })).status).toBe(422)
})

test('accounts are listed without a secret, and removed also after their server was removed', async () => {
  await using gateway = openGateway()
  const cleo = gateway.as('cleo')
  const accountsOf = async (caller: Caller): Promise<readonly ServerAccount[]> =>
    ((await (await caller.get(paths.credentials)).json()) as CredentialsResponse).accounts
  const account = { origin: new URL(fixture.resource).origin, issuer: fixture.issuer }
  const other = { url: `${fixture.resource}/other` }
  for (const servers of [['far'], []]) {
    const far = servers.map((name) => [name, { url: fixture.resource }])
    await save(cleo)
    await cleo.post(paths.oauthCallback, { url: await signInOf(cleo, 'cleo') })
    await untilServer(cleo, 'far', 'ready')
    await cleo.post(paths.config, { mcpServers: { ...Object.fromEntries(far), other } })
    const [listed] = await accountsOf(cleo)
    expect(listed).toEqual({ ...account, id: expect.stringMatching(/^[0-9a-f]{16}$/), servers })
    expect(await accountsOf(gateway.as('emil'))).toEqual([])
    expect((await gateway.as('emil').delete(paths.account(listed?.id ?? ''))).status).toBe(404)
    expect((await cleo.delete(paths.account(listed?.id ?? ''))).status).toBe(200)
    expect(await accountsOf(cleo)).toEqual([])
    expect((await cleo.delete(paths.account(listed?.id ?? ''))).status).toBe(404)
    await save(cleo)
    await untilServer(cleo, 'far', 'unauthorized')
  }
})

test('a person signs out of a server, and nobody signs in to one that asks for nothing', async () => {
  await using gateway = openGateway()
  const cleo = gateway.as('cleo')
  await save(cleo)
  await cleo.post(paths.oauthCallback, { url: await signInOf(cleo, 'cleo') })
  await untilServer(cleo, 'far', 'ready')
  expect((await cleo.post(paths.serverSignIn('far'), {})).status).toBe(409)
  expect((await cleo.post(paths.serverSignIn('other'), {})).status).toBe(409)
  expect((await cleo.delete(paths.serverSignIn('far'))).status).toBe(200)
  await untilServer(cleo, 'far', 'unauthorized')
  expect((await cleo.delete(paths.serverSignIn('other'))).status).toBe(409)
})
