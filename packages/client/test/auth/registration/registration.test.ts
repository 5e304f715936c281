import { canary } from '@toolbridge/testkit/secrets'
import { describe, expect, test } from 'vitest'
import {
  checkClientMetadataUrl,
  chooseClient,
  type ClientSources,
} from '../../../src/auth/registration/client-choice.ts'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import {
  applicationType,
  processRegistration,
  registrationRequest,
} from '../../../src/auth/registration/registration.ts'
import { answer, authFailure } from '../fixtures/requests.ts'

const NOW_MS = 1_800_000_000_000
const REDIRECT = 'http://127.0.0.1:4711/callback'
const DOCUMENT = 'https://client.example/mcp.json'

function chosen(sources: Partial<ClientSources>): ReturnType<typeof chooseClient> {
  const server = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' }
  return chooseClient({ server, redirectUri: REDIRECT, nowMs: NOW_MS, ...sources })
}

const everything = {
  issuer: 'https://as.example',
  token_endpoint: 'https://as.example/token',
  registration_endpoint: 'https://as.example/register',
  client_id_metadata_document_supported: true,
}

describe('who to be is decided in a fixed order', () => {
  const configured = { client_id: 'by-hand' }
  const registered = { client_id: 'registered', redirect_uris: [REDIRECT] }

  test('a configured client comes first', () => {
    expect(chosen({ server: everything, configured, registered, clientMetadataUrl: DOCUMENT })).toEqual({
      kind: 'configured',
      client: configured,
    })
  })

  test('then our metadata document, where the server takes one', () => {
    expect(chosen({ server: everything, registered, clientMetadataUrl: DOCUMENT })).toEqual({
      kind: 'metadata_document',
      client: { client_id: DOCUMENT, token_endpoint_auth_method: 'none' },
    })
  })

  test.each([undefined, false])('not where its support for documents is %s', (supported) => {
    const { client_id_metadata_document_supported: _supported, ...rest } = everything
    const server =
      supported === undefined ? rest : { ...rest, client_id_metadata_document_supported: supported }
    expect(chosen({ server, registered, clientMetadataUrl: DOCUMENT })).toMatchObject({ kind: 'registered' })
  })

  test('then an earlier registration, then a new one', () => {
    expect(chosen({ server: everything, registered })).toEqual({ kind: 'registered', client: registered })
    expect(chosen({ server: everything })).toEqual({
      kind: 'register',
      registrationEndpoint: 'https://as.example/register',
    })
  })

  test('a registration for another redirect address is made again', () => {
    const moved = { ...registered, redirect_uris: ['http://127.0.0.1:1/callback'] }
    expect(chosen({ server: everything, registered: moved })).toMatchObject({ kind: 'register' })
    expect(chosen({ server: everything, registered: { client_id: 'unknown' } })).toMatchObject({
      kind: 'registered',
    })
  })

  test.each([
    [NOW_MS / 1000 - 1, 'register'],
    [NOW_MS / 1000, 'register'],
    [NOW_MS / 1000 + 1, 'registered'],
    [0, 'registered'],
  ])('a registration whose secret expires at %d leads to: %s', (client_secret_expires_at, kind) => {
    const expiring = { ...registered, client_secret: canary('client'), client_secret_expires_at }
    expect(chosen({ server: everything, registered: expiring })).toMatchObject({ kind })
  })

  test('a configured secret that expired is an error and not a silent registration', async () => {
    const expired = { client_id: 'by-hand', client_secret: canary('client'), client_secret_expires_at: 1 }
    const error = await authFailure(() => chosen({ server: everything, configured: expired }))
    expect(error).toMatchObject({ code: 'client_expired', stage: 'registration' })
    expect(error.message).toBe(
      'the secret of the client at https://as.example has expired; get a new secret there and configure it',
    )
  })

  test('without any way the person is told to register by hand', async () => {
    expect((await authFailure(() => chosen({}))).message).toBe(
      'the authorization server https://as.example has no client configured for us and supports no registration; register a client there by hand and configure its client id for this issuer',
    )
    expect(await authFailure(() => chosen({ clientMetadataUrl: DOCUMENT }))).toMatchObject({
      code: 'client_unknown',
      stage: 'registration',
    })
  })
})

test.each([
  'https://client.example/mcp.json',
  'https://client.example/a?b=c',
  'https://client.example:8443/a/',
])('%s can be a client id', (address) => {
  expect(() => checkClientMetadataUrl(address)).not.toThrow()
})

test.each([
  'http://client.example/mcp.json',
  'http://localhost/mcp.json',
  'https://client.example',
  'https://client.example/',
  'https://client.example/?a=b',
  'https://client.example/mcp.json#x',
  'https://user@client.example/mcp.json',
  'https://user:word@client.example/mcp.json',
  'https://client.example/a/../mcp.json',
  'https://client.example/./mcp.json',
  'https://client.example/a/..',
  'client.example/mcp.json',
  '',
])('%j cannot be a client id', async (address) => {
  expect(await authFailure(() => checkClientMetadataUrl(address))).toMatchObject({
    code: 'client_metadata_url_invalid',
    stage: 'registration',
  })
})

describe('a registration', () => {
  const ENDPOINT = 'https://as.example/register?tenant=1'

  test('says everything that a server has to know, and what the host says goes [S4-101]', () => {
    const request = registrationRequest(ENDPOINT, {
      client_name: 'Bridge',
      redirect_uris: [REDIRECT],
      scope: 'a',
    })
    expect(request).toMatchObject({
      method: 'POST',
      url: ENDPOINT,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      stage: 'registration',
    })
    expect(JSON.parse(request.body ?? '')).toEqual({
      client_name: 'Bridge',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'a',
    })
    const own = {
      grant_types: ['authorization_code'],
      application_type: 'web' as const,
      redirect_uris: [REDIRECT],
    }
    expect(JSON.parse(registrationRequest(ENDPOINT, own).body ?? '')).toMatchObject(own)
  })

  test.each([
    [['http://127.0.0.1:1/c'], 'native'],
    [['http://localhost/c'], 'native'],
    [['http://[::1]:1/c'], 'native'],
    [['com.example.app:/c'], 'native'],
    [['https://app.example/c'], 'web'],
    [['https://app.example/c', 'http://127.0.0.1:1/c'], 'native'],
    [[], 'web'],
  ])('with %j is for an application of the type %s', (uris, type) => {
    expect(applicationType(uris)).toBe(type)
  })

  test.each(['http://app.example/c', 'https://app.example/c#x', 'javascript:alert(1)', 'data:,x', '/c', ''])(
    'must not name %j to come back to',
    async (uri) => {
      const error = await authFailure(() => registrationRequest(ENDPOINT, { redirect_uris: [uri] }))
      expect(error).toMatchObject({ code: 'redirect_uri_invalid', stage: 'registration' })
    },
  )

  const request = registrationRequest(ENDPOINT, { redirect_uris: [REDIRECT] })
  const process = (response: AuthResponse): unknown => processRegistration(response, { request })

  test('makes a client', () => {
    const client = {
      client_id: 'c1',
      client_secret: canary('client'),
      client_id_issued_at: 1,
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: [REDIRECT],
    }
    expect(
      process(answer({ ...client, client_name: 'x', registration_access_token: 'y' }, { status: 201 })),
    ).toEqual(client)
    expect(process(answer({ client_id: 'c1', client_secret: null }))).toEqual({ client_id: 'c1' })
  })

  test.each([
    [
      400,
      { error: 'invalid_redirect_uri', error_description: 'no loopback' },
      ': invalid_redirect_uri ("no loopback")',
    ],
    [403, { error: 'access_denied' }, ': access_denied'],
    [401, '', ''],
    [404, '<html>', ''],
    [200, { error: 'invalid_client_metadata' }, ': invalid_client_metadata'],
  ])('that is refused with %d and %j says so', async (status, body, said) => {
    const error = await authFailure(() => process(answer(body, { status })))
    expect(error).toMatchObject({ code: 'registration_refused', stage: 'registration', status })
    expect(error.message).toBe(
      `the registration endpoint https://as.example/register refused to register this client${said} (status ${status}); register by hand there and configure the client id, or correct the client metadata`,
    )
  })

  test.each([
    [201, {}, 'lacks the string "client_id"'],
    [201, { client_id: 1 }, 'lacks the string "client_id"'],
    [201, { client_id: 'c', client_secret: 1 }, 'has a "client_secret" that is not a string'],
    [
      201,
      { client_id: 'c', client_secret_expires_at: 'soon' },
      'has a "client_secret_expires_at" that is not a number of seconds',
    ],
    [201, 'client_id=c', 'did not respond with a JSON object'],
    [204, '', 'sent a response that is neither a client nor an error'],
    [302, '', 'sent a response that is neither a client nor an error'],
  ])('that is answered with %d and %j is malformed', async (status, body, what) => {
    const error = await authFailure(() => process(answer(body, { status })))
    expect(error).toMatchObject({ code: 'answer_malformed', stage: 'registration', status })
    expect(error.message).toContain(`${what} (status ${status}); ask the operator of`)
  })

  test('that fails on the other side can be tried again', async () => {
    const error = await authFailure(() => process(answer({ error: 'server_error' }, { status: 500 })))
    expect(error).toMatchObject({ code: 'server_error', stage: 'registration' })
  })
})
