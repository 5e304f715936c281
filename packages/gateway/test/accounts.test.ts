import { paths } from '@toolbridge/api'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import type { Lockbox } from '@toolbridge/lockbox'
import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, createTestGateway, type TestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { textOf, untilServer } from './support/waiting.ts'

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

function openGateway(): TestGateway {
  const guard = { [allowLoopback]: true, [allowInsecureHttp]: true } as const
  const principals = ['ada', 'bob', 'cleo', 'dora', 'emil']
  return createTestGateway({ lockbox, guard, signInCallback, principals })
}

async function save(caller: Caller): Promise<void> {
  await caller.post(paths.config, { mcpServers: { far: { url: fixture.resource } } })
  await untilServer(caller, 'far', 'unauthorized', 'ready')
}

/** Begins a sign-in and returns the URL that the browser is sent back to. */
async function signInOf(caller: Caller, name: string): Promise<string> {
  const { url } = await (await caller.post(paths.serverSignIn('far'), {})).json()
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

test('a server can be signed in to in the console if it asks for it, and not by the local owner', async () => {
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
    expect(refused.map(({ canSignIn }) => canSignIn)).toEqual([
      name === 'local' ? undefined : true,
      undefined,
    ])
  }
})

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
