import {
  type AuthorizationFixture,
  startAuthorizationFixture,
  visit,
} from '@toolbridge/testkit/authorization'
import { openSharedBrowser, type Page, type TestBrowser } from '@toolbridge/testkit/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopbackAuthProvider } from '../../../src/auth-node.ts'
import { type McpAuthProvider, McpOAuth, type McpOAuthOptions } from '../../../src/auth.ts'
import { connectMcp, type McpConnection, McpUnauthorizedError } from '../../../src/index.ts'
import { agreeing, sendingAway } from '../fixtures/people.ts'
import { onThisMachine } from '../fixtures/auth-world.ts'

let browser: TestBrowser
let plain: AuthorizationFixture

beforeAll(async () => {
  ;[browser, plain] = await Promise.all([openSharedBrowser(), startAuthorizationFixture()])
})

afterAll(async () => {
  await browser.close()
  await plain.close()
})

test('a person signs in and agrees in a browser, and the program calls the tool [A1 A8]', async () => {
  const page = await browser.page()
  const provider = loopbackAuthProvider({
    clientMetadata: { client_name: 'a program' },
    print: () => undefined,
    openBrowser: async (url) => {
      void agree(page, url)
      return true
    },
  })
  const connection = await connected(plain, authorization(plain, provider))
  expect((await connection.client.callTool('hello', { name: 'Ada' })).content).toMatchObject([
    { type: 'text' },
  ])
  await connection.close()
  await page.getByText('You can close this window').waitFor()
  expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
  expect(await tokensOf(plain, provider)).toMatchObject({
    token_type: 'DPoP',
    scope: expect.stringContaining('tools:call'),
  })
})

test('a person who says no in the browser is understood', async () => {
  const provider = agreeing({ redirectToAuthorization: (url) => visit(url, { decision: 'deny' }) })
  await expect(connected(plain, authorization(plain, provider))).rejects.toMatchObject({
    code: 'authorization_refused',
    oauthError: 'access_denied',
  })
})

test('refresh tokens rotate; one that was stolen and used ends everything, and a new sign-in heals it [A10]', async () => {
  const provider = visiting()
  let nowMs = Date.now()
  const later = { dpop: 'never', now: () => nowMs } as const
  const connection = await connected(plain, authorization(plain, provider, later))
  const { refresh_token: stolen = '' } = (await tokensOf(plain, provider)) ?? {}
  nowMs += 3600_000
  await connection.client.callTool('hello')
  const { refresh_token: rotated } = (await tokensOf(plain, provider)) ?? {}
  expect(rotated).not.toBe(stolen)
  const theft = await refreshAt(plain, stolen, provider)
  expect(theft).toMatchObject({ error: 'invalid_grant' })
  nowMs += 3600_000
  await connection.client.callTool('hello')
  await connection.close()
  const entries = (await plain.tokenRequests()).slice(-4)
  expect(entries.map(({ grantType, outcome }) => `${grantType} ${outcome}`)).toEqual([
    'refresh_token granted',
    'refresh_token invalid_grant',
    'refresh_token invalid_grant',
    'authorization_code granted',
  ])
})

test('tokens that were revoked are refused by the server, and a host that does not wait is told where to go', async () => {
  const provider = visiting()
  const first = authorization(plain, provider, { dpop: 'never' })
  const connection = await connected(plain, first)
  const { access_token: revoked = '' } = (await tokensOf(plain, provider)) ?? {}
  await first.revoke()
  const response = await fetch(plain.resource, { headers: { authorization: `Bearer ${revoked}` } })
  expect(response.status).toBe(401)
  await connection.close()
  const away = sendingAway()
  const error: unknown = await connected(plain, authorization(plain, away)).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(McpUnauthorizedError)
  const back = await visit((error as McpUnauthorizedError).authorizationUrl ?? '')
  await authorization(plain, away).finishFrom(back)
  await (await connected(plain, authorization(plain, away))).close()
})

test('a right that is missing is asked for when it is needed, with the earlier ones [A9]', async () => {
  await using fixture = await startAuthorizationFixture({ stepUp: true })
  const asked: (string | null)[] = []
  const provider = visiting((url) => asked.push(url.searchParams.get('scope')))
  const connection = await connected(fixture, authorization(fixture, provider, { dpop: 'never' }))
  expect((await connection.client.callTool('hello')).content).toHaveLength(1)
  await connection.close()
  expect(asked.map((scope) => scope?.split(' ').toSorted())).toEqual([
    ['offline_access', 'tools:list'],
    ['offline_access', 'tools:call', 'tools:list'],
  ])
})

test('tokens are bound to a key, also where the authorization server wants its nonce in every proof [A11]', async () => {
  await using fixture = await startAuthorizationFixture({ dpopNonce: true })
  const provider = visiting()
  let nowMs = Date.now()
  const connection = await connected(
    fixture,
    authorization(fixture, provider, { dpop: 'always', now: () => nowMs }),
  )
  const { access_token: bound = '' } = (await tokensOf(fixture, provider)) ?? {}
  const stolen = await fetch(fixture.resource, { headers: { authorization: `Bearer ${bound}` } })
  expect(stolen.status).toBe(401)
  nowMs += 3600_000
  await connection.client.callTool('hello')
  await connection.close()
  const granted = (await fixture.tokenRequests()).filter(({ outcome }) => outcome === 'granted')
  expect(granted.map(({ grantType }) => grantType)).toEqual(['authorization_code', 'refresh_token'])
})

/** A provider whose person signs in and agrees, by plain requests. */
function visiting(onVisit: (url: URL) => void = () => undefined): McpAuthProvider {
  return agreeing({
    redirectToAuthorization: (url) => {
      onVisit(url)
      return visit(url)
    },
  })
}

async function agree(page: Page, url: URL): Promise<void> {
  await page.goto(url.href)
  await page.getByLabel('Name').fill('ada')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

function authorization(
  { resource }: AuthorizationFixture,
  provider: McpAuthProvider,
  options: Partial<McpOAuthOptions> = {},
): McpOAuth {
  return new McpOAuth({ serverUrl: resource, provider, security: onThisMachine, ...options })
}

function connected({ resource: url }: AuthorizationFixture, given: McpOAuth): Promise<McpConnection> {
  return connectMcp({ url, authorization: given })
}

async function tokensOf({ issuer, resource }: AuthorizationFixture, provider: McpAuthProvider) {
  const record = await provider.tokens({ issuer, resource, principal: 'default' })
  return record?.state.kind === 'held' ? record.state.tokens : undefined
}

/** What a thief gets for a refresh token. */
async function refreshAt(
  { issuer, resource }: AuthorizationFixture,
  token: string,
  provider: McpAuthProvider,
): Promise<unknown> {
  const client = await provider.clientInformation(issuer)
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, resource })
  body.set('client_id', client?.client_id ?? '')
  return (await fetch(`${issuer}/token`, { method: 'POST', body })).json()
}
