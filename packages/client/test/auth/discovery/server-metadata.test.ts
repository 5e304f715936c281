import { describe, expect, test } from 'vitest'
import type { AuthResponse } from '../../../src/auth/messages/auth-request.ts'
import {
  assumedServerMetadata,
  legacyServerMetadataRequest,
  processServerMetadata,
  serverMetadataRequests,
  type ServerMetadataRules,
} from '../../../src/auth/discovery/server-metadata.ts'
import { answer, authFailure } from '../fixtures/requests.ts'

const places: readonly (readonly [issuer: string, order: readonly string[]])[] = [
  [
    'https://example.com',
    [
      'https://example.com/.well-known/oauth-authorization-server',
      'https://example.com/.well-known/openid-configuration',
    ],
  ],
  [
    'https://example.com/',
    [
      'https://example.com/.well-known/oauth-authorization-server',
      'https://example.com/.well-known/openid-configuration',
    ],
  ],
  [
    // The example of RFC 8414 section 3.1, and both forms of OpenID Connect.
    'https://example.com/issuer1',
    [
      'https://example.com/.well-known/oauth-authorization-server/issuer1',
      'https://example.com/.well-known/openid-configuration/issuer1',
      'https://example.com/issuer1/.well-known/openid-configuration',
    ],
  ],
  [
    'http://127.0.0.1:8080/a/b/',
    [
      'http://127.0.0.1:8080/.well-known/oauth-authorization-server/a/b',
      'http://127.0.0.1:8080/.well-known/openid-configuration/a/b',
      'http://127.0.0.1:8080/a/b/.well-known/openid-configuration',
    ],
  ],
]

describe('the metadata of an authorization server is looked for in the order laid down [S4-100]', () => {
  test.each(places)('%s', (issuer, order) => {
    const requests = serverMetadataRequests(issuer)
    expect(requests.map(({ url }) => url)).toEqual(order)
    expect(requests[0]).toMatchObject({
      method: 'GET',
      headers: { accept: 'application/json' },
      stage: 'server_metadata',
    })
  })

  test.each([
    ['as.example', 'endpoint_unsafe'],
    ['/issuer', 'endpoint_unsafe'],
    ['javascript:alert(1)', 'endpoint_unsafe'],
    ['ftp://as.example', 'endpoint_unsafe'],
    ['https://user:word@as.example', 'endpoint_unsafe'],
    ['https://as.example/#x', 'endpoint_unsafe'],
    ['https://as.example/?tenant=1', 'metadata_malformed'],
  ])('%s cannot be an issuer', async (issuer, code) => {
    expect(await authFailure(() => serverMetadataRequests(issuer))).toMatchObject({ code })
  })
})

const ISSUER = 'https://as.example/t1'
const document = {
  issuer: ISSUER,
  authorization_endpoint: 'https://as.example/t1/authorize?keep=1',
  token_endpoint: 'https://as.example/t1/token',
  response_types_supported: ['code', 'code id_token'],
  code_challenge_methods_supported: ['plain', 'S256'],
}

function processed(
  response: AuthResponse,
  rules: Partial<ServerMetadataRules> = {},
): ReturnType<typeof processServerMetadata> {
  const [request] = serverMetadataRequests(ISSUER)
  if (request === undefined) throw new Error('there is always a place to ask')
  return processServerMetadata(response, { request, issuer: ISSUER, needsPerson: true, ...rules })
}

test('what is known of the document is kept and the rest is ignored', () => {
  const whole = {
    ...document,
    registration_endpoint: 'https://as.example/register',
    revocation_endpoint: 'https://as.example/revoke',
    scopes_supported: ['a', 'offline_access'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: ['ES256'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  }
  expect(processed(answer({ ...whole, jwks_uri: 'https://as.example/jwks' }))).toEqual(whole)
})

describe('the issuer is exactly the one that was asked for', () => {
  test.each([
    ['https://as.example/t1', 'https://as.example/t1'],
    ['https://as.example', 'https://as.example/'],
    ['https://as.example/', 'https://as.example/'],
  ])('%s for %s is accepted', (issuer, asked) => {
    expect(processed(answer({ ...document, issuer }), { issuer: asked })?.issuer).toBe(issuer)
  })

  test.each([
    ['https://as.example/', 'https://as.example'],
    ['https://as.example', 'https://as.example//'],
    ['https://as.example/t2', ISSUER],
    ['https://AS.example/t1', ISSUER],
    ['https://as.example:443/t1', ISSUER],
    ['https://as.example/%741', ISSUER],
    ['https://as.example/t1?x', ISSUER],
    ['not an address', ISSUER],
  ])('%s for %s is refused', async (issuer, asked) => {
    const error = await authFailure(() => processed(answer({ ...document, issuer }), { issuer: asked }))
    expect(error).toMatchObject({ code: 'issuer_mismatch', stage: 'server_metadata' })
    expect(error.message).toMatch(/do not sign in before that$/)
  })
})

describe('PKCE with S256 has to be offered', () => {
  test.each([undefined, [], ['plain'], ['s256']])('%j is not enough', async (methods) => {
    const body = { ...document, code_challenge_methods_supported: methods }
    const error = await authFailure(() => processed(answer(body)))
    expect(error).toMatchObject({ code: 'pkce_unsupported', stage: 'server_metadata' })
    expect(error.message).toContain('https://as.example/t1')
  })

  test('a server of 2025-03-26 need not say so, but must not deny it', async () => {
    const { code_challenge_methods_supported: _methods, ...silent } = document
    expect(processed(answer(silent), { isLegacyFallback: true })).toEqual(silent)
    const denying = { ...document, code_challenge_methods_supported: ['plain'] }
    const error = await authFailure(() => processed(answer(denying), { isLegacyFallback: true }))
    expect(error.code).toBe('pkce_unsupported')
  })

  test('where nobody logs in, neither PKCE nor a page for people is needed', () => {
    const machine = { issuer: ISSUER, token_endpoint: 'https://as.example/t1/token' }
    expect(processed(answer(machine), { needsPerson: false })).toEqual(machine)
  })
})

const unsafe: readonly (readonly [name: string, endpoint: string, what: string])[] = [
  ['token_endpoint', 'http://as.example/token', '(http://as.example) is not an https URL'],
  ['token_endpoint', '/token', 'is not an absolute URL'],
  ['authorization_endpoint', 'javascript:alert(1)', '(javascript://) is not an https URL'],
  ['authorization_endpoint', 'data:text/html,x', '(data://) is not an https URL'],
  ['authorization_endpoint', 'file:///etc/passwd', '(file://) is not an https URL'],
  ['registration_endpoint', 'https://u:p@as.example/register', 'contains a user name or password'],
  ['revocation_endpoint', 'https://as.example/revoke#x', 'has a fragment'],
]

test.each(unsafe)('%s must not be %s', async (name, endpoint, what) => {
  const error = await authFailure(() => processed(answer({ ...document, [name]: endpoint })))
  expect(error).toMatchObject({ code: 'endpoint_unsafe', stage: 'server_metadata' })
  expect(error.message).toContain(`${name} ${what}`)
})

test.each(['http://localhost:1/token', 'http://127.0.0.1/token', 'http://[::1]:1/token'])(
  '%s on this machine may do without TLS',
  (endpoint) => {
    expect(processed(answer({ ...document, token_endpoint: endpoint }))?.token_endpoint).toBe(endpoint)
  },
)

test('an http address elsewhere passes only where the host allows it', () => {
  const insecure = { ...document, token_endpoint: 'http://as.internal/token' }
  expect(processed(answer(insecure), { allowInsecureHttp: true })?.token_endpoint).toBe(
    insecure.token_endpoint,
  )
})

const malformed: readonly (readonly [change: Record<string, unknown>, what: string])[] = [
  [{ issuer: undefined }, 'lacks the string "issuer"'],
  [{ issuer: [ISSUER] }, 'lacks the string "issuer"'],
  [{ token_endpoint: undefined }, 'lacks the string "token_endpoint"'],
  [{ authorization_endpoint: undefined }, 'lacks "authorization_endpoint"'],
  [{ authorization_endpoint: 1 }, 'has a "authorization_endpoint" that is not a string'],
  [{ response_types_supported: undefined }, 'does not list "code" in "response_types_supported"'],
  [{ response_types_supported: ['token'] }, 'does not list "code" in "response_types_supported"'],
  [{ response_types_supported: 'code' }, 'has a "response_types_supported" that is not a list of strings'],
  [
    { client_id_metadata_document_supported: 'true' },
    'has a "client_id_metadata_document_supported" that is not a boolean',
  ],
]

test.each(malformed)('metadata with %j is malformed', async (change, what) => {
  const error = await authFailure(() => processed(answer({ ...document, ...change })))
  expect(error).toMatchObject({ code: 'metadata_malformed', stage: 'server_metadata', status: 200 })
  expect(error.message).toBe(
    `the metadata of the authorization server at https://as.example/.well-known/oauth-authorization-server/t1 ${what} (status 200); ask the operator of the authorization server to follow RFC 8414 section 2`,
  )
})

test.each([
  [404, 'application/json'],
  [400, 'text/plain'],
  [502, 'text/html'],
  [200, 'text/html'],
])('status %d with %s means: not here', (status, type) => {
  expect(processed(answer('<p>', { status, type }))).toBeUndefined()
})

test.each([500, 503])('status %d is a failure', async (status) => {
  const error = await authFailure(() => processed(answer('', { status })))
  expect(error).toMatchObject({ code: 'server_error', stage: 'server_metadata', status })
})

test('a server of 2025-03-26 is asked at its root and otherwise has endpoints with fixed names', () => {
  expect(legacyServerMetadataRequest('https://h.example/mcp?x=1', '2025-03-26')).toMatchObject({
    url: 'https://h.example/.well-known/oauth-authorization-server',
    headers: { 'mcp-protocol-version': '2025-03-26' },
  })
  expect(assumedServerMetadata('https://h.example/mcp')).toMatchObject({
    issuer: 'https://h.example',
    authorization_endpoint: 'https://h.example/authorize',
    token_endpoint: 'https://h.example/token',
    registration_endpoint: 'https://h.example/register',
  })
})
