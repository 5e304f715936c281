import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuthorizationFixture,
  logIn,
  startAuthorizationFixture,
  visit,
} from '../src/authorization/index.ts'

let fixture: AuthorizationFixture

beforeAll(async () => {
  fixture = await startAuthorizationFixture({ stepUp: true })
})

afterAll(() => fixture.close())

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

function post(token?: string): Promise<Response> {
  return fetch(fixture.resource, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(initialize),
  })
}

async function refresh(clientId: string, token: string): Promise<Response> {
  const { issuer, resource } = fixture
  const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, resource }
  return fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(fields) })
}

test('the resource names its authorization server, which names its endpoints', async () => {
  const refused = await post()
  expect(refused.status).toBe(401)
  const [, address = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const metadata = await (await fetch(address)).json()
  expect(metadata).toMatchObject({ resource: fixture.resource, authorization_servers: [fixture.issuer] })
  const server = await (await fetch(`${fixture.issuer}/.well-known/openid-configuration`)).json()
  expect(server).toMatchObject({
    issuer: fixture.issuer,
    code_challenge_methods_supported: ['S256'],
    registration_endpoint: expect.any(String),
    revocation_endpoint: expect.any(String),
    introspection_endpoint: expect.any(String),
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
  })
})

test('a person logs in by forms, and the token opens the MCP server', async () => {
  const { tokens } = await logIn(fixture)
  expect(tokens.scope.split(' ')).toContain('tools:call')
  const answer = await post(tokens.access_token)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('"name":"modern"')
})

test('a refresh token works once; its second use revokes what came of the login, and all of it is in the log', async () => {
  const { clientId, tokens } = await logIn(fixture)
  const first = await refresh(clientId, tokens.refresh_token)
  const renewed = (await first.json()) as { access_token: string; refresh_token: string }
  expect((await post(renewed.access_token)).status).toBe(200)
  expect((await refresh(clientId, tokens.refresh_token)).status).toBe(400)
  expect((await post(renewed.access_token)).status).toBe(401)
  expect((await refresh(clientId, renewed.refresh_token)).status).toBe(400)
  const entries = (await fixture.tokenRequests()).filter((entry) => entry.clientId === clientId)
  expect(entries).toMatchObject([
    { grantType: 'authorization_code', outcome: 'granted', issued: entries[1]?.refreshToken },
    { grantType: 'refresh_token', outcome: 'granted', generation: 0, grant: entries[0]?.grant },
    {
      outcome: 'invalid_grant',
      generation: 0,
      detail: 'refresh token already used',
      grant: entries[0]?.grant,
    },
    { outcome: 'invalid_grant', detail: 'refresh token not found', refreshToken: entries[1]?.issued },
  ])
  expect(JSON.stringify(entries)).not.toContain(tokens.refresh_token)
})

test('answers that are held back have been acted on', async () => {
  const { clientId, tokens } = await logIn(fixture)
  await fixture.holdAnswers(true)
  const waiting = refresh(clientId, tokens.refresh_token)
  await expect
    .poll(async () => (await fixture.tokenRequests()).at(-1))
    .toMatchObject({ clientId, grantType: 'refresh_token', outcome: 'granted' })
  await fixture.holdAnswers(false)
  expect((await waiting).status).toBe(200)
})

test('a person who says no is sent back with that', async () => {
  const { clientId } = await logIn(fixture)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'http://127.0.0.1:9/callback',
    scope: 'tools:list',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    resource: fixture.resource,
  })
  const back = await visit(`${fixture.issuer}/auth?${query}`, { decision: 'deny' })
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', iss: fixture.issuer })
})
