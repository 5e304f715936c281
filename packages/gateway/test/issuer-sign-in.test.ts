import { createHash, randomBytes } from 'node:crypto'
import { paths, type SignInOptionsResponse, type SignInResponse } from '@toolbridge/api'
import type { Lockbox } from '@toolbridge/lockbox'
import {
  type AuthorizationFixture,
  logIn,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from './support/gateway.ts'
import { openTestLockbox } from './support/lockbox.ts'
import { peopleOfIssuer } from './support/real-issuer.ts'

const redirectUri = 'http://127.0.0.1:9/'
let lockbox: Lockbox
let fixture: AuthorizationFixture
let gateway: TestGateway
beforeAll(async () => {
  ;[lockbox, fixture] = await Promise.all([
    openTestLockbox(),
    startAuthorizationFixture({ jwtAccessTokens: true }),
  ])
  gateway = createTestGateway({ lockbox, people: await peopleOfIssuer(fixture, { lockbox, redirectUri }) })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await fixture.close()
  await lockbox.close()
})

test('an access token of a real issuer opens the API and the MCP endpoint', async () => {
  const { tokens } = await logIn(fixture)
  const ada = gateway.with(tokens.access_token)
  expect(await (await ada.get(paths.config)).json()).toEqual({ mcpServers: {} })
  expect((await ada.post(paths.mcp, {})).status).not.toBe(401)
})

test('a page signs a person in at the issuer by authorization code and PKCE', async () => {
  const { request } = await signedInAtIssuer('grace')
  const answer = await gateway.as('nobody').post(paths.signIn, request)
  const { token, principal }: SignInResponse = await answer.json()
  expect(principal).toBe(`${fixture.issuer}#grace`)
  expect((await gateway.with(token).get(paths.config)).status).toBe(200)
  expect((await gateway.as('nobody').post(paths.signIn, request)).status).toBe(401)
})

test('a code with another verifier or of another flow is refused like a wrong code', async () => {
  const refused = await gateway.as('nobody').post(paths.signIn, { code: 'wrong' })
  const expected = [401, await refused.text()]
  for (const changes of [{ codeVerifier: secret() }, { nonce: secret() }, { authorizationCode: 'stolen' }]) {
    const { request } = await signedInAtIssuer('grace')
    const answer = await gateway.as('nobody').post(paths.signIn, { ...request, ...changes })
    expect([answer.status, await answer.text()]).toEqual(expected)
  }
})

test('a program signs a person in with a loopback address, and no other address is taken', async () => {
  const loopback = 'http://127.0.0.1:4711/callback'
  const { request } = await signedInAtIssuer('grace', loopback)
  const answer = await gateway.as('nobody').post(paths.signIn, { ...request, redirectUri: loopback })
  expect(await answer.json()).toMatchObject({ principal: `${fixture.issuer}#grace` })
  for (const redirectUri of [
    'https://evil.example/callback',
    'http://127.0.0.1:4711/',
    'http://[::1]:1/callback',
  ]) {
    const { request: another } = await signedInAtIssuer('grace', loopback)
    const refused = await gateway.as('nobody').post(paths.signIn, { ...another, redirectUri })
    expect(refused.status).toBe(401)
  }
})

interface Flow {
  readonly request: {
    readonly authorizationCode: string
    readonly codeVerifier: string
    readonly nonce: string
  }
}

/** What the page does. */
async function signedInAtIssuer(name: string, redirectUri?: string): Promise<Flow> {
  const { issuer: settings }: SignInOptionsResponse = await (await gateway.app.request(paths.signIn)).json()
  const [codeVerifier, nonce, state] = [secret(), secret(), secret()]
  const url = new URL(settings?.authorizationEndpoint ?? '')
  const parameters = {
    response_type: 'code',
    client_id: settings?.clientId ?? '',
    redirect_uri: redirectUri ?? settings?.redirectUri ?? '',
    scope: settings?.scope ?? '',
    state,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value)
  const returned = await visit(url, { name })
  expect(returned.searchParams.get('state')).toBe(state)
  return { request: { authorizationCode: returned.searchParams.get('code') ?? '', codeVerifier, nonce } }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
